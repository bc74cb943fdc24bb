import FluxAsync
import FluxCollections
package import FluxCore
import Observation

/// A subscriber of a query of any type on the main actor, whose query can change.
///
/// The class is not generic. Only the closure that receives the entries knows the type of the
/// result.
@MainActor
package final class MainQuerySubscriber {
  private let context: ActionContext
  private let registrar = ObservationRegistrar()
  private(set) var options: QueryOptions
  private var rules = SubscriberRules<SubscriberTokens>()
  /// The turn in which the subscriber has not subscribed yet, and the condition under which it
  /// fetches the query, or `nil` if the subscriber has subscribed.
  private var prepared: (turn: Int, condition: QueryCondition)?
  /// A closure that compares the part of the entries that an observer of ``shown`` reads, or `nil`
  /// if it reads all of the entries.
  package var showsSamePart: (@MainActor (_ old: ShownEntries, _ new: ShownEntries) -> Bool)?
  /// The closure that receives the entries, or `nil` after the subscriber was canceled.
  private var receive: (@MainActor (ShownEntries) -> Void)?

  /// Creates a subscriber without a query.
  package init(
    in context: ActionContext, _ options: QueryOptions = QueryOptions(),
    _ receive: @escaping @MainActor (ShownEntries) -> Void = { _ in }
  ) {
    self.context = context
    self.options = options
    self.receive = receive
  }

  /// The identity of the current query, or `nil`.
  var key: QueryKey? { rules.key }

  /// The entries that the closure received last, or is about to receive.
  package var shown: ShownEntries {
    registrar.access(self, keyPath: \.shown)
    return rules.shown
  }

  /// Returns a Boolean value that indicates whether the subscriber belongs to the store of a
  /// context.
  package func isOfSameStore(as other: ActionContext) -> Bool { context.isOfSameStore(as: other) }

  // MARK: - Subscribing

  /// Subscribes to another query, and then unsubscribes from the previous query.
  func observe(_ key: QueryKey?) {
    prepared = rules.changeQuery(to: key).map { ($0, options.condition) }
    subscribe()
  }

  /// Replaces the options of the subscription.
  ///
  /// If only another property than the condition changes, the query is not fetched.
  func use(_ options: QueryOptions) {
    guard options != self.options else { return }
    let condition = options.condition == self.options.condition ? .never : options.condition
    self.options = options
    prepared = rules.renewSubscription().map { ($0, condition) }
    subscribe()
  }

  /// Shows the entry of a query that the cache contains, and neither dispatches nor notifies an
  /// observer.
  ///
  /// A view calls the method while the view is updated, and calls ``subscribe()`` afterward.
  /// Until then, the subscriber keeps the previous subscription. If ``subscribe()`` is about to
  /// fetch the query, the entry appears as if the request were already running.
  ///
  /// If only the options differ, the query is fetched only if the condition differs and is met.
  ///
  /// - Returns: A Boolean value that indicates whether the query or the options have changed.
  package func prepare(_ key: QueryKey?, _ options: QueryOptions) -> Bool {
    let isSameQuery = key == rules.key
    guard !isSameQuery || options != self.options else { return false }
    // A query whose subscription has not begun was not fetched.
    let isFetched = isSameQuery && options.condition == self.options.condition && prepared == nil
    let condition = isFetched ? .never : options.condition
    self.options = options
    guard let turn = isSameQuery ? rules.renewSubscription() : rules.changeQuery(to: key) else {
      return false
    }
    prepared = (turn, condition)
    rules.expect(key.flatMap { expectedEntry(of: $0, condition) })
    return true
  }

  private func expectedEntry(of key: QueryKey, _ condition: QueryCondition) -> QueryEntry? {
    let coordinator = context.queryCoordinator
    guard let cache = coordinator.cache?.state else { return QueryEntry(withoutCache: key, context) }
    let entry = cache.entries[id: key]
    guard coordinator.isMet(condition, by: key) else { return entry }
    var fetching = entry ?? QueryEntry(id: key)
    fetching.contents.value.began(RequestID(rawValue: 0), for: condition.page)
    return fetching
  }

  /// Subscribes to the query, and then unsubscribes from the previous query.
  ///
  /// If the subscriber has already subscribed, the method has no effect.
  package func subscribe() {
    guard let (turn, condition) = prepared.take() else { return }
    rules.keep(subscribe(in: turn, condition), in: turn)?.cancel()
  }

  private func subscribe(in turn: Int, _ condition: QueryCondition) -> SubscriberTokens? {
    guard let key = rules.key else {
      show(nil, in: turn)
      return nil
    }
    let coordinator = context.queryCoordinator
    guard let entries = coordinator.entries else {
      show(QueryEntry(withoutCache: key, context), in: turn)
      return nil
    }
    var options = options
    options.condition = condition
    let subscription = coordinator.subscribe(to: key, options)
    // The first call receives the version that other observers on the main actor have.
    _ = context.deliverOnMain()
    let observation = entries.subscribe(
      to: key, onMain: { [weak self] entry in self?.show(entry, in: turn) })
    return SubscriberTokens(subscription: subscription, observation: observation)
  }

  private func show(_ entry: QueryEntry?, in turn: Int) {
    guard rules.isCurrent(turn) else { return }
    var new = rules.shown
    new.show(entry)
    let isDifferent = !new.looksLike(rules.shown) && showsSamePart?(rules.shown, new) != true
    if isDifferent { registrar.willSet(self, keyPath: \.shown) }
    // The Observation framework may have called code that changed the query.
    guard let (old, isNews) = rules.show(entry, in: turn), let receive else { return }
    if isDifferent { registrar.didSet(self, keyPath: \.shown) }
    if isNews { receive(rules.shown) }
    withExtendedLifetime(old) {}
  }

  /// Ends the subscription, and releases the closure.
  package func cancel() {
    // The captures of the closure can use the subscriber while they are released.
    let (tokens, receive, showsSamePart) = (rules.cancel(), receive.take(), showsSamePart.take())
    tokens?.cancel()
    withExtendedLifetime((receive, showsSamePart)) {}
  }

  // MARK: - Fetching

  /// Fetches the query again, unless a request of the query is running.
  package func refetch() {
    if let key = rules.activeKey { context.queryCoordinator.refetch(key) }
  }

  /// Fetches the query again, and waits until no request of the query is running.
  package func refresh() async {
    if let key = rules.activeKey { await context.refresh(key) }
  }

  /// Fetches a page at a side of the result, if the server has one and no request is running.
  package func fetchPage(_ direction: PageDirection) {
    if let key = rules.activeKey { context.queryCoordinator.fetchPage(direction, of: key) }
  }
}

extension MainQuerySubscriber: Observable {}
