import FluxCore

/// The rules of a subscriber whose query can change: which entries it shows, and which tokens it
/// keeps.
///
/// The value has no lock and no closure. Each method is one event. A subscriber changes its query
/// in two steps: ``changeQuery(to:)`` begins a turn, and ``keep(_:in:)`` receives the tokens when
/// the subscriber has subscribed. Other turns can begin between the two steps, on another thread
/// or in code that a request calls. The number of the turn shows which calls are late.
struct SubscriberRules<Tokens> {
  /// The identity of the current query, or `nil` if the subscriber is paused.
  private(set) var key: QueryKey?
  private(set) var shown = ShownEntries()
  private(set) var isCancelled = false
  /// The number of the current turn.
  private var turn = 0
  /// The tokens of the last query to which the subscriber has subscribed.
  private var tokens: Tokens?
  /// A Boolean value that indicates whether an entry of the current query was shown.
  private var hasShown = false
  /// A Boolean value that indicates whether the next entry is the first entry of another
  /// subscription to a query whose entry was already shown.
  private var isRenewed = false

  /// The identity of the current query, or `nil` if there is none or the subscriber was canceled.
  var activeKey: QueryKey? { isCancelled ? nil : key }

  /// Begins a turn with a query, or without a query.
  ///
  /// The tokens of the previous query are kept until the subscriber has subscribed.
  ///
  /// - Returns: The number of the turn, or `nil` if the subscriber was canceled.
  mutating func changeQuery(to new: QueryKey?) -> Int? {
    guard !isCancelled else { return nil }
    shown.queryChanged()
    key = new
    (hasShown, isRenewed) = (false, false)
    return beginTurn()
  }

  /// Begins a turn with another subscription to the same query.
  ///
  /// - Returns: The number of the turn, or `nil` if the subscriber was canceled.
  mutating func renewSubscription() -> Int? {
    guard !isCancelled else { return nil }
    isRenewed = hasShown
    return beginTurn()
  }

  private mutating func beginTurn() -> Int {
    turn += 1
    return turn
  }

  /// Shows an entry that the cache contains before the subscriber has subscribed to the query.
  mutating func expect(_ entry: QueryEntry?) {
    shown.expect(entry)
  }

  /// Keeps the tokens of the query of a turn, or no tokens if the turn has no query.
  ///
  /// - Returns: The tokens to cancel: the tokens of the previous query, or the new tokens if the
  ///   turn is not the current turn.
  mutating func keep(_ new: Tokens?, in turn: Int) -> Tokens? {
    guard isCurrent(turn) else { return new }
    let old = tokens
    tokens = new
    return old
  }

  /// Shows an entry of the query of a turn.
  ///
  /// - Returns: The entries that were shown before, which the caller releases outside a lock, and a
  ///   Boolean value that indicates whether the closure of the subscriber is called. If the turn is
  ///   not the current turn, the method returns `nil`.
  mutating func show(_ entry: QueryEntry?, in turn: Int) -> (old: ShownEntries, isNews: Bool)? {
    guard isCurrent(turn) else { return nil }
    let old = shown
    shown.show(entry)
    // A new subscription to the same query first receives an entry that was already shown.
    let isNews = !isRenewed || !shown.looksLike(old)
    (hasShown, isRenewed) = (true, false)
    return (old, isNews)
  }

  /// Returns a Boolean value that indicates whether a turn is the current turn of a subscriber
  /// that was not canceled.
  func isCurrent(_ turn: Int) -> Bool { turn == self.turn && !isCancelled }

  /// Ends the subscriber, and returns the tokens to cancel.
  mutating func cancel() -> Tokens? {
    isCancelled = true
    return tokens.take()
  }
}

extension SubscriberRules: Sendable where Tokens: Sendable {}

/// The tokens of a subscription to a query and of an observer of its entry.
struct SubscriberTokens: Sendable {
  let subscription: SubscriptionToken
  let observation: SubscriptionToken

  func cancel() {
    subscription.cancel()
    observation.cancel()
  }
}
