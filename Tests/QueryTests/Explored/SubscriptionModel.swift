import FluxAsync
import TestSupport

@testable import FluxQuery

/// An event of the entries of a cache, of their subscribers, or of the app.
enum SubscriptionEvent: Hashable, Sendable {
  enum Kind: CaseIterable, Sendable {
    case plain
    /// Polls every two seconds.
    case polls
    /// Polls every three seconds in the foreground, and fetches again on focus.
    case followsFocus

    var options: QueryOptions {
      switch self {
      case .plain: QueryOptions()
      case .polls: QueryOptions(pollingInterval: .seconds(2))
      case .followsFocus:
        QueryOptions(pollingInterval: .seconds(3), pausesPollingInBackground: true, refetchesOnFocus: true)
      }
    }
  }

  case subscribe(Int, Kind)
  case unsubscribeFirst(Int)
  case unsubscribeLast(Int)
  /// A request starts without a subscriber.
  case prefetch(Int)
  case answer(Int)
  case fail(Int)
  case invalidate(Int)
  /// An action of the app removes the entry.
  case remove(Int)
  /// An action of the app removes the entry, and another action fetches the query, before the
  /// coordinator receives the cache.
  case replace(Int)
  /// An action restores a state without the entry.
  case lose(Int)
  /// An action restores a state in which a request is running that is not running in the store.
  case restoreRequest(Int)
  /// The result of another query contains the result of the query as an entity.
  case contain(Int)
  /// The result of the other query no longer contains the entity.
  case release(Int)
  case reset
  case second
  case changeFocus
  /// A thread performs the first step that the rules have returned, or the last step.
  case performFirst, performLast
}

/// The rules for subscribers, with a cache and an app that follow the steps of the rules.
///
/// The model reports events as a coordinator does, and checks each step when the rules return it.
struct SubscriptionModel: EventModel {
  typealias Step = QuerySubscriptions.Step

  /// A rule that the steps have broken.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  struct Entry {
    var isFetching = false
    var isCurrent = false {
      didSet { hasResult = hasResult || isCurrent }
    }
    var hasResult = false
    var awaitsRefetch = false
    var invalidation: UInt64 = 0
    var lostRequest: RunningRequest?
    /// A Boolean value that indicates whether another entry contains the result.
    var isContained = false
  }

  /// A query, its entry, and its subscribers.
  struct Watched {
    let key: QueryKey
    let lifetime: Duration?
    var entry: Entry?
    /// The number of entries of the query that were removed.
    var incarnation: UInt64 = 0
    var subscribers: [(number: UInt64, kind: SubscriptionEvent.Kind)] = []
    /// The time at which the lifetime without subscribers began, or `nil`.
    var unusedSince: Duration?
    /// The time from which the polling interval is measured.
    var pollsSince = Duration.zero
    /// A Boolean value that indicates whether the rules have decided to remove the entry.
    var isBeingRemoved = false
    /// The number of the entry that receives updates, or `nil`.
    var updatedIncarnation: UInt64?
    /// A Boolean value that indicates whether the entry has to receive updates.
    var needsUpdates = false
    /// A Boolean value that indicates whether the app has removed the entry of the subscribers.
    var isMissing = false

    var isUpdating: Bool { updatedIncarnation != nil }

    var intervals: [Duration] { subscribers.compactMap(\.kind.options.pollingInterval) }
  }

  /// The reason for which the rules return steps.
  enum Occasion {
    case time, focus([QueryKey]), other
  }

  var rules: SubscriptionsUnderTest
  let timing: InvalidationTiming
  /// A Boolean value that indicates whether events can happen before a step is performed.
  let isConcurrent: Bool
  var watched: [Watched]
  var steps: [Step] = []
  var now = Duration.zero
  var activity = AppActivityState()

  init(
    lifetimes: [Duration?], _ timing: InvalidationTiming, isConcurrent: Bool, _ mistake: SubscriptionMistake?
  ) {
    rules = SubscriptionsUnderTest(timing, mistake)
    self.timing = timing
    self.isConcurrent = isConcurrent
    watched = lifetimes.enumerated().map {
      Watched(key: QueryKey(Item(id: $0.offset)), lifetime: $0.element)
    }
  }

  var isIdle: Bool { !watched.contains { $0.entry?.isFetching == true } }

  // MARK: Events

  /// Returns `false` if the event cannot happen now.
  mutating func happen(_ event: SubscriptionEvent) throws(Violation) -> Bool {
    guard try perform(event) else { return false }
    // The coordinator sets its timer after each event.
    while let deadline = rules.nextDeadline, deadline <= now { try decide(rules.passed(now), .time) }
    if steps.isEmpty { try checkQuiet() }
    return true
  }

  private mutating func perform(_ event: SubscriptionEvent) throws(Violation) -> Bool {
    switch event {
    case .subscribe(let index, let kind): return try subscribe(index, kind)
    case .unsubscribeFirst(let index): return try unsubscribe(index, at: 0)
    case .unsubscribeLast(let index):
      // With one subscriber, the event equals another one.
      return watched[index].subscribers.count > 1
        ? try unsubscribe(index, at: watched[index].subscribers.count - 1) : false
    case .prefetch(let index):
      guard watched[index].entry?.isFetching != true else { return false }
      try start(index)
    case .answer(let index), .fail(let index):
      guard watched[index].entry?.isFetching == true else { return false }
      try endRequest(index, succeeds: event == .answer(index))
    case .invalidate(let index):
      guard watched[index].entry?.awaitsRefetch == false else { return false }
      watched[index].entry?.awaitsRefetch = true
      watched[index].entry?.invalidation += 1
      watched[index].entry?.isCurrent = false
      try report([index])
    case .remove(let index):
      guard watched[index].entry != nil else { return false }
      rules.willRemove([watched[index].key])
      removeEntry(index, byApp: true)
      try report([index])
    case .lose(let index):
      guard watched[index].entry?.isContained == false else { return false }
      removeEntry(index, byApp: false)
      try report([index])
    case .replace(let index):
      guard watched[index].entry != nil else { return false }
      removeEntry(index, byApp: false)
      try start(index)
    case .restoreRequest(let index):
      guard watched[index].entry?.isFetching != true else { return false }
      let lost = RunningRequest(key: watched[index].key, id: RequestID(rawValue: 99))
      let isContained = watched[index].entry?.isContained ?? false
      try setEntry(index, Entry(isFetching: true, lostRequest: lost, isContained: isContained))
    case .contain(let index): return try contain(index)
    case .release(let index):
      guard var entry = watched[index].entry, entry.isContained else { return false }
      entry.isContained = false
      if !entry.isFetching, watched[index].subscribers.isEmpty { watched[index].unusedSince = now }
      try setEntry(index, entry)
    case .reset: return try reset()
    case .second: now += .seconds(1)
    case .changeFocus: try changeFocus()
    case .performFirst:
      guard !steps.isEmpty else { return false }
      try perform(steps.removeFirst())
    case .performLast:
      // With one step, the event equals another one.
      guard steps.count > 1 else { return false }
      try perform(steps.removeLast())
    }
    return true
  }

  private mutating func contain(_ index: Int) throws(Violation) -> Bool {
    guard watched[index].entry?.isContained != true else { return false }
    var entry = watched[index].entry ?? Entry()
    entry.isContained = true
    (entry.isCurrent, entry.awaitsRefetch) = (true, false)
    try setEntry(index, entry)
    return true
  }

  private mutating func subscribe(
    _ index: Int, _ kind: SubscriptionEvent.Kind
  ) throws(Violation) -> Bool {
    guard watched[index].subscribers.count < 2 else { return false }
    let polled = !watched[index].intervals.isEmpty
    let (number, steps) = rules.subscribed(to: watched[index].key, kind.options, at: now)
    watched[index].subscribers.append((number, kind))
    watched[index].unusedSince = nil
    watched[index].isMissing = false
    if watched[index].entry?.hasResult == true { watched[index].needsUpdates = true }
    if !polled, !watched[index].intervals.isEmpty {
      watched[index].pollsSince = max(watched[index].pollsSince, now)
    }
    if watched[index].entry.map({ !$0.isFetching && !$0.isCurrent }) ?? true {
      try enqueue([.fetch(watched[index].key, .ifNeeded)])
    }
    try decide(steps, .other)
    return true
  }

  private mutating func unsubscribe(_ index: Int, at position: Int) throws(Violation) -> Bool {
    guard !watched[index].subscribers.isEmpty else { return false }
    let number = watched[index].subscribers.remove(at: position).number
    if watched[index].subscribers.isEmpty {
      watched[index].unusedSince = watched[index].entry == nil ? nil : now
    }
    try decide(rules.unsubscribed(number, from: watched[index].key, at: now), .other)
    return true
  }

  private mutating func endRequest(_ index: Int, succeeds: Bool) throws(Violation) {
    guard var entry = watched[index].entry else { return }
    entry.isFetching = false
    entry.isCurrent = succeeds && !entry.awaitsRefetch
    entry.lostRequest = nil
    try setEntry(index, entry)
  }

  private mutating func reset() throws(Violation) -> Bool {
    guard watched.contains(where: { $0.entry != nil }) else { return false }
    rules.willRemove(nil)
    for index in watched.indices {
      watched[index].entry?.isContained = false
      removeEntry(index, byApp: false)
    }
    try report(Array(watched.indices), wasReset: true)
    return true
  }

  private mutating func changeFocus() throws(Violation) {
    activity.changed(to: activity.isFocused ? .unfocused : .focused)
    let wanted = watched.filter { watched in
      activity.isFocused && watched.subscribers.contains { $0.kind == .followsFocus }
    }
    let order = wanted.sorted { ($0.subscribers[0].number) < ($1.subscribers[0].number) }
    try decide(rules.changed(to: activity, at: now), .focus(order.map(\.key)))
  }

  // MARK: The cache

  mutating func start(_ index: Int) throws(Violation) {
    var entry = watched[index].entry ?? Entry()
    entry.isFetching = true
    entry.awaitsRefetch = false
    try setEntry(index, entry)
  }

  mutating func setEntry(_ index: Int, _ entry: Entry) throws(Violation) {
    let wasFetching = watched[index].entry?.isFetching ?? true
    let isNew = watched[index].entry?.hasResult != true && !entry.isContained
    watched[index].entry = entry
    if entry.hasResult, isNew || !watched[index].subscribers.isEmpty { watched[index].needsUpdates = true }
    if wasFetching, !entry.isFetching {
      watched[index].pollsSince = now
      if watched[index].subscribers.isEmpty { watched[index].unusedSince = now }
    } else if entry.isFetching, watched[index].subscribers.isEmpty {
      watched[index].unusedSince = nil
    }
    try report([index])
  }

  /// Removes an entry, or replaces it with an entry that is out of date if another entry contains
  /// the result.
  mutating func removeEntry(_ index: Int, byApp isByApp: Bool) {
    let isContained = watched[index].entry?.isContained == true
    watched[index].entry = isContained ? Entry(hasResult: true, isContained: true) : nil
    watched[index].needsUpdates = isContained && !watched[index].subscribers.isEmpty
    watched[index].incarnation += 1
    watched[index].unusedSince = nil
    watched[index].isMissing = isByApp && !watched[index].isBeingRemoved
    watched[index].isBeingRemoved = false
  }

  mutating func report(_ indices: [Int], wasReset: Bool = false) throws(Violation) {
    var steps: [Step] = []
    for index in indices {
      steps += rules.changed(watched[index].key, to: facts(index), at: now)
    }
    if wasReset { steps += rules.cacheWasReset() }
    try decide(steps + rules.settleInvalidated(isIdle: isIdle), .other)
  }

  private func facts(_ index: Int) -> QuerySubscriptions.Facts? {
    watched[index].entry.map { entry in
      QuerySubscriptions.Facts(
        incarnation: watched[index].incarnation, isFetching: entry.isFetching,
        lostRequest: entry.lostRequest?.id,
        awaitsRefetch: entry.awaitsRefetch, invalidation: entry.invalidation,
        hasResult: entry.hasResult, isContained: entry.isContained, lifetime: watched[index].lifetime)
    }
  }
}
