import FluxAsync
import FluxCollections
public import FluxCore
public import Synchronization

/// The object that fetches, polls, and removes the queries of a store.
///
/// The coordinator observes the cache in the state, reports changes to the rules of
/// ``QuerySubscriptions``, and dispatches the actions that the rules return. All decisions are
/// made under a lock, and performed after the lock is released. Because the coordinator follows
/// the state, it also handles a cache that another action has replaced, such as a restored or an
/// earlier state.
@usableFromInline
final class QueryCoordinator: Sendable {
  /// The parts of the store that the coordinator uses.
  final class Connection: Sendable {
    let cache: StoreProxy<QueryCache>
    /// A closure that returns the cache, or `nil` after the store was released.
    let read: @Sendable () -> QueryCache?
    let entries: ElementObservers<QueryEntry>
    let timeline: Timeline

    init(to cache: StoreProxy<QueryCache>, _ read: @escaping @Sendable () -> QueryCache?) {
      self.cache = cache
      self.read = read
      entries = ElementObservers(
        deliveredFrom: cache, list: { $0.entries }, by: { old, new in old.looksLike(new) })
      timeline = cache.context.timelineOfWork
    }

    var now: Duration { timeline.now }
  }

  struct Timer: Sendable {
    let deadline: Duration
    let task: StartedTask
  }

  struct Contents: Sendable {
    var connection: Connection?
    var token: SubscriptionToken?
    var subscriptions = QuerySubscriptions()
    var timer: Timer?
    /// The version of the entries that the rules have received.
    var stamp = OrderedState<QueryEntry>().stamp
    /// The number of resets of the cache that the rules have received.
    var generation = 0
    /// The requests that have arrived in this store and have not ended.
    var runningRequests = RunningRequests()
    /// The tasks that wait for the end of a request, by the identity of the entry.
    var callers: [QueryKey: [WaitingCaller]] = [:]
    var lastCaller: UInt64 = 0
    var lastEdit: UInt64 = 0
    var subscribers: [ObjectIdentifier: WeakSubscriber] = [:]
  }

  /// The version of the cache that the store delivered last.
  @usableFromInline let lastVersion = Atomic<UInt64>(0)
  let contents = Locked(Contents())
  private let updates = RunningUpdates()

  deinit {
    let (timer, subscribers, callers) = contents.withLock { ($0.timer, $0.subscribers, $0.callers) }
    timer?.task.cancel()
    for caller in callers.values.joined() { caller.resume(isCancelled: false) }
    // The subscribers of sequences end the sequences.
    for subscriber in subscribers.values { subscriber.object?.end() }
  }

  // MARK: - The store

  /// A Boolean value that indicates whether the store has a cache.
  var hasCache: Bool { contents.withLock { $0.connection != nil } }

  /// Returns the coordinator of a store, which uses a cache from now on.
  ///
  /// - Parameters:
  ///   - cache: A proxy of the cache.
  ///   - timing: The time at which invalidated queries are fetched again.
  ///   - read: A closure that returns the cache, which the compiler specializes for the state.
  @usableFromInline
  static func connect(
    to cache: StoreProxy<QueryCache>, _ timing: InvalidationTiming,
    reading read: @escaping @Sendable () -> QueryCache?
  ) -> QueryCoordinator {
    let coordinator = cache.context.queryCoordinator
    let connection = Connection(to: cache, read)
    let isFirst = coordinator.contents.withLock { contents in
      guard contents.connection == nil else { return false }
      contents.connection = connection
      contents.subscriptions = QuerySubscriptions(timing)
      return true
    }
    if !isFirst { Misuse.secondCache() }
    return coordinator
  }

  /// Keeps the subscription through which the coordinator receives the versions of the cache, and
  /// handles the initial cache.
  @usableFromInline
  func observe(through token: SubscriptionToken) {
    contents.withLock { $0.token = token }
    guard let connection, let initial = connection.cache.state else { return }
    lastVersion.store(initial.contents.value.version, ordering: .relaxed)
    let steps = report(initial.contents.value)
    connection.entries.receive(initial.entries)
    if steps.isEmpty { return rearm() }
    // While a store is created, code must not dispatch.
    _ = connection.timeline.startTimer(until: connection.now) { [weak self] error in
      if error == nil { self?.perform(steps) }
    }
  }

  /// Prepares the request of a query or a mutation, and returns a closure that starts it.
  ///
  /// If the store has no cache, the closure reports an error.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - key: The identity of the entry of a query, or `nil` for a mutation.
  ///   - context: The context of the request.
  ///   - isWanted: A closure that returns whether the request is wanted.
  func start(
    _ request: some AsyncRequest, of key: QueryKey?, in context: ActionContext, ifWanted isWanted: () -> Bool
  ) -> WorkStart? {
    let hasCache = hasCache
    var policy = context.policy(for: request)
    // Requests of one query never overlap, whatever policy the store sets for all queries.
    if let key { policy = policy.leading(by: key) }
    let (id, start) = request.start(in: context, policy, isWanted: hasCache && isWanted()) { [weak self] id in
      self?.ended(RunningRequest(key: key, id: id))
    }
    guard hasCache else {
      return { context in
        context.report(QueryFailure(.noCache), of: request)
        start?(context)
      }
    }
    guard let start else { return nil }
    contents.withLock { $0.runningRequests.began(RunningRequest(key: key, id: id)) }
    return start
  }

  private func ended(_ request: RunningRequest) {
    let (callers, end, isSettled, connection) = contents.withLock { contents in
      let callers = request.key.flatMap {
        contents.callers.isEmpty ? nil : contents.callers.removeValue(forKey: $0)
      }
      let end = contents.runningRequests.ended(request)
      let isSettled = request.key.map { contents.subscriptions.isSettled($0) } ?? false
      return (callers, end, isSettled && !end.hasPreventedFetch, contents.connection)
    }
    for caller in callers ?? [] { caller.resume(isCancelled: false) }
    // A restored version that arrives later is compared with the running requests.
    if isSettled { return }
    guard let connection, let cache = connection.read()?.contents.value else { return }
    if cache.contains(request) {
      // An action has restored a cache with the request while the outcome was dispatched, or a
      // middleware has dropped the outcome. A middleware that drops every outcome must not cause
      // endless requests.
      if end.followsLostRequest { return perform([.forget(request)]) }
      contents.withLock { $0.runningRequests.wasLost(request) }
      return perform(forgetting([request], of: cache, at: connection.now))
    }
    // If a cache without the request was restored, the outcome had no effect.
    guard let key = request.key, end.hasPreventedFetch || cache.entries[id: key]?.awaitsRefetch == true
    else { return }
    let isIdle = cache.pendingRequests == 0
    perform(
      contents.withLock { contents in
        if contents.runningRequests.contains(key) { return [] }
        return contents.subscriptions.endedRequest(of: key, isIdle: isIdle)
      })
  }

  /// Records that an action removes entries, or all entries if the parameter is `nil`.
  func willRemove(_ keys: [QueryKey]?) {
    contents.withLock { $0.subscriptions.willRemove(keys) }
  }

  private var connection: Connection? { contents.withLock { $0.connection } }

  /// A proxy of the cache, or `nil` if the store has no cache.
  var cache: StoreProxy<QueryCache>? { connection?.cache }

  /// The observers of single entries, or `nil` if the store has no cache.
  var entries: ElementObservers<QueryEntry>? { connection?.entries }

  /// The current time of the clock that the store uses for asynchronous work.
  var now: Duration { connection?.now ?? .zero }

  /// Returns a Boolean value that indicates whether a condition is met by the entry of a query.
  func isMet(_ condition: QueryCondition, by key: QueryKey) -> Bool {
    guard let connection, let cache = connection.read() else { return false }
    return condition.isMet(by: cache.contents.value.entries[id: key], at: connection.now)
  }

  // MARK: - Subscribers

  /// Adds a subscriber, and fetches the query if the condition of the subscriber is met.
  ///
  /// - Returns: A token that removes the subscriber.
  func subscribe(to key: QueryKey, _ options: QueryOptions) -> SubscriptionToken {
    let now = now
    let (number, steps) = contents.withLock { contents in
      contents.subscriptions.subscribed(to: key, options, at: now)
    }
    perform(isMet(options.condition, by: key) ? [.fetch(key, options.condition)] + steps : steps)
    return SubscriptionToken(cancelling: { [weak self] in self?.unsubscribe(number, from: key) })
  }

  /// Fetches a query again for a subscriber, unless a request of the query is running.
  func refetch(_ key: QueryKey) {
    EffectScope.withCurrent(nil) { cache?.dispatch(FetchQuery(key, .always)) }
  }

  /// Fetches a query for a subscriber if a condition is met.
  func fetch(_ key: QueryKey, _ condition: QueryCondition) {
    guard isMet(condition, by: key) else { return }
    EffectScope.withCurrent(nil) { cache?.dispatch(FetchQuery(key, condition)) }
  }

  /// Fetches a page for a subscriber, if the server has one and no request is running.
  func fetchPage(_ direction: PageDirection, of key: QueryKey) {
    fetch(key, direction == .next ? .nextPage : .previousPage)
  }

  private func unsubscribe(_ number: UInt64, from key: QueryKey) {
    let now = now
    perform(contents.withLock { $0.subscriptions.unsubscribed(number, from: key, at: now) })
  }

  /// Ends a subscriber when the store is released.
  func add(_ subscriber: QuerySubscriber) {
    contents.withLock { $0.subscribers[ObjectIdentifier(subscriber)] = WeakSubscriber(object: subscriber) }
  }

  func remove(_ subscriber: QuerySubscriber) {
    contents.withLock { _ = $0.subscribers.removeValue(forKey: ObjectIdentifier(subscriber)) }
  }

  /// Returns the number of subscribers of a query.
  func subscribers(of key: QueryKey) -> Int {
    contents.withLock { $0.subscriptions.subscribers(of: key) }
  }

  /// Returns a number for a manual edit.
  func nextEdit() -> EditID {
    contents.withLock { contents in
      contents.lastEdit += 1
      return EditID(number: contents.lastEdit)
    }
  }

  // MARK: - Events

  /// Handles a version of the cache that the store delivers, unless it is the previous version.
  @inlinable @inline(__always)
  func receive(_ cache: UnsafePointer<QueryCache>) {
    let version = cache.pointee.contents.value.version
    if version == lastVersion.load(ordering: .relaxed) { return }
    lastVersion.store(version, ordering: .relaxed)
    receive(newer: cache.pointee)
  }

  @usableFromInline
  func receive(newer cache: QueryCache) {
    perform(report(cache.contents.value))
    connection?.entries.receive(cache.entries)
  }

  /// Reports the changes of a newer version of the cache to the rules, and returns what to do.
  private func report(_ cache: CacheContents) -> [QuerySubscriptions.Step] {
    let now = now
    let (steps, suspects) = contents.withLock { contents in
      let running = contents.runningRequests
      var (steps, suspects): ([QuerySubscriptions.Step], [RunningRequest]) = ([], [])
      for key in contents.advance(to: cache.entries) {
        let entry = cache.entries[id: key]
        if let request = entry?.requestThatIsMissing(in: running) { suspects.append(request) }
        steps.add(
          contents.subscriptions.changed(key, to: entry.map { QuerySubscriptions.Facts(of: $0) }, at: now))
      }
      steps.add(contents.subscriptions.changed(to: cache.activity, at: now))
      if cache.generation != contents.generation {
        contents.generation = cache.generation
        steps += contents.subscriptions.cacheWasReset()
      }
      if !cache.runningMutations.isEmpty {
        suspects += cache.runningMutations.keys.map { RunningRequest(key: nil, id: $0) }
          .filter { !running.contains($0) }.sorted { $0.id.rawValue < $1.id.rawValue }
      }
      steps.add(contents.subscriptions.settleInvalidated(isIdle: cache.pendingRequests == 0))
      return (steps, suspects)
    }
    return suspects.isEmpty ? steps : steps + forgetting(suspects, of: cache, at: now)
  }

  /// Returns what to do about requests of a state that was saved or restored, which are not
  /// running.
  ///
  /// A request that has ended in the meantime appears in an older version, and is not lost.
  private func forgetting(
    _ suspects: [RunningRequest], of cache: CacheContents, at now: Duration
  ) -> [QuerySubscriptions.Step] {
    guard let newest = connection?.read()?.contents.value else { return [] }
    return contents.withLock { contents in
      var steps: [QuerySubscriptions.Step] = []
      for request in suspects where newest.contains(request) && !contents.runningRequests.contains(request) {
        guard let key = request.key, let entry = cache.entries[id: key] else {
          steps.append(.forget(request))
          continue
        }
        var facts = QuerySubscriptions.Facts(of: entry)
        facts.lostRequest = request.id
        steps.add(contents.subscriptions.changed(key, to: facts, at: now))
      }
      return steps
    }
  }

  private func timerFired() {
    let now = now
    let steps = contents.withLock { contents in
      contents.timer = nil
      return contents.subscriptions.passed(now)
    }
    perform(steps)
  }

  // MARK: - Steps

  private func perform(_ steps: [QuerySubscriptions.Step]) {
    defer { rearm() }
    guard !steps.isEmpty, let cache = connection?.cache else { return }
    // A request of the coordinator belongs to the store, and not to the dispatch that caused it.
    EffectScope.withCurrent(nil) {
      for step in steps {
        switch step {
        case .fetch(let key, let condition):
          if condition == .ifNeeded { contents.withLock { $0.runningRequests.willFetch(key) } }
          cache.dispatch(FetchQuery(key, condition))
        case .remove(let key):
          cache.dispatch(RemoveQueries([key]))
          if let entry = connection?.read()?.entries[id: key]?.contents.value {
            let now = now
            contents.withLock { $0.subscriptions.removalWasDropped(of: key, entry.incarnation, at: now) }
          }
          // Since the rules returned the step, the entry can have been removed, and created again
          // for a subscriber.
          if subscribers(of: key) > 0, isMet(.ifNeeded, by: key) {
            cache.dispatch(FetchQuery(key, .ifNeeded))
          }
        case .startUpdates(let key):
          updates.start(key, in: cache)
          // Another thread can have removed the entry, and stopped the updates before they began.
          if !contents.withLock({ $0.subscriptions.receivesUpdates(key) }) { updates.stop(key, in: cache) }
        case .stopUpdates(let key): updates.stop(key, in: cache)
        case .forget(let request): cache.dispatch(ForgetRequest(request: request))
        }
      }
    }
  }

  /// Starts a timer for the next deadline, unless a timer for an earlier deadline is running.
  private func rearm() {
    guard let timeline = connection?.timeline else { return }
    let old = contents.withLock { contents -> Timer? in
      guard let deadline = contents.subscriptions.nextDeadline else { return nil }
      if let timer = contents.timer, timer.deadline <= deadline { return nil }
      let old = contents.timer
      let task = timeline.startTimer(until: deadline) { [weak self] error in
        if error == nil { self?.timerFired() }
      }
      contents.timer = Timer(deadline: deadline, task: task)
      return old
    }
    old?.task.cancel()
  }
}

/// A reference to a subscriber that its owner keeps.
struct WeakSubscriber: Sendable {
  private(set) weak var object: QuerySubscriber?
}

extension QueryCoordinator.Contents {
  /// Returns the identities of the entries that may have changed since the previous version.
  fileprivate mutating func advance(to entries: OrderedState<QueryEntry>) -> [QueryKey] {
    let old = stamp
    stamp = entries.stamp
    return entries.changedIDs(since: old)
      ?? entries.ids + subscriptions.knownEntries.filter { !entries.contains(id: $0) }
  }
}
