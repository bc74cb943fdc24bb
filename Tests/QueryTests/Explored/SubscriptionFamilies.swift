import FluxQuery
import Testing

extension SubscriptionRulesTests {
  /// A family of programs: all orders of some events after a beginning.
  struct Family: Sendable, CustomTestStringConvertible {
    let name: String
    var lifetimes: [Duration?] = [.seconds(2)]
    var timing = InvalidationTiming.whenIdle
    /// A Boolean value that indicates whether events can happen before a step is performed.
    var isConcurrent = false
    var beginning: [SubscriptionEvent] = []
    let events: [SubscriptionEvent]
    /// The number of events after the beginning.
    let length: Int

    var testDescription: String { name }
  }
}

extension SubscriptionRulesTests.Family {
  private static let length = 5

  private static func events(of query: Int) -> [SubscriptionEvent] {
    SubscriptionEvent.Kind.allCases.map { .subscribe(query, $0) } + [
      .unsubscribeFirst(query), .unsubscribeLast(query), .prefetch(query), .answer(query), .fail(query),
      .invalidate(query), .remove(query), .replace(query),
      .lose(query), .restoreRequest(query),
    ]
  }

  private static let common: [SubscriptionEvent] = [.reset, .second, .changeFocus]

  static let all = [
    oneQuery, loaded, polled, withoutLifetime, forever, twoQueries, immediateRefetches, concurrentEvents,
    followedFocus, entity, concurrentEntity,
  ]

  static let followedFocus = Self(
    name: "one query that follows the focus", beginning: [.subscribe(0, .followsFocus), .answer(0)],
    events: [
      .second, .changeFocus, .answer(0), .fail(0), .invalidate(0), .subscribe(0, .polls), .unsubscribeLast(0),
    ], length: length + 1)

  private static let entityEvents: [SubscriptionEvent] = [
    .contain(0), .release(0), .subscribe(0, .plain), .unsubscribeFirst(0), .prefetch(0), .answer(0),
    .invalidate(0), .remove(0), .second,
  ]

  static let entity = Self(
    name: "an entity that another result contains", beginning: [.contain(0)],
    events: entityEvents + [.fail(0), .restoreRequest(0), .reset], length: length)

  static let concurrentEntity = Self(
    name: "an entity, with events before a step is performed", isConcurrent: true,
    beginning: [.prefetch(0), .answer(0)], events: entityEvents + [.performFirst, .performLast],
    length: length + 1)

  static let oneQuery = Self(name: "one query", events: events(of: 0) + common, length: length + 1)

  static let loaded = Self(
    name: "one query that is loaded", beginning: [.prefetch(0), .answer(0)], events: events(of: 0) + common,
    length: length)

  static let polled = Self(
    name: "one query that is polled", beginning: [.subscribe(0, .polls), .answer(0), .second],
    events: events(of: 0) + common, length: length)

  static let withoutLifetime = Self(
    name: "one query without a lifetime", lifetimes: [.zero],
    beginning: [.subscribe(0, .plain), .answer(0)], events: events(of: 0) + common, length: length)

  static let forever = Self(
    name: "one query that is kept forever", lifetimes: [nil], beginning: [.prefetch(0), .answer(0)],
    events: events(of: 0) + common, length: length)

  static let twoQueries = Self(
    name: "two queries", lifetimes: [.seconds(2), .seconds(1)],
    beginning: [.subscribe(0, .plain), .answer(0), .prefetch(1), .answer(1)],
    events: [
      .subscribe(1, .followsFocus), .unsubscribeFirst(0), .unsubscribeFirst(1), .prefetch(0), .prefetch(1),
      .answer(0), .answer(1), .invalidate(0), .invalidate(1), .second, .changeFocus,
    ], length: length + 1)

  static let immediateRefetches = Self(
    name: "two queries that are fetched again immediately", lifetimes: [.seconds(2), .seconds(1)],
    timing: .immediately, beginning: [.subscribe(0, .plain), .answer(0), .prefetch(1), .answer(1)],
    events: [
      .subscribe(1, .plain), .unsubscribeFirst(0), .unsubscribeFirst(1), .prefetch(0), .prefetch(1),
      .answer(0), .answer(1), .invalidate(0), .invalidate(1), .second,
    ], length: length + 1)

  static let concurrentEvents = Self(
    name: "one query, with events before a step is performed", isConcurrent: true,
    beginning: [.prefetch(0), .answer(0)],
    events: [
      .subscribe(0, .plain), .unsubscribeFirst(0), .answer(0), .invalidate(0), .remove(0), .replace(0),
      .lose(0), .second,
      .performFirst, .performLast,
    ], length: length + 2)
}

extension SubscriptionMistake {
  /// The family that reveals the mistake, and the rule that the mistake breaks.
  var symptom: (SubscriptionRulesTests.Family, rule: String) {
    switch self {
    case .removesAtOnce, .removesTooEarly:
      (.twoQueries, "an entry is removed before its lifetime has passed")
    case .neverRemoves: (.loaded, "an entry without subscribers is kept after its lifetime")
    case .ignoresReplacements: (.concurrentEvents, "the updates of an entry have not begun or ended")
    case .beginsLifetimeWithRequest: (.oneQuery, "an entry is removed before its lifetime has passed")
    case .pollsTooEarly: (.polled, "a query is polled before its interval has passed")
    case .pollsDuringRequests: (.polled, "a query is polled during its request")
    case .neverPolls: (.polled, "a query is not polled after its interval has passed")
    case .ignoresFocus:
      (.oneQuery, "on focus, the queries whose subscribers ask for it are not fetched in order")
    case .fetchesInvalidatedDuringRequests:
      (.twoQueries, "an invalidated entry is fetched before the requests have ended")
    case .forgetsInvalidated: (.loaded, "an invalidated entry is neither fetched nor removed")
    case .fetchesTwice: (.polled, "a step is repeated")
    case .removesSubscribed: (.polled, "an entry with subscribers is removed")
    case .fetchesUnsubscribed: (.loaded, "a query without subscribers is fetched")
    case .keepsSubscribers: (.oneQuery, "the number of subscribers is wrong")
    case .forgetsLostRequests: (.loaded, "a lost request is not forgotten")
    case .removesEntities: (.entity, "updates begin without a need")
    case .keepsReleasedEntities: (.entity, "an invalidated entry is neither fetched nor removed")
    case .restoresRemovedEntries: (.oneQuery, "an entry that the app has removed is fetched")
    case .settlesEntries: (.oneQuery, "the rules do not know whether a request is running or needed")
    case .forgetsNewSubscribers: (.concurrentEvents, "a query with subscribers has no entry")
    }
  }
}
