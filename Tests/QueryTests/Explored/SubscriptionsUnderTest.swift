@testable import FluxQuery

/// A mistake in one event of the rules for subscribers, which an exploration must find.
enum SubscriptionMistake: CaseIterable, Sendable {
  case removesAtOnce
  case removesTooEarly
  case neverRemoves
  case beginsLifetimeWithRequest
  case pollsTooEarly
  case pollsDuringRequests
  case neverPolls
  case ignoresFocus
  case fetchesInvalidatedDuringRequests
  case forgetsInvalidated
  case fetchesTwice
  case removesSubscribed
  case fetchesUnsubscribed
  case keepsSubscribers
  case forgetsLostRequests
  /// A subscriber that is added while its entry is being removed is left without an entry.
  case forgetsNewSubscribers
  /// An entry that an action has removed counts as lost.
  case restoresRemovedEntries
  case ignoresReplacements
  case removesEntities
  case keepsReleasedEntities
  /// Every entry counts as an entry without a request.
  case settlesEntries
}

/// The rules for subscribers, with at most one planted mistake.
struct SubscriptionsUnderTest {
  typealias Step = QuerySubscriptions.Step

  private var rules: QuerySubscriptions
  private let mistake: SubscriptionMistake?

  init(_ timing: InvalidationTiming, _ mistake: SubscriptionMistake?) {
    rules = QuerySubscriptions(timing)
    self.mistake = mistake
  }

  var nextDeadline: Duration? {
    mistake == .removesTooEarly ? rules.nextDeadline.map { $0 - .seconds(1) } : rules.nextDeadline
  }

  /// A Boolean value that indicates whether an entry with subscribers is fetched after its
  /// removal.
  var fetchesAfterRemoval: Bool { mistake != .forgetsNewSubscribers }

  func subscribers(of key: QueryKey) -> Int { rules.subscribers(of: key) }

  /// Returns a Boolean value that indicates whether the rules know if an entry has or needs a
  /// request.
  func knowsThatEntry(of key: QueryKey, isSettled: Bool) -> Bool {
    switch mistake {
    case .settlesEntries: isSettled
    // These mistakes change what the rules know.
    case .beginsLifetimeWithRequest, .pollsDuringRequests: true
    default: rules.isSettled(key) == isSettled
    }
  }

  mutating func subscribed(
    to key: QueryKey, _ options: QueryOptions, at now: Duration
  ) -> (number: UInt64, steps: [Step]) {
    var options = options
    if mistake == .pollsTooEarly, options.pollingInterval != nil { options.pollingInterval = .seconds(1) }
    return rules.subscribed(to: key, options, at: now)
  }

  mutating func unsubscribed(_ subscriber: UInt64, from key: QueryKey, at now: Duration) -> [Step] {
    if mistake == .keepsSubscribers { return [] }
    let steps = rules.unsubscribed(subscriber, from: key, at: now)
    let isLast = mistake == .removesAtOnce && rules.subscribers(of: key) == 0
    return isLast && rules.knownEntries.contains(key) ? [.remove(key)] : steps
  }

  mutating func changed(_ key: QueryKey, to facts: QuerySubscriptions.Facts?, at now: Duration) -> [Step] {
    var facts = facts
    let isFetching = facts?.isFetching == true
    switch mistake {
    case .beginsLifetimeWithRequest where isFetching && rules.subscribers(of: key) == 0,
      .pollsDuringRequests where isFetching && rules.subscribers(of: key) > 0:
      facts?.isFetching = false
    case .forgetsLostRequests: facts?.lostRequest = nil
    case .ignoresReplacements: facts?.incarnation = 0
    case .removesEntities: facts?.isContained = false
    case .keepsReleasedEntities where rules.knownEntries.contains(key): facts?.isContained = true
    default: break
    }
    let steps = rules.changed(key, to: facts, at: now)
    if mistake == .forgetsNewSubscribers, facts == nil {
      return steps.filter { if case .fetch = $0 { false } else { true } }
    }
    return spoiled(steps)
  }

  mutating func settleInvalidated(isIdle: Bool) -> [Step] {
    switch mistake {
    case .fetchesInvalidatedDuringRequests: return rules.settleInvalidated(isIdle: true)
    case .forgetsInvalidated:
      _ = rules.settleInvalidated(isIdle: isIdle)
      return []
    case .removesSubscribed, .fetchesUnsubscribed:
      return rules.settleInvalidated(isIdle: isIdle).map { step in
        switch (mistake, step) {
        case (.removesSubscribed, .fetch(let key, _)): .remove(key)
        case (.fetchesUnsubscribed, .remove(let key)): .fetch(key, .ifNeeded)
        default: step
        }
      }
    default: return spoiled(rules.settleInvalidated(isIdle: isIdle))
    }
  }

  mutating func willRemove(_ keys: [QueryKey]?) {
    if mistake != .restoresRemovedEntries { rules.willRemove(keys) }
  }

  func cacheWasReset() -> [Step] { rules.cacheWasReset() }

  mutating func passed(_ now: Duration) -> [Step] {
    let early = rules.passed(
      mistake == .removesTooEarly ? now + .seconds(1) : now)
    return early.filter { step in
      switch (mistake, step) {
      case (.neverPolls, .fetch), (.neverRemoves, .remove): false
      default: true
      }
    }
  }

  mutating func changed(to activity: AppActivityState, at now: Duration) -> [Step] {
    mistake == .ignoresFocus ? [] : rules.changed(to: activity, at: now)
  }

  private func spoiled(_ steps: [Step]) -> [Step] {
    mistake == .fetchesTwice ? steps + steps : steps
  }
}
