public import FluxAsync
public import FluxCore

/// A value that describes what to fetch from a server, and that identifies the result in a cache.
///
/// ```swift
/// struct FilmByID: Query {
///   let id: Int
///
///   func fetch(in context: RequestContext<AppState>) async throws -> Film {
///     try await context.services((any FilmService).self).film(id)
///   }
///
///   func tags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
/// }
///
/// let token = store.observe(FilmByID(id: 7)) { film in show(film.data, film.isFetching) }
/// ```
///
/// The store keeps the result of a query in a ``QueryCache``. Equal queries of the same type share
/// one entry of the cache, so the properties of a query are the key of its result. Two queries of
/// different types never share an entry.
///
/// A plug-in from ``QuerySlice/plugin`` fetches the queries that the app observes, prefetches, or
/// awaits.
///
/// The idea of a cache of queries comes from RTK Query and TanStack Query.
public protocol Query<Value>: Hashable, Sendable {
  /// The type of the state that the query uses: the type of the store's state, or a protocol to
  /// which that type conforms.
  associatedtype State: Sendable
  /// The type of the result.
  associatedtype Value: Sendable

  /// Fetches the result from the server.
  ///
  /// The store calls this method in a task, and again for each retry that the policy allows. At
  /// most one request for a query runs at a time.
  func fetch(in context: RequestContext<State>) async throws -> Value

  /// Returns the tags that the entry of the query provides.
  ///
  /// An action or a mutation that invalidates one of the tags marks the entry as out of date. The
  /// tags of a new outcome replace the tags of the previous outcome. The method must be quick,
  /// because the store calls it during a reduction if the request has failed.
  ///
  /// The default is an empty set.
  func tags(for result: Result<Value, QueryFailure>) -> Set<QueryTag>

  /// The places in the result that contain entities, each of which is also the result of its own
  /// query.
  ///
  /// ```swift
  /// struct PopularFilms: Query {
  ///   var entities: [EntityPath<[Film]>] { [.each(FilmByID.self, in: \.self)] }
  ///   …
  /// }
  /// ```
  ///
  /// The cache keeps one version of each entity. When a result with entities arrives, the cache
  /// stores each entity as the result of its own query. When a request, a mutation, or an edit
  /// changes an entity, all results that contain the entity change.
  ///
  /// If the server confirms a change of an entity during a request of the query, the answer can be
  /// older than the change, so the answer does not change the entity. The cache keeps the entry of
  /// an entity as long as another entry contains the entity.
  ///
  /// An entity must not contain itself, neither directly nor through other entities. A shallow
  /// version of an entity replaces a complete version, so use one type of entity for values with
  /// the same properties.
  ///
  /// To edit an entity, edit the result of its own query. An edit of another result can add,
  /// remove, and move entities, but the cache shows the version in the entity's own entry. When the
  /// server confirms an edit of a result, the cache stores the entities that the edit has changed.
  ///
  /// The default is an empty array.
  var entities: [EntityPath<Value>] { get }

  /// The retries and the time limit of a request.
  ///
  /// The rule for overlapping work and the key of the policy have no effect, because a query has
  /// at most one request at a time. A debounce or throttle interval has no effect either: to wait
  /// until a user stops typing, delay the change of the query's arguments. The default is one
  /// attempt without a time limit.
  var policy: WorkPolicy { get }

  /// The duration for which the cache keeps the entry after its last subscriber has gone, or
  /// `nil` to keep the entry until it is removed explicitly.
  ///
  /// The duration begins when the last subscriber has gone and no request is running. A duration of
  /// zero removes the entry immediately. The default is 60 seconds.
  var lifetimeWithoutSubscribers: Duration? { get }

  /// Performs one attempt, in a store whose state can have any type.
  ///
  /// The default calls ``fetch(in:)``. The store calls this method. Apps do not call or implement
  /// it.
  ///
  /// - Parameter page: The side of the result whose page is fetched, or `nil` to fetch the whole
  ///   result.
  nonisolated(nonsending) func _fetch(
    _ page: PageDirection?, in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (value: any Sendable, tags: Set<QueryTag>)

  /// Returns a Boolean value that indicates whether the server has a page at a side of a result.
  ///
  /// The default is `false`, because only an ``InfiniteQuery`` has pages. The store calls this
  /// method. Apps do not call or implement it.
  func _hasPage(_ direction: PageDirection, in value: any Sendable) -> Bool

  /// Returns the tags for a failure.
  ///
  /// The store calls this method. Apps do not call or implement it.
  func _tags(for failure: QueryFailure) -> Set<QueryTag>

  /// Returns the tags for a result, or an empty set if the value has another type.
  ///
  /// The store calls this method. Apps do not call or implement it.
  func _tags(for value: any Sendable) -> Set<QueryTag>

  /// A Boolean value that indicates whether the query has ``entities``.
  ///
  /// The store reads this property. Apps do not read or implement it.
  var _hasEntities: Bool { get }

  /// Returns the part of a result that a request for one page has fetched.
  ///
  /// The default returns the whole result, because only an ``InfiniteQuery`` has pages. The store
  /// calls this method. Apps do not call or implement it.
  ///
  /// - Parameter page: The side at which the request has added a page, or `nil` if it has fetched
  ///   the whole result.
  func _fetchedPart(of value: any Sendable, _ page: PageDirection?) -> any Sendable

  /// Returns a result in which entities are replaced, or `nil` if no entity is replaced.
  ///
  /// The store calls this method. Apps do not call or implement it.
  ///
  /// - Parameters:
  ///   - value: The result.
  ///   - query: The query of the only entity to visit, or `nil` to visit all entities.
  ///   - body: A closure that returns the new version of an entity, or `nil` if the entity does
  ///     not change.
  func _replacingEntities(
    in value: any Sendable, only query: (any Query)?,
    _ body: (QueryKey, any Sendable) -> (any Sendable)?
  ) -> (any Sendable)?

  /// The identity of the query's entry in a cache.
  ///
  /// The store reads this property. Apps do not read or implement it.
  var _key: QueryKey { get }

  /// Returns a Boolean value that indicates whether a key is the key of the query.
  ///
  /// The store calls this method. Apps do not call or implement it.
  func _isQuery(of key: QueryKey) -> Bool

  /// Returns a Boolean value that indicates whether two results are known to be equal.
  ///
  /// The default compares the results if their type is `Equatable`, and returns `false` otherwise.
  /// The store calls this method. Apps do not call or implement it.
  func _areEqual(_ old: any Sendable, _ new: any Sendable) -> Bool
}

extension Query {
  /// Returns an empty set.
  public func tags(for result: Result<Value, QueryFailure>) -> Set<QueryTag> { [] }

  /// An empty array, because the result contains no entities.
  @inlinable public var entities: [EntityPath<Value>] { [] }

  /// The default policy, which allows one attempt without a time limit.
  public var policy: WorkPolicy { .leading }

  /// The default duration, which is 60 seconds.
  public var lifetimeWithoutSubscribers: Duration? { .seconds(60) }

  /// Calls ``fetch(in:)`` with the state of the store.
  ///
  /// The compiler specializes this method for the type of the query.
  @inlinable
  nonisolated(nonsending) public func _fetch(
    _ page: PageDirection?, in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (value: any Sendable, tags: Set<QueryTag>) {
    let value = try await fetch(in: RequestContext<State>(ofQuery: context, id))
    return (value, tags(for: .success(value)))
  }

  /// Returns `false`, because the result has no pages.
  public func _hasPage(_ direction: PageDirection, in value: any Sendable) -> Bool { false }

  /// Calls ``tags(for:)`` with the failure.
  @inlinable
  public func _tags(for failure: QueryFailure) -> Set<QueryTag> { tags(for: .failure(failure)) }

  /// Calls ``tags(for:)`` with the value.
  @inlinable
  public func _tags(for value: any Sendable) -> Set<QueryTag> {
    (value as? Value).map { tags(for: .success($0)) } ?? []
  }

  /// Returns the whole result, which has no pages.
  public func _fetchedPart(of value: any Sendable, _ page: PageDirection?) -> any Sendable { value }

  /// A Boolean value that indicates whether ``entities`` has elements.
  @inlinable public var _hasEntities: Bool { !entities.isEmpty }

  /// Replaces entities at all places in ``entities``.
  @inlinable
  public func _replacingEntities(
    in value: any Sendable, only query: (any Query)?,
    _ body: (QueryKey, any Sendable) -> (any Sendable)?
  ) -> (any Sendable)? {
    let entities = entities
    guard !entities.isEmpty, var value = value as? Value else { return nil }
    var isReplaced = false
    for entity in entities {
      entity.access.updateAny(&value, only: query) { key, old in
        let new = body(key, old)
        isReplaced = isReplaced || new != nil
        return new
      }
    }
    return isReplaced ? value : nil
  }

  /// The query as a key.
  ///
  /// The compiler specializes this property for the type of the query.
  @inlinable public var _key: QueryKey { QueryKey(storing: self) }

  /// Compares the types and the values of the query and of the query of the key.
  ///
  /// The compiler specializes this method for the type of the query.
  @inlinable public func _isQuery(of key: QueryKey) -> Bool { key.isKey(of: self) }

  /// Returns `false`, because results whose type is not `Equatable` cannot be compared.
  public func _areEqual(_ old: any Sendable, _ new: any Sendable) -> Bool { false }
}

extension Query where Value: Equatable {
  /// Compares two results.
  @inlinable
  public func _areEqual(_ old: any Sendable, _ new: any Sendable) -> Bool {
    guard let old = cast(old, to: Value.self), let new = cast(new, to: Value.self) else { return false }
    return old == new
  }
}
