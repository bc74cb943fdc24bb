extension EntityAdapter {
  /// The lists that the adapter changes.
  public typealias List = OrderedState<Entity>

  // MARK: - Adding what is new

  /// Adds an entity if its id is unknown.
  ///
  /// - Returns: Whether it was added; if not, nothing has changed.
  @inlinable @discardableResult
  public func add(_ entity: Entity, to list: inout List) -> Bool {
    guard areInIncreasingOrder != nil else { return list.add(entity) }
    guard !list.contains(id: entity.id) else { return false }
    list.insert(entity, at: place(of: entity, in: list))
    return true
  }

  /// Adds those entities whose ids are unknown; of several with the same id the first one is added.
  @inlinable
  public func add(contentsOf entities: some Sequence<Entity>, to list: inout List) {
    guard areInIncreasingOrder != nil else { return list.add(contentsOf: entities) }
    for entity in entities { add(entity, to: &list) }
  }

  // MARK: - Setting

  /// Puts an entity in the place of the one with its id, or adds it if its id is unknown.
  @inlinable
  public func set(_ entity: Entity, in list: inout List) {
    upsert(entity, in: &list) { $0 = $1 }
  }

  /// Puts entities in the places of those with their ids, or adds them if their ids are unknown.
  @inlinable
  public func set(contentsOf entities: some Sequence<Entity>, in list: inout List) {
    for entity in entities { set(entity, in: &list) }
  }

  /// Replaces all entities by others.
  ///
  /// Of several with the same id the last one stands.
  @inlinable
  public func setAll(_ entities: some Sequence<Entity>, in list: inout List) {
    var new = List()
    new.append(contentsOf: entities)
    sort(&new)
    list.setAll(new)
  }

  // MARK: - Changing

  /// Changes the entity with an id, and puts it where it belongs then.
  ///
  /// Where its place is right still, it stays, in place. Another entity whose id it takes gives way.
  ///
  /// - Returns: Whether there is such an entity; if not, nothing has changed.
  @inlinable @discardableResult
  public func update(_ id: Entity.ID, in list: inout List, _ body: (inout Entity) -> Void) -> Bool {
    var new = id
    let isKnown = list.update(id) { entity in
      body(&entity)
      new = entity.id
    }
    if isKnown { settle(new, in: &list) }
    return isKnown
  }

  /// Changes the entities with some ids, one after the other; unknown ids are passed over.
  @inlinable
  public func update(
    _ ids: some Sequence<Entity.ID>, in list: inout List, _ body: (inout Entity) -> Void
  ) {
    for id in ids { update(id, in: &list, body) }
  }

  /// Changes all entities, in their order.
  ///
  /// O(n log n).
  @inlinable
  public func updateAll(in list: inout List, _ body: (inout Entity) -> Void) {
    list.updateAll(body)
    sort(&list)
  }

  /// Merges an entity into the one with its id, or adds it if its id is unknown.
  ///
  /// - Parameters:
  ///   - entity: The entity that has come.
  ///   - list: The list to change.
  ///   - merge: Changes the entity that is there by the one that has come. Without it, the new one replaces
  ///     the old.
  @inlinable
  public func upsert(
    _ entity: Entity, in list: inout List,
    merging merge: (_ old: inout Entity, _ new: Entity) -> Void = { $0 = $1 }
  ) {
    let isKnown = update(entity.id, in: &list) { merge(&$0, entity) }
    if !isKnown { add(entity, to: &list) }
  }

  /// Merges entities into those with their ids, or adds them if their ids are unknown.
  ///
  /// - Parameters:
  ///   - entities: The entities that have come.
  ///   - list: The list to change.
  ///   - merge: Changes an entity that is there by the one that has come. Without it, the new one replaces
  ///     the old.
  @inlinable
  public func upsert(
    contentsOf entities: some Sequence<Entity>, in list: inout List,
    merging merge: (_ old: inout Entity, _ new: Entity) -> Void = { $0 = $1 }
  ) {
    for entity in entities { upsert(entity, in: &list, merging: merge) }
  }

  // MARK: - Removing

  /// Removes the entity with an id.
  ///
  /// - Returns: The entity that was removed; `nil` if there was none, and then nothing has changed.
  @inlinable @discardableResult
  public func remove(_ id: Entity.ID, from list: inout List) -> Entity? {
    list.remove(id: id)
  }

  /// Removes the entities with some ids; unknown ids are passed over.
  @inlinable
  public func remove(_ ids: some Sequence<Entity.ID>, from list: inout List) {
    list.remove(ids: ids)
  }

  /// Removes all entities.
  @inlinable
  public func removeAll(from list: inout List) {
    list.removeAll()
  }

  // MARK: - The sort order

  /// The position for an entity that is not in the list: after those that it is equal to.
  @inlinable
  func place(of entity: Entity, in list: List) -> Int {
    guard let areInIncreasingOrder else { return list.count }
    var low = 0
    var high = list.count
    while low < high {
      let middle = low + (high - low) / 2
      if areInIncreasingOrder(entity, list[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Puts an entity where it belongs, if it does not stand there.
  @inlinable
  func settle(_ id: Entity.ID, in list: inout List) {
    guard let areInIncreasingOrder, let entity = list[id: id], let position = list.position(of: id) else {
      return
    }
    let isAfterItsPredecessor = position == 0 || !areInIncreasingOrder(entity, list[position - 1])
    let isBeforeItsSuccessor =
      position == list.count - 1 || !areInIncreasingOrder(list[position + 1], entity)
    if isAfterItsPredecessor && isBeforeItsSuccessor { return }
    list.remove(id: id)
    list.insert(entity, at: place(of: entity, in: list))
  }
}
