public import FluxAsync
public import FluxCore

/// An action that fetches a query if a condition is met.
///
/// ```swift
/// store.dispatch(FetchQuery(FilmByID(id: 7)))            // prefetches the film
/// store.dispatch(FetchQuery(FilmByID(id: 7), .always))   // fetches the film again
/// ```
///
/// The action does not subscribe to the query. The requests of all queries have this type, so
/// reducers, logs, and listeners can handle all of them in one place:
///
/// ```swift
/// on(FetchQuery.Fulfilled.self) { state, action in
///   if let film = action.value(of: FilmByID.self) { state.lastTitle = film.title }
/// }
/// ```
public struct FetchQuery: AsyncRequest {
  /// The identity of the query's entry.
  public let key: QueryKey
  /// The condition under which the query is fetched.
  public let condition: QueryCondition

  /// Creates an action that fetches a query.
  public init(_ query: some Query, _ condition: QueryCondition = .ifNeeded) {
    self.init(QueryKey(query), condition)
  }

  init(_ key: QueryKey, _ condition: QueryCondition) {
    self.key = key
    self.condition = condition
  }

  /// The policy of the query, with its retries and its time limit.
  ///
  /// At most one request of each query runs at a time, regardless of the policy.
  public var policy: WorkPolicy { key.query.policy }

  /// Fetches the result of the query.
  public func perform(in context: RequestContext<any FluxState>) async throws -> QueryAnswer {
    let (value, tags) = try await key.query._fetch(condition.page, in: context.task, as: context.id)
    return QueryAnswer(value, tags: tags, at: context.time)
  }

  /// Fetches the result of the query.
  ///
  /// The default implementation would create a proxy for a state of any type, which a query does
  /// not use.
  nonisolated(nonsending) public func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (event: any RequestEvent, value: any Sendable) {
    let (value, tags) = try await key.query._fetch(condition.page, in: context, as: id)
    let answer = QueryAnswer(value, tags: tags, at: context.time)
    return (RequestFulfilled(self, id: id, value: answer), answer)
  }

  /// Returns a Boolean value that indicates whether the condition is met in the cache of the
  /// store.
  public func _isWanted(in context: ActionContext) -> Bool {
    context.queryCoordinator.isMet(condition, by: key)
  }

  /// Prepares the request, and returns a closure that starts the request.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    let coordinator = context.queryCoordinator
    return coordinator.start(self, of: key, in: context) { coordinator.isMet(condition, by: key) }
  }
}

extension FetchQuery: RequestThatMayBeDropped {
  /// A Boolean value that indicates whether the request counts as unwanted when its policy drops
  /// it, because another request of the query is running.
  package var isUnwantedWhenDropped: Bool { true }
}

extension FetchQuery: Equatable {}

extension FetchQuery: CustomStringConvertible {
  /// The description of the query, followed by the condition unless it is
  /// ``QueryCondition/ifNeeded``.
  public var description: String {
    condition == .ifNeeded ? "\(key)" : "\(key) \(condition)"
  }
}

/// The result of a query, with the tags that it provides and the time at which it arrived.
public struct QueryAnswer: Sendable {
  /// The result, which is of the query's value type.
  public let value: any Sendable
  /// The tags that the result provides.
  public let tags: Set<QueryTag>
  /// The time at which the result arrived, as measured by the clock that the store uses for
  /// asynchronous work.
  public let time: Duration

  /// Creates an answer, for use in tests of reducers.
  public init(_ value: any Sendable, tags: Set<QueryTag> = [], at time: Duration) {
    self.value = value
    self.tags = tags
    self.time = time
  }
}

extension QueryAnswer: CustomStringConvertible {
  /// The description of the result.
  public var description: String { ValueDescription.text(of: value) }
}

extension RequestFulfilled where Request == FetchQuery {
  /// Returns the result of a query of a type, or `nil` if the query is of another type.
  public func value<Fetched: Query>(of type: Fetched.Type) -> Fetched.Value? {
    request.key.query is Fetched ? value.value as? Fetched.Value : nil
  }
}
