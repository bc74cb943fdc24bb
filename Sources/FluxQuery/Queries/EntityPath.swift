public import FluxCollections
public import FluxCore

/// A place in a result that contains entities, each of which is also the result of a query.
///
/// See ``Query/entities``.
public struct EntityPath<Value: Sendable>: Sendable {
  @usableFromInline let access: any EntityAccess<Value>

  @inlinable
  init(access: some EntityAccess<Value>) {
    self.access = access
  }
}

extension EntityPath {
  /// Returns the path of one entity.
  ///
  /// - Parameters:
  ///   - type: The type of the query that fetches the entity.
  ///   - path: The property that contains the entity.
  @inlinable
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
  @inlinable
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
  @inlinable
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
  @inlinable
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
  @inlinable
  public static func each<Entity: EntityQuery, Page, Parameter, Elements: MutableCollection>(
    _ type: Entity.Type, inPages path: any WritableKeyPath<Page, Elements> & Sendable
  ) -> EntityPath where Value == QueryPages<Page, Parameter>, Elements.Element == Entity.Value {
    EntityPath(
      access: PageEntities<Page, Parameter, Entity, Elements>(
        page: ElementEntities<Page, Entity, Elements>(path: path)))
  }
}

/// The entities at a place in a value.
///
/// The compiler specializes the methods for the types of a path, in the module that creates the path.
@usableFromInline
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

  /// Replaces entities whose types are not known.
  ///
  /// - Parameters:
  ///   - value: The value that contains the entities.
  ///   - query: The query of the only entity to visit, or `nil` to visit all entities.
  ///   - body: A closure that returns the new version of an entity, or `nil` if the entity does
  ///     not change.
  func updateAny(
    _ value: inout Value, only query: (any Query)?, _ body: (QueryKey, any Sendable) -> (any Sendable)?
  )
}

extension EntityAccess {
  @inlinable
  func updateAny(
    _ value: inout Value, only query: (any Query)?, _ body: (QueryKey, any Sendable) -> (any Sendable)?
  ) {
    let only = query as? Entity
    if query != nil, only == nil { return }
    update(&value, only: only?.id) { old in
      guard let new = body(QueryKey(Entity(id: old.id)), old), let entity = cast(new, to: Entity.Value.self),
        // The server may have answered with another entity than the query asked for.
        entity.id == old.id
      else { return nil }
      return entity
    }
  }
}

@usableFromInline
struct OneEntity<Value: Sendable, Entity: EntityQuery>: EntityAccess {
  @usableFromInline let path: any WritableKeyPath<Value, Entity.Value> & Sendable

  @inlinable
  init(path: any WritableKeyPath<Value, Entity.Value> & Sendable) {
    self.path = path
  }

  @inlinable
  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    let entity = value[keyPath: path]
    if id == nil || id == entity.id, let new = body(entity) { value[keyPath: path] = new }
  }
}

@usableFromInline
struct OptionalEntity<Value: Sendable, Entity: EntityQuery>: EntityAccess {
  @usableFromInline let path: any WritableKeyPath<Value, Entity.Value?> & Sendable

  @inlinable
  init(path: any WritableKeyPath<Value, Entity.Value?> & Sendable) {
    self.path = path
  }

  @inlinable
  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    guard let entity = value[keyPath: path], id == nil || id == entity.id else { return }
    if let new = body(entity) { value[keyPath: path] = new }
  }
}

@usableFromInline
struct ElementEntities<Value: Sendable, Entity: EntityQuery, Elements: MutableCollection>: EntityAccess
where Elements.Element == Entity.Value {
  @usableFromInline let path: any WritableKeyPath<Value, Elements> & Sendable

  @inlinable
  init(path: any WritableKeyPath<Value, Elements> & Sendable) {
    self.path = path
  }

  @inlinable
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

@usableFromInline
struct OrderedEntities<Value: Sendable, Entity: EntityQuery>: EntityAccess {
  @usableFromInline let path: any WritableKeyPath<Value, OrderedState<Entity.Value>> & Sendable

  @inlinable
  init(path: any WritableKeyPath<Value, OrderedState<Entity.Value>> & Sendable) {
    self.path = path
  }

  @inlinable
  func update(_ value: inout Value, only id: Entity.ID?, _ body: (Entity.Value) -> Entity.Value?) {
    if let id {
      guard let new = value[keyPath: path][id: id].flatMap(body) else { return }
      value[keyPath: path].update(id) { $0 = new }
    } else {
      let changed = value[keyPath: path].compactMap(body)
      for new in changed { value[keyPath: path].update(new.id) { $0 = new } }
    }
  }
}

@usableFromInline
struct PageEntities<
  Page: Sendable, Parameter: Hashable & Sendable, Entity: EntityQuery, Elements: MutableCollection
>: EntityAccess where Elements.Element == Entity.Value {
  @usableFromInline let page: ElementEntities<Page, Entity, Elements>

  @inlinable
  init(page: ElementEntities<Page, Entity, Elements>) {
    self.page = page
  }

  @inlinable
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
