public import FluxCollections

/// A place in a result that contains entities, each of which is also the result of a query.
///
/// See ``Query/entities``.
public struct EntityPath<Value: Sendable>: Sendable {
  let access: any EntityAccess<Value>
}

extension EntityPath {
  /// Returns the path of one entity.
  ///
  /// - Parameters:
  ///   - type: The type of the query that fetches the entity.
  ///   - path: The property that contains the entity.
  public static func one<Entity: EntityQuery>(
    _ type: Entity.Type, at path: any WritableKeyPath<Value, Entity.Value> & Sendable
  ) -> EntityPath {
    EntityPath(access: OneEntity<Value, Entity>(path: path))
  }

  /// Returns the path of an entity that can be missing.
  ///
  /// - Parameters:
  ///   - type: The type of the query that fetches the entity.
  ///   - path: The property that contains the entity, or `nil`.
  public static func one<Entity: EntityQuery>(
    _ type: Entity.Type, at path: any WritableKeyPath<Value, Entity.Value?> & Sendable
  ) -> EntityPath {
    EntityPath(access: OptionalEntity<Value, Entity>(path: path))
  }

  /// Returns the path of the elements of a collection.
  ///
  /// - Parameters:
  ///   - type: The type of the query that fetches an element.
  ///   - path: The property that contains the elements.
  /// - Complexity: The cache replaces one of n elements in O(n) time.
  public static func each<Entity: EntityQuery, Elements: MutableCollection>(
    _ type: Entity.Type, in path: any WritableKeyPath<Value, Elements> & Sendable
  ) -> EntityPath where Elements.Element == Entity.Value {
    EntityPath(access: ElementEntities<Value, Entity, Elements>(path: path))
  }

  /// Returns the path of the elements of an ordered state.
  ///
  /// - Parameters:
  ///   - type: The type of the query that fetches an element.
  ///   - path: The property that contains the elements.
  /// - Complexity: The cache replaces one of n elements in O(log n) time.
  public static func each<Entity: EntityQuery>(
    _ type: Entity.Type, in path: any WritableKeyPath<Value, OrderedState<Entity.Value>> & Sendable
  ) -> EntityPath {
    EntityPath(access: OrderedEntities<Value, Entity>(path: path))
  }

  /// Returns the path of the elements of all pages of an ``InfiniteQuery``.
  ///
  /// - Parameters:
  ///   - type: The type of the query that fetches an element.
  ///   - path: The property of a page that contains the elements.
  public static func each<Entity: EntityQuery, Page, Parameter, Elements: MutableCollection>(
    _ type: Entity.Type, inPages path: any WritableKeyPath<Page, Elements> & Sendable
  ) -> EntityPath where Value == QueryPages<Page, Parameter>, Elements.Element == Entity.Value {
    EntityPath(
      access: PageEntities<Page, Parameter, Entity, Elements>(
        page: ElementEntities<Page, Entity, Elements>(path: path)))
  }
}

/// The entities at a place in a value.
protocol EntityAccess<Value>: Sendable {
  associatedtype Value
  associatedtype Entity: EntityQuery

  /// Replaces entities.
  ///
  /// - Parameters:
  ///   - value: The value that contains the entities.
  ///   - id: The identity of the only entity to visit, or `nil` to visit all entities.
  ///   - body: A closure that returns the new version of an entity, or `nil` if the entity does
  ///     not change.
  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?)
}

extension EntityAccess {
  /// Replaces entities whose types are not known.
  ///
  /// - Parameters:
  ///   - value: The value that contains the entities.
  ///   - query: The query of the only entity to visit, or `nil` to visit all entities.
  ///   - body: A closure that returns the new version of an entity, or `nil` if the entity does
  ///     not change.
  func updateAny(
    _ value: inout Value, only query: (any Query)?, _ body: (QueryKey, any Sendable) -> (any Sendable)?
  ) {
    let only = query as? Entity
    if query != nil, only == nil { return }
    update(&value, only: only?.id) { body(QueryKey(Entity(id: $0.id)), $0) as? Entity.Value }
  }
}

private struct OneEntity<Value: Sendable, Entity: EntityQuery>: EntityAccess {
  let path: any WritableKeyPath<Value, Entity.Value> & Sendable

  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    let entity = value[keyPath: path]
    if id == nil || id == entity.id, let new = body(entity) { value[keyPath: path] = new }
  }
}

private struct OptionalEntity<Value: Sendable, Entity: EntityQuery>: EntityAccess {
  let path: any WritableKeyPath<Value, Entity.Value?> & Sendable

  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    guard let entity = value[keyPath: path], id == nil || id == entity.id else { return }
    if let new = body(entity) { value[keyPath: path] = new }
  }
}

private struct ElementEntities<Value: Sendable, Entity: EntityQuery, Elements: MutableCollection>:
  EntityAccess
where Elements.Element == Entity.Value {
  let path: any WritableKeyPath<Value, Elements> & Sendable

  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    var elements = value[keyPath: path]
    var isChanged = false
    for index in elements.indices where id == nil || elements[index].id == id {
      guard let new = body(elements[index]) else { continue }
      elements[index] = new
      isChanged = true
    }
    if isChanged { value[keyPath: path] = elements }
  }
}

private struct OrderedEntities<Value: Sendable, Entity: EntityQuery>: EntityAccess {
  let path: any WritableKeyPath<Value, OrderedState<Entity.Value>> & Sendable

  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    for id in id.map({ [$0] }) ?? Array(value[keyPath: path].ids) {
      guard let entity = value[keyPath: path][id: id], let new = body(entity) else { continue }
      value[keyPath: path].update(id) { $0 = new }
    }
  }
}

private struct PageEntities<
  Page: Sendable, Parameter: Hashable & Sendable, Entity: EntityQuery, Elements: MutableCollection
>: EntityAccess where Elements.Element == Entity.Value {
  let page: ElementEntities<Page, Entity, Elements>

  func update(
    _ value: inout QueryPages<Page, Parameter>, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?
  ) {
    for index in value.indices {
      var isChanged = false
      var changed = value[index]
      page.update(&changed, only: id) { entity in
        let new = body(entity)
        isChanged = isChanged || new != nil
        return new
      }
      if isChanged { value[index] = changed }
    }
  }
}
