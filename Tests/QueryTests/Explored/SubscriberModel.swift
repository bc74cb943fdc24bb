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
      subscribesAfterEnd
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
  /// The query whose result the subscriber has to show.
  private var data: Int?

  init(_ mistake: Mistake? = nil) {
    self.mistake = mistake
  }

  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    switch event {
    case .change(let query): begin(rules.changeQuery(to: query.map(Self.key)), query)
    case .renew: begin(rules.renewSubscription(), current?.query)
    case .cancel:
      guard !isCancelled else { return false }
      isCancelled = true
      subscribed = nil
      end(rules.cancel())
    case .showInOldest(let hasValue):
      guard let turn = open.first else { return false }
      show(turn, hasValue)
    case .showInNewest(let hasValue):
      guard open.count > 1, let turn = open.last else { return false }
      show(turn, hasValue)
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

  private mutating func begin(_ number: Int?, _ query: Int?) {
    guard let number else { return }
    let turn = Turn(number: number, query: query)
    (current, open) = (turn, open + [turn])
    if mistake == .unsubscribesBeforeSubscribing { living = [] }
  }

  private mutating func show(_ turn: Turn, _ hasValue: Bool) {
    var entry = turn.query.map { QueryEntry(id: Self.key($0)) }
    if hasValue { entry?.contents.value.show(turn.query) }
    let isCurrent = turn.number == current?.number && !isCancelled
    _ = rules.show(entry, in: mistake == .showsLateEntries ? current?.number ?? 0 : turn.number)
    if isCurrent, hasValue { data = turn.query ?? data }
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
