extension EntityAdapter {
  /// The type of list that the adapter changes.
  public typealias List = OrderedState<Entity>

  // MARK: - Adding

  /// Adds an entity if its id is unknown.
  ///
  /// - Returns: `true` if the entity was added, or `false` if its id is already in the list and
  ///   the list did not change.
  @inlinable @discardableResult
  public func add(_ entity: Entity, to list: inout List) -> Bool {
    guard areInIncreasingOrder != nil else { return list.add(entity) }
    guard !list.contains(id: entity.id) else { return false }
    list.insert(entity, at: place(of: entity, in: list))
    return true
  }

  /// Adds the entities whose ids are unknown.
  ///
  /// If several of the entities have the same id, only the first of them is added.
  @inlinable
  public func add(contentsOf entities: some Sequence<Entity>, to list: inout List) {
    guard areInIncreasingOrder != nil else { return list.add(contentsOf: entities) }
    for entity in entities { add(entity, to: &list) }
  }

  // MARK: - Setting

  /// Replaces the known entity that has the same id, or adds the new entity if its id is
  /// unknown.
  @inlinable
  public func set(_ entity: Entity, in list: inout List) {
    upsert(entity, in: &list) { $0 = $1 }
  }

  /// Replaces the known entities that have the same ids, and adds the entities whose ids are
  /// unknown.
  @inlinable
  public func set(contentsOf entities: some Sequence<Entity>, in list: inout List) {
    for entity in entities { set(entity, in: &list) }
  }

  /// Replaces all entities of the list.
  ///
  /// If several of the new entities have the same id, the list keeps the last of them.
  @inlinable
  public func setAll(_ entities: some Sequence<Entity>, in list: inout List) {
    var new = List()
    new.append(contentsOf: entities)
    sort(&new)
    list.setAll(new)
  }

  // MARK: - Changing

  /// Changes the entity with an id, and moves it to its position in the sort order.
  ///
  /// If the position is still correct, the entity does not move. If the closure gives an entity
  /// the id of another entity, the other entity is removed.
  ///
  /// - Returns: `true` if the id is known, or `false` if the id is unknown and the list did not
  ///   change.
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

  /// Changes the entities with the given ids, one after another, and ignores unknown ids.
  @inlinable
  public func update(
    _ ids: some Sequence<Entity.ID>, in list: inout List, _ body: (inout Entity) -> Void
  ) {
    for id in ids { update(id, in: &list, body) }
  }

  /// Changes all entities of a list, in list order.
  ///
  /// The method takes O(n log n) time for n entities.
  @inlinable
  public func updateAll(in list: inout List, _ body: (inout Entity) -> Void) {
    list.updateAll(body)
    sort(&list)
  }

  /// Merges an entity into the known entity that has the same id, or adds the new entity if its
  /// id is unknown.
  ///
  /// - Parameters:
  ///   - entity: The new entity.
  ///   - list: The list to change.
  ///   - merge: A closure that changes the known entity to include the new entity. The default
  ///     closure replaces the known entity.
  @inlinable
  public func upsert(
    _ entity: Entity, in list: inout List,
    merging merge: (_ old: inout Entity, _ new: Entity) -> Void = { $0 = $1 }
  ) {
    let isKnown = update(entity.id, in: &list) { merge(&$0, entity) }
    if !isKnown { add(entity, to: &list) }
  }

  /// Merges entities into the known entities that have the same ids, and adds the entities whose
  /// ids are unknown.
  ///
  /// - Parameters:
  ///   - entities: The new entities.
  ///   - list: The list to change.
  ///   - merge: A closure that changes a known entity to include a new entity. The default
  ///     closure replaces the known entity.
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
  /// - Returns: The removed entity, or `nil` if the id is unknown and the list did not change.
  @inlinable @discardableResult
  public func remove(_ id: Entity.ID, from list: inout List) -> Entity? {
    list.remove(id: id)
  }

  /// Removes the entities with the given ids, and ignores unknown ids.
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

  /// Returns the position at which to insert an entity that is not in the list.
  ///
  /// The position is after all entities that are equal in the sort order.
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

  /// Moves an entity to its position in the sort order, unless the entity is already at that
  /// position.
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
