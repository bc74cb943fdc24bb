import FluxAsync

/// The rules for the subscribers of queries: when an entry is fetched again, polled, and removed.
///
/// The value has no lock, task, or clock. Each method is one event, and returns what to do. The
/// ``QueryCoordinator`` reports the events and performs the steps.
struct QuerySubscriptions: Sendable {
  /// Something that the coordinator does after an event.
  enum Step: Hashable, Sendable {
    case fetch(QueryKey, QueryCondition)
    case remove(QueryKey)
    case forget(RunningRequest)
    /// Starts the updates of an entry, if its query has updates.
    case startUpdates(QueryKey)
    case stopUpdates(QueryKey)
  }

  /// An entry of the cache, the subscribers of a query, or both.
  fileprivate struct Watch: Sendable {
    var subscribers: [UInt64: QueryOptions] = [:]
    /// The facts about the entry, or `nil` if the cache has no entry.
    var facts: Facts?
    /// The time of the last event that begins the lifetime without subscribers, or `nil` if there
    /// was none.
    var unusedSince: Duration?
    /// The time from which the polling interval is measured.
    var pollsSince: Duration = .zero
    /// A Boolean value that indicates whether a subscriber polls, possibly with a pause.
    var polls = false
    /// The time at which the entry is polled or removed.
    var due: Duration?
    /// A Boolean value that indicates whether the coordinator is about to remove the entry.
    var isBeingRemoved = false
    /// A Boolean value that indicates whether an action of the app is removing the entry.
    var isRemovedByApp = false
    /// The number of the failure of the last request, or `nil` if the last request has not failed.
    var failure: UInt64?
    /// A Boolean value that indicates whether the network became available during the request, so
    /// that the request is repeated if it fails.
    var isRepeatedAfterFailure = false
    /// A Boolean value that indicates whether the updates of the entry were started.
    var receivesUpdates = false
  }

  private var watches: [QueryKey: Watch] = [:]
  /// The number of entries that have a request, or need one.
  private var unsettled = 0
  private var deadlines = DeadlineQueue<QueryKey>()
  /// The entries that were invalidated and not fetched since, in the order of their invalidation.
  private var invalidated: [QueryKey] = []
  private var activity = AppActivityState()
  private var lastSubscriber: UInt64 = 0
  private var lastFailure: UInt64 = 0
  private let timing: InvalidationTiming

  init(_ timing: InvalidationTiming = .whenIdle) {
    self.timing = timing
  }

  /// The earliest time at which an entry is polled or removed, or `nil` if there is none.
  var nextDeadline: Duration? { deadlines.first }

  /// The number of deadlines, including deadlines that no longer apply.
  var countOfDeadlines: Int { deadlines.count }

  /// Returns a Boolean value that indicates whether the updates of an entry have begun.
  func receivesUpdates(_ key: QueryKey) -> Bool { watches[key]?.receivesUpdates ?? false }

  /// Returns the number of subscribers of a query.
  func subscribers(of key: QueryKey) -> Int { watches[key]?.subscribers.count ?? 0 }

  /// Returns a Boolean value that indicates whether the newest known version of an entry has no
  /// request, and needs none.
  func isSettled(_ key: QueryKey) -> Bool { unsettled == 0 || watches[key]?.isUnsettled != true }

  /// The entries that the cache has, as far as the rules know.
  var knownEntries: [QueryKey] { watches.filter { $0.value.facts != nil }.map(\.key) }

  // MARK: - Subscribers

  /// Adds a subscriber, and returns its number and the steps to perform.
  ///
  /// If the condition of the subscriber is met, the coordinator fetches the query before it
  /// performs the steps.
  mutating func subscribed(
    to key: QueryKey, _ options: QueryOptions, at now: Duration
  ) -> (number: UInt64, steps: [Step]) {
    lastSubscriber += 1
    var watch = watches[key] ?? Watch()
    watch.subscribers[lastSubscriber] = options
    watch.unusedSince = nil
    let steps = watch.beginsUpdates(ifNew: false) ? [Step.startUpdates(key)] : []
    update(&watch, at: now)
    store(watch, for: key)
    return (lastSubscriber, steps)
  }

  /// Removes a subscriber, and returns what to do if it was the last subscriber.
  mutating func unsubscribed(_ subscriber: UInt64, from key: QueryKey, at now: Duration) -> [Step] {
    guard var watch = watches[key], watch.subscribers.removeValue(forKey: subscriber) != nil else {
      return []
    }
    if watch.subscribers.isEmpty { watch.unusedSince = now }
    update(&watch, at: now)
    store(watch, for: key)
    return passed(now)
  }

  // MARK: - Entries

  /// Records the facts about an entry that has changed.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - facts: The facts, or `nil` if the cache has no entry.
  ///   - now: The current time.
  mutating func changed(_ key: QueryKey, to facts: Facts?, at now: Duration) -> [Step] {
    var steps: [Step] = []
    var watch = watches[key] ?? Watch()
    if let old = watch.facts, old.incarnation != facts?.incarnation {
      steps = gone(key, watch, isReplaced: facts != nil)
      watch = watches[key] ?? Watch()
    }
    guard let facts else { return steps }
    let old = watch.facts
    watch.facts = facts
    // A request can begin and end between two versions.
    let hasEnded = !facts.isFetching && (old?.isFetching != false || facts.lastEnd != old?.lastEnd)
    if hasEnded {
      watch.pollsSince = now
      if watch.subscribers.isEmpty { watch.unusedSince = now }
      let isRepeated = watch.isRepeatedAfterFailure && facts.hasFailed && !watch.subscribers.isEmpty
      watch.isRepeatedAfterFailure = false
      if isRepeated { steps.append(.fetch(key, .ifNeeded)) }
    } else if old?.isFetching == false, facts.isFetching, watch.subscribers.isEmpty {
      // The lifetime begins when the request ends.
      watch.unusedSince = nil
    }
    if !facts.hasFailed {
      watch.failure = nil
    } else if hasEnded {
      lastFailure += 1
      watch.failure = lastFailure
    }
    let isReleased = old?.isContained == true && !facts.isContained
    if isReleased, !facts.isFetching, watch.subscribers.isEmpty { watch.unusedSince = now }
    // An earlier state can restore the last invalidation.
    let isInvalidated = facts.invalidation != old?.invalidation || old?.awaitsRefetch == false
    if facts.awaitsRefetch, isReleased || isInvalidated { invalidated.append(key) }
    if let id = facts.lostRequest { steps.append(.forget(RunningRequest(key: key, id: id))) }
    // The result of an entry is lost if the edit that created it was removed.
    let hasLostResult = old?.hasResult == true && !facts.hasResult && !facts.hasFailed
    if facts.lostRequest != nil || hasLostResult && !facts.isFetching, !watch.subscribers.isEmpty {
      steps.append(.fetch(key, .ifNeeded))
    }
    if watch.beginsUpdates(ifNew: old?.hasResult != true) { steps.append(.startUpdates(key)) }
    update(&watch, at: now)
    store(watch, for: key)
    steps.add(passed(now))
    return steps
  }

  /// Records that an action removes entries, or all entries if the parameter is `nil`.
  ///
  /// The rules do not fetch these entries again. If an entry with subscribers disappears for
  /// another reason, for example because an action restored an earlier state, the entry is fetched
  /// again.
  mutating func willRemove(_ keys: [QueryKey]?) {
    for key in keys ?? knownEntries where watches[key]?.facts != nil { watches[key]?.isRemovedByApp = true }
  }

  /// Returns what to do after the end of a request that prevented another request of its query.
  ///
  /// If an action restored an earlier state without the request, the answer was dropped, and the
  /// query still has to be fetched.
  mutating func endedRequest(of key: QueryKey, isIdle: Bool) -> [Step] {
    guard let watch = watches[key], !watch.subscribers.isEmpty else { return [] }
    guard let facts = watch.facts else { return [.fetch(key, .ifNeeded)] }
    if facts.isFetching { return [] }
    if facts.awaitsRefetch {
      invalidated.append(key)
      return settleInvalidated(isIdle: isIdle)
    }
    return facts.hasResult || facts.hasFailed ? [] : [.fetch(key, .ifNeeded)]
  }

  /// Records that an entry was removed.
  ///
  /// - Parameter isReplaced: A Boolean value that indicates whether the cache already has a new
  ///   entry of the query.
  private mutating func gone(_ key: QueryKey, _ watch: Watch, isReplaced: Bool) -> [Step] {
    let rest = Watch(subscribers: watch.subscribers, pollsSince: watch.pollsSince, polls: watch.polls)
    store(rest, for: key)
    // A subscriber that was added while the entry was being removed needs the entry.
    let isLost = watch.isBeingRemoved || !watch.isRemovedByApp
    let isWanted = isLost && !watch.subscribers.isEmpty && !isReplaced
    return (watch.receivesUpdates ? [.stopUpdates(key)] : [])
      + (isWanted ? [.fetch(key, .ifNeeded)] : [])
  }

  /// Records that a middleware dropped the action that removes an entry.
  ///
  /// The entry is removed after another lifetime without subscribers. An entry without a lifetime
  /// is removed after the next event.
  mutating func removalWasDropped(of key: QueryKey, _ incarnation: UInt64, at now: Duration) {
    guard var watch = watches[key], let facts = watch.facts, facts.incarnation == incarnation,
      watch.isBeingRemoved
    else { return }
    watch.isBeingRemoved = false
    if watch.subscribers.isEmpty, facts.lifetime != .zero {
      watch.unusedSince = now
      update(&watch, at: now)
    }
    store(watch, for: key)
  }

  /// Returns what to do about invalidated entries.
  ///
  /// - Parameter isIdle: A Boolean value that indicates whether no request of a query or a
  ///   mutation is running.
  mutating func settleInvalidated(isIdle: Bool) -> [Step] {
    guard !invalidated.isEmpty, isIdle || timing == .immediately else { return [] }
    var (steps, waiting) = ([Step](), [QueryKey]())
    // An entry that was fetched for another reason, and invalidated again, occurs twice.
    var known = Set<QueryKey>()
    for key in invalidated where known.insert(key).inserted {
      guard var watch = watches[key], let facts = watch.facts, facts.awaitsRefetch else { continue }
      if facts.isFetching {
        waiting.append(key)
      } else if watch.subscribers.isEmpty {
        // The lifetime of the entry can end at the same time.
        guard !watch.isBeingRemoved, !facts.isContained else { continue }
        watch.isBeingRemoved = true
        watch.due = nil
        watches[key] = watch
        steps.append(.remove(key))
      } else {
        steps.append(.fetch(key, .ifNeeded))
      }
    }
    invalidated = waiting
    return steps
  }

  /// Returns the requests of all queries that have subscribers, after the cache was emptied.
  func cacheWasReset() -> [Step] {
    observed.map { .fetch($0.key, .ifNeeded) }
  }

  /// The queries that have subscribers, in the order of their oldest subscribers.
  private var observed: [(key: QueryKey, watch: Watch)] {
    watches.filter { !$0.value.subscribers.isEmpty }
      .sorted { $0.value.firstSubscriber < $1.value.firstSubscriber }
      .map { ($0.key, $0.value) }
  }

  // MARK: - Time and activity

  /// Returns what to do at the deadlines that have passed.
  mutating func passed(_ now: Duration) -> [Step] {
    var steps: [Step] = []
    while let due = deadlines.first, due <= now {
      guard let key = deadlines.removeFirst(), var watch = watches[key], watch.due == due else { continue }
      if watch.subscribers.isEmpty {
        watch.due = nil
        watch.isBeingRemoved = true
        steps.append(.remove(key))
      } else {
        // If the request does not begin, for example because a middleware drops it, the next
        // interval begins now.
        watch.pollsSince = now
        update(&watch, at: now)
        steps.append(.fetch(key, .always))
      }
      store(watch, for: key)
    }
    return steps
  }

  /// Records that the app or the network has changed.
  mutating func changed(to new: AppActivityState, at now: Duration) -> [Step] {
    let old = activity
    guard new != old else { return [] }
    activity = new
    // The counts show changes within a batch. A restored state has lower counts.
    let isFocused = new.isFocused && new.focusCount > old.focusCount
    let isOnline = new.isOnline && new.onlineCount > old.onlineCount
    var steps = isOnline ? retries() : []
    for (key, watch) in observed {
      var watch = watch
      let isWanted = watch.subscribers.values.contains { options in
        options.refetchesOnFocus && isFocused || options.refetchesOnReconnect && isOnline
      }
      if isWanted, !steps.contains(.fetch(key, .ifNeeded)) { steps.append(.fetch(key, .always)) }
      // A paused poll that is due resumes with this request.
      if isWanted { watch.pollsSince = now }
      if isOnline, watch.facts?.isFetching == true { watch.isRepeatedAfterFailure = true }
      update(&watch, at: now)
      store(watch, for: key)
    }
    return steps + passed(now)
  }

  /// Returns the requests of the queries that have failed and have subscribers, in the order in
  /// which they failed.
  private func retries() -> [Step] {
    observed.filter { $0.watch.failure != nil && $0.watch.facts?.isFetching == false }
      .sorted { ($0.watch.failure ?? 0) < ($1.watch.failure ?? 0) }
      .map { .fetch($0.key, .ifNeeded) }
  }

  // MARK: - Deadlines

  /// Computes the time at which an entry is polled or removed.
  private func update(_ watch: inout Watch, at now: Duration) {
    let (polls, interval) = polling(for: watch)
    if !watch.polls, polls { watch.pollsSince = max(watch.pollsSince, now) }
    watch.polls = polls
    guard let facts = watch.facts else { return watch.due = nil }
    if watch.subscribers.isEmpty {
      watch.due =
        watch.isBeingRemoved || facts.isContained
        ? nil
        : facts.lifetime.flatMap { lifetime in
          watch.unusedSince.map { $0 + lifetime }
        }
    } else {
      watch.due = facts.isFetching ? nil : interval.map { watch.pollsSince + $0 }
    }
  }

  /// Returns whether a subscriber polls, and the lowest interval of subscribers that do not pause.
  private func polling(for watch: Watch) -> (polls: Bool, interval: Duration?) {
    var (polls, lowest) = (false, Duration?.none)
    for options in watch.subscribers.values {
      guard let interval = options.pollingInterval, interval > .zero else { continue }
      polls = true
      let isPaused = options.pausesPollingInBackground && !activity.isFocused
      if !isPaused { lowest = min(lowest ?? interval, interval) }
    }
    return (polls, lowest)
  }

  private mutating func store(_ watch: Watch, for key: QueryKey) {
    guard watch.facts != nil || !watch.subscribers.isEmpty else {
      if watches.removeValue(forKey: key)?.isUnsettled == true { unsettled -= 1 }
      return
    }
    let old = watches.updateValue(watch, forKey: key)
    unsettled += (watch.isUnsettled ? 1 : 0) - (old?.isUnsettled == true ? 1 : 0)
    guard let due = watch.due, old?.due != due else { return }
    deadlines.insert(key, at: due)
    // Deadlines that no longer apply remain in the queue.
    if deadlines.count > 2 * watches.count + 16 {
      deadlines = DeadlineQueue()
      for (key, watch) in watches { if let due = watch.due { deadlines.insert(key, at: due) } }
    }
  }
}

extension QuerySubscriptions.Watch {
  /// A Boolean value that indicates whether the entry has a request, or needs one.
  fileprivate var isUnsettled: Bool { facts?.isFetching == true || facts?.awaitsRefetch == true }

  /// The number of the oldest subscriber, by which steps are ordered.
  fileprivate var firstSubscriber: UInt64 { subscribers.keys.min() ?? 0 }

  /// Decides whether the updates of the entry begin now, and records that they have begun.
  ///
  /// If other entries contain the result as an entity, the updates begin with the first
  /// subscriber.
  ///
  /// - Parameter isNew: A Boolean value that indicates whether the entry had no result before.
  /// - Returns: A Boolean value that indicates whether the updates begin now.
  fileprivate mutating func beginsUpdates(ifNew isNew: Bool) -> Bool {
    guard let facts, facts.hasResult, !receivesUpdates else { return false }
    receivesUpdates = !subscribers.isEmpty || isNew && !facts.isContained
    return receivesUpdates
  }
}
