import FluxCore
import TestSupport

@testable import FluxQuery

/// A subscriber whose turns overlap, as they do on several threads.
///
/// A turn begins with a change of the query, and ends when the subscriber has subscribed. The
/// tokens are numbers: the numbers of their turns.
struct SubscriberModel: EventModel {
  /// A mistake in a subscriber, which the model has to find.
  enum Mistake: CaseIterable, Sendable {
    case unsubscribesBeforeSubscribing, keepsLateTokens, forgetsOldTokens, showsLateEntries,
      subscribesAfterEnd, repeatsEntriesAfterRenewal, dropsEntriesAfterRenewal
  }

  enum Event: Sendable {
    case change(Int?), renew, cancel
    /// The oldest or the newest turn that has not ended receives an entry, or ends.
    case showInOldest(hasValue: Bool), showInNewest(hasValue: Bool), subscribeInOldest, subscribeInNewest
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private struct Turn {
    let number: Int
    let query: Int?
  }

  private let mistake: Mistake?
  private var rules = SubscriberRules<Int>()
  private var open: [Turn] = []
  private var current: Turn?
  private var isCancelled = false
  /// The turn whose tokens the subscriber has to keep.
  private var subscribed: Int?
  /// The turns whose tokens exist.
  private var living: Set<Int> = []
  /// Whether the last entry of the current query had a result, or `nil` if none was shown.
  private var last: Bool?
  /// A Boolean value that indicates whether the next entry is repeated by another subscription.
  private var isRenewed = false
  /// The query whose result the subscriber has to show.
  private var data: Int?

  init(_ mistake: Mistake? = nil) {
    self.mistake = mistake
  }

  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    switch event {
    case .change(let query):
      begin(rules.changeQuery(to: query.map(Self.key)), query)
      (last, isRenewed) = (nil, false)
    case .renew:
      begin(rules.renewSubscription(), current?.query)
      isRenewed = last != nil
    case .cancel:
      guard !isCancelled else { return false }
      isCancelled = true
      subscribed = nil
      end(rules.cancel())
    case .showInOldest(let hasValue):
      guard let turn = open.first else { return false }
      try show(turn, hasValue)
    case .showInNewest(let hasValue):
      guard open.count > 1, let turn = open.last else { return false }
      try show(turn, hasValue)
    case .subscribeInOldest:
      guard !open.isEmpty else { return false }
      subscribe(in: open.removeFirst())
    case .subscribeInNewest:
      guard open.count > 1 else { return false }
      subscribe(in: open.removeLast())
    }
    try check()
    return true
  }

  private static func key(_ id: Int) -> QueryKey { QueryKey(FilmByID(id: id)) }

  /// The entries of two films that have a result.
  private static let results = Dictionary(
    uniqueKeysWithValues: [7, 8].map { film in
      var entry = QueryEntry(id: key(film))
      entry.contents.value.show(film)
      return (film, entry)
    })

  private mutating func begin(_ number: Int?, _ query: Int?) {
    guard let number else { return }
    let turn = Turn(number: number, query: query)
    (current, open) = (turn, open + [turn])
    if mistake == .unsubscribesBeforeSubscribing { living = [] }
  }

  private mutating func show(_ turn: Turn, _ hasValue: Bool) throws(Violation) {
    let entry = turn.query.flatMap { hasValue ? Self.results[$0] : QueryEntry(id: Self.key($0)) }
    let isCurrent = turn.number == current?.number && !isCancelled
    let shown = rules.show(entry, in: mistake == .showsLateEntries ? current?.number ?? 0 : turn.number)
    guard isCurrent else { return }
    if hasValue { data = turn.query ?? data }
    let isNews =
      switch mistake {
      case .repeatsEntriesAfterRenewal: true
      case .dropsEntriesAfterRenewal: !isRenewed
      default: shown?.isNews
      }
    let showsResult = hasValue && turn.query != nil
    if isNews != (!isRenewed || last != showsResult) {
      throw Violation(description: "the closure is \(isNews == true ? "" : "not ")called with an entry")
    }
    (last, isRenewed) = (showsResult, false)
  }

  private mutating func subscribe(in turn: Turn) {
    let tokens = turn.query == nil ? nil : turn.number
    if mistake == .subscribesAfterEnd, isCancelled { return living.formUnion([turn.number]) }
    if let tokens { living.insert(tokens) }
    if turn.number == current?.number, !isCancelled { subscribed = tokens }
    let old = rules.keep(tokens, in: mistake == .keepsLateTokens ? current?.number ?? 0 : turn.number)
    if mistake != .forgetsOldTokens || old == turn.number { end(old) }
  }

  private mutating func end(_ tokens: Int?) {
    if let tokens { living.remove(tokens) }
  }

  private func check() throws(Violation) {
    if living != Set([subscribed].compactMap(\.self)) {
      throw Violation(
        description: "tokens of turns \(living.sorted()) exist, and not of turn \(subscribed ?? 0)")
    }
    let shown = QueryState<Int>(rules.shown).data
    // A second entry of the same query replaces a removed entry, and the data of an earlier query.
    if let shown, shown != data {
      throw Violation(description: "the data of film \(shown) is shown, and not of film \(data ?? 0)")
    }
  }
}
