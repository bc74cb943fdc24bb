public import FluxAsync
import FluxCollections
public import FluxCore

extension StateSource {
  /// The cache of the store's queries, or `nil` if the store has no plug-in of a ``QuerySlice``.
  ///
  /// Use the property in code that does not know the location of the cache in the state. The
  /// value is also `nil` after the store is released.
  ///
  /// - Complexity: O(1).
  public var queryCache: QueryCache? { _proxy.context.queryCoordinator.cache?.state }

  // MARK: - Observing

  /// Calls a closure with the result of a query and the state of its request, and again after each
  /// change.
  ///
  /// ```swift
  /// let observer = store.observe(FilmByID(id: 7)) { film in
  ///   show(film.data, isLoading: film.isLoading, film.error)
  /// }
  /// ```
  ///
  /// The query is fetched if the condition of the options is met. The closure is called for the
  /// first time before this method returns. The observer counts as a subscriber of the query until
  /// it is released or canceled.
  ///
  /// If the store has no cache, the closure receives a failure with the code
  /// ``QueryFailure/Code/noCache``.
  ///
  /// - Parameters:
  ///   - query: The query, or `nil` to observe a query later.
  ///   - options: The options of the subscriber.
  ///   - receive: A closure that receives the state.
  /// - Returns: The observer, which keeps the subscription alive.
  @inlinable
  public func observe<Observed: Query>(
    _ query: Observed?, _ options: QueryOptions = QueryOptions(),
    _ receive: @escaping @Sendable (QueryState<Observed.Value>) -> Void
  ) -> QueryObserver<Observed> {
    QueryObserver(
      QuerySubscriber(of: query.map { QueryKey($0) }, in: _proxy.context, options) { receive(QueryState($0)) }
    )
  }

  /// Calls a closure with a part of the result of a query or of its state, and again after each
  /// change of the part.
  ///
  /// ```swift
  /// let observer = store.observe(FilmByID(id: 7), of: { $0.data?.title }) { title in show(title) }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query, or `nil` to observe a query later.
  ///   - part: A closure that returns the part. The closure is called after each change of the
  ///     entry, and not after changes of other entries.
  ///   - options: The options of the subscriber.
  ///   - receive: A closure that receives the part.
  /// - Returns: The observer, which keeps the subscription alive.
  public func observe<Observed: Query, Part: Equatable & Sendable>(
    _ query: Observed?, of part: @escaping @Sendable (QueryState<Observed.Value>) -> Part,
    _ options: QueryOptions = QueryOptions(), _ receive: @escaping @Sendable (Part) -> Void
  ) -> QueryObserver<Observed> {
    // The observer makes one call at a time.
    let last = LastPart<Part>()
    return observe(query, options) { state in
      let part = part(state)
      if last.isNew(part) { receive(part) }
    }
  }

  /// Calls a closure on the main actor with the result of a query and the state of its request, and
  /// again after each change.
  ///
  /// The query is fetched if the condition of the options is met. The closure is called for the
  /// first time before this method returns. The closure does not have to be `Sendable`.
  ///
  /// - Parameters:
  ///   - query: The query, or `nil` to observe a query later.
  ///   - options: The options of the subscriber.
  ///   - receive: A closure that receives the state.
  /// - Returns: The observer, which keeps the subscription alive.
  @_disfavoredOverload @MainActor
  public func observe<Observed: Query>(
    _ query: Observed?, _ options: QueryOptions = QueryOptions(),
    onMain receive: @escaping @MainActor (QueryState<Observed.Value>) -> Void
  ) -> MainQueryObserver<Observed> {
    MainQueryObserver(query, in: _proxy.context, options, receive)
  }

  /// Calls a closure on the main actor with a part of the result of a query or of its state, and
  /// again after each change of the part.
  ///
  /// ```swift
  /// let observer = store.observe(
  ///   FilmByID(id: 7), of: { $0.data?.title }, onMain: { [label] in label.text = $0 })
  /// ```
  ///
  /// The query is fetched if the condition of the options is met. The closure is called for the
  /// first time before this method returns. The closures do not have to be `Sendable`.
  ///
  /// - Parameters:
  ///   - query: The query, or `nil` to observe a query later.
  ///   - part: A closure that returns the part. The closure is called after each change of the
  ///     entry, and not after changes of other entries.
  ///   - options: The options of the subscriber.
  ///   - receive: A closure that receives the part.
  /// - Returns: The observer, which keeps the subscription alive.
  @_disfavoredOverload @MainActor
  public func observe<Observed: Query, Part: Equatable>(
    _ query: Observed?, of part: @escaping @MainActor (QueryState<Observed.Value>) -> Part,
    _ options: QueryOptions = QueryOptions(), onMain receive: @escaping @MainActor (Part) -> Void
  ) -> MainQueryObserver<Observed> {
    var last: Part?
    return observe(
      query, options,
      onMain: { state in
        let part = part(state)
        guard part != last else { return }
        last = part
        receive(part)
      })
  }

  /// Returns an asynchronous sequence of the result of a query and the state of its request: the
  /// current state first, then newer states.
  ///
  /// Each iteration of the sequence counts as a subscriber of the query. The sequence does not
  /// keep the store alive, and ends when the store is released.
  public func values<Observed: Query>(
    of query: Observed, _ options: QueryOptions = QueryOptions()
  ) -> StateStream<QueryState<Observed.Value>> {
    _proxy.context.stream(of: QueryKey(query), options) { QueryState($0) }
  }

  // MARK: - Fetching

  /// Fetches a query if a condition is met, and returns its result.
  ///
  /// ```swift
  /// let film = try await store.fetch(FilmByID(id: 7))
  /// ```
  ///
  /// If a request of the query is already running, the method waits for that request. The caller
  /// counts as a subscriber of the query until the method returns. If the task is canceled, the
  /// method throws a failure with the code ``QueryFailure/Code/aborted``, and stops waiting. If
  /// the request is aborted, the method returns the last known result, or throws a failure with
  /// the same code if there is none.
  ///
  /// - Throws: The failure of the request.
  public func fetch<Fetched: Query>(
    _ query: Fetched, _ condition: QueryCondition = .ifNeeded
  ) async throws(QueryFailure) -> Fetched.Value {
    try await _proxy.context.fetch(query, condition)
  }

  /// Fetches a query if a condition is met, and does not wait for the result.
  ///
  /// The method does not subscribe to the query. If no subscriber is added, the entry is removed
  /// after its lifetime without subscribers, which begins when the request ends.
  public func prefetch(_ query: some Query, _ condition: QueryCondition = .ifNeeded) {
    let coordinator = _proxy.context.queryCoordinator
    let action = FetchQuery(query, condition)
    guard !coordinator.hasCache || coordinator.isMet(condition, by: action.key) else { return }
    // Other subscribers can share the request, so it does not belong to the work of the caller.
    EffectScope.withCurrent(nil) { _proxy.dispatch(action) }
  }

  // MARK: - Changing

  /// Stores a result that did not come from a request of the query.
  ///
  /// The result counts as the answer of a request that began and ended now: it provides tags, it
  /// is not out of date, and a running request is aborted.
  public func write<Written: Query>(_ value: Written.Value, to query: Written) {
    let context = _proxy.context
    let answer = QueryAnswer(value, tags: query.tags(for: .success(value)), at: context.time)
    _proxy.dispatch(WriteQuery(key: QueryKey(query), answer: answer))
  }

  /// Edits results, until the edits are undone or newer results arrive.
  ///
  /// ```swift
  /// let undo = store.edit([.edit(FilmByID(id: 7)) { film in film.isWished = true }])
  /// undo.undo()
  /// ```
  ///
  /// Undoing an edit does not affect other edits of the same result. To change data on a server,
  /// use a ``Mutation`` instead, whose edits are confirmed or removed automatically.
  @discardableResult
  public func edit(_ edits: [QueryEdit]) -> QueryUndo {
    let id = _proxy.context.queryCoordinator.nextEdit()
    _proxy.dispatch(EditQueries(id: id, edits: edits))
    let dispatch = _proxy.dispatch
    return QueryUndo(action: UndoQueryEdits(id: id, keys: edits.map(\.key)), dispatch: dispatch)
  }

  /// Performs a mutation, and returns a handle for waiting for its answer.
  ///
  /// ```swift
  /// let film = try await store.mutate(RenameFilm(id: 7, title: "Playtime")).value
  /// ```
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - id: The name under which the cache keeps the state of the mutation, or `nil` if the state
  ///     is not tracked.
  @discardableResult
  public func mutate<Performed: Mutation>(
    _ mutation: Performed, as id: MutationID? = nil
  ) -> MutationTask<Performed.Value> {
    MutationTask(_proxy.request(PerformMutation(mutation, as: id)))
  }

  /// The number of subscribers of a query.
  ///
  /// The number is not part of the state.
  public func subscribers(of query: some Query) -> Int {
    _proxy.context.queryCoordinator.subscribers(of: QueryKey(query))
  }
}

/// A handle that undoes manual edits.
///
/// Releasing the handle does not undo the edits.
public struct QueryUndo: Sendable {
  let action: UndoQueryEdits
  let dispatch: DispatchFunction

  /// Removes the edits.
  ///
  /// If newer results have replaced the edits, or the edits were already undone, the method has no
  /// effect.
  public func undo() {
    dispatch(action)
  }
}

/// The last part of a state that an observer has received.
private final class LastPart<Part: Equatable & Sendable>: Sendable {
  private let last = Locked<Part?>(nil)

  /// Stores a part, and returns a Boolean value that indicates whether it differs from the last
  /// part.
  func isNew(_ part: Part) -> Bool {
    let old = last.exchange(part)
    return old != part
  }
}

extension ActionContext {
  /// A Boolean value that indicates whether the store has a cache of queries, or was released.
  package var hasQueryCache: Bool { hasStoreGone || queryCoordinator.hasCache }

  /// The coordinator of the store's queries.
  var queryCoordinator: QueryCoordinator { attachment(QueryCoordinator.self) { QueryCoordinator() } }
}

extension ActionContext {
  fileprivate func fetch<Fetched: Query>(
    _ query: Fetched, _ condition: QueryCondition
  ) async throws(QueryFailure) -> Fetched.Value {
    guard let cache = queryCoordinator.cache else { throw QueryFailure(hasStoreGone ? .aborted : .noCache) }
    let action = FetchQuery(query, condition)
    // A subscriber keeps the entry until the request has ended.
    let subscription = queryCoordinator.subscribe(to: action.key, QueryOptions(condition: .never))
    defer { subscription.cancel() }
    await dispatchIfNeeded(action, in: cache)
    guard await requestsEnded(of: action.key) else { throw QueryFailure(.aborted) }
    let entry = cache.state?.entries[id: action.key]
    if let error = entry?.error { throw error }
    guard let value = QueryState<Fetched.Value>(entry, after: nil).data else { throw QueryFailure(.aborted) }
    return value
  }

  /// Fetches a query again for a subscriber, and waits until no request of the query is running.
  func refresh(_ key: QueryKey) async {
    guard let cache = queryCoordinator.cache else { return }
    await dispatchIfNeeded(FetchQuery(key, .always), in: cache)
    _ = await requestsEnded(of: key)
  }

  /// Waits until no request of a query is running, and the last outcome was handled.
  ///
  /// A request counts as running from the action on, although it begins later if an earlier request
  /// of the query is still dispatching its result.
  ///
  /// - Returns: `false` if the task was canceled first.
  private func requestsEnded(of key: QueryKey) async -> Bool {
    while queryCoordinator.isRequested(key) {
      let number = queryCoordinator.nextCaller()
      let hasEnded = await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          queryCoordinator.add(WaitingCaller(number, continuation), for: key)
          // The handler may have been called before the caller was added.
          if Task.isCancelled { queryCoordinator.stopWaiting(number, for: key) }
        }
      } onCancel: {
        queryCoordinator.stopWaiting(number, for: key)
      }
      if !hasEnded { return false }
    }
    return !Task.isCancelled
  }

  /// Dispatches an action that fetches a query if its condition is met, and waits until the action
  /// was handled.
  ///
  /// The caller must not retain the coordinator while it waits for the result, because the
  /// coordinator is released with the store.
  private func dispatchIfNeeded(_ action: FetchQuery, in cache: StoreProxy<QueryCache>) async {
    guard queryCoordinator.isMet(action.condition, by: action.key) else { return }
    await withCheckedContinuation { continuation in
      dispatching {
        EffectScope.withCurrent(nil) { cache.dispatch(action) }
      } then: {
        continuation.resume()
      }
    }
  }

  /// Returns a stream of the entries that a new subscriber receives.
  fileprivate func stream<Element: Sendable>(
    of key: QueryKey, _ options: QueryOptions,
    _ element: @escaping @Sendable (ShownEntries) -> Element
  ) -> StateStream<Element> {
    StateStream { receive in
      let subscriber = QuerySubscriber(of: key, in: self, options) { receive(element($0)) }
      return SubscriptionToken(cancelling: { subscriber.cancel() })
    }
  }
}
