import FluxCollections
public import FluxCore
public import Observation
import Synchronization

/// A subscriber of a query of any type, whose query can change.
///
/// The class is not generic. Only the closure that receives the entries knows the type of the
/// result.
@usableFromInline
final class QuerySubscriber: Sendable {
  private struct Contents: Sendable {
    var options: QueryOptions
    var rules = SubscriberRules<SubscriberTokens>()
    /// A Boolean value that indicates whether the closure has not received the entries yet.
    var hasNews = false
    var isDelivering = false
    /// The closure that receives the entries, or `nil` after the subscriber or the store has
    /// ended.
    var receive: (@Sendable (ShownEntries) -> Void)?
  }

  private let contents: Locked<Contents>
  private let registrar = ObservationRegistrar()
  /// A Boolean value that indicates whether the Observation framework has read the entries.
  private let isTracked = Atomic<Bool>(false)
  private let context: ActionContext

  @usableFromInline
  init(
    of key: QueryKey?, in context: ActionContext, _ options: QueryOptions,
    _ receive: @escaping @Sendable (ShownEntries) -> Void
  ) {
    self.context = context
    contents = Locked(Contents(options: options, receive: receive))
    context.queryCoordinator.add(self)
    observe(key)
  }

  /// The entries that the closure received last, or is about to receive.
  @usableFromInline var shown: ShownEntries {
    isTracked.store(true, ordering: .relaxed)
    registrar.access(self, keyPath: \.shown)
    return contents.withLock { $0.rules.shown }
  }

  /// The identity of the current query, or `nil`.
  var key: QueryKey? { contents.withLock { $0.rules.key } }

  /// Ends the subscription.
  @usableFromInline
  func cancel() {
    context.queryCoordinator.remove(self)
    end()
  }

  /// Releases the closure and the subscriptions, because the subscriber or the store has ended.
  func end() {
    let (tokens, receive) = contents.withLock { contents in
      contents.hasNews = false
      return (contents.rules.cancel(), contents.receive.take())
    }
    tokens?.cancel()
    withExtendedLifetime(receive) {}
  }

  /// Subscribes to another query, and then unsubscribes from the previous query.
  @usableFromInline
  func observe(_ key: QueryKey?) {
    let (turn, options) = contents.withLock { ($0.rules.changeQuery(to: key), $0.options) }
    subscribe(to: key, options, in: turn)
  }

  /// The options of the subscription.
  ///
  /// If only another property than the condition changes, the query is not fetched.
  var options: QueryOptions {
    get { contents.withLock { $0.options } }
    set {
      var options = newValue
      let (key, turn) = contents.withLock { contents -> (QueryKey?, Int?) in
        guard contents.options != newValue else { return (nil, nil) }
        if contents.options.condition == newValue.condition { options.condition = .never }
        contents.options = newValue
        return (contents.rules.key, contents.rules.renewSubscription())
      }
      subscribe(to: key, options, in: turn)
    }
  }

  private func subscribe(to key: QueryKey?, _ options: QueryOptions, in turn: Int?) {
    guard let turn else { return }
    let new = tokens(of: key, options, in: turn)
    contents.withLock { $0.rules.keep(new, in: turn) }?.cancel()
  }

  private func tokens(of key: QueryKey?, _ options: QueryOptions, in turn: Int) -> SubscriberTokens? {
    guard let key else {
      show(nil, in: turn)
      return nil
    }
    let coordinator = context.queryCoordinator
    guard let entries = coordinator.entries else {
      show(QueryEntry(withoutCache: key, context), in: turn)
      return nil
    }
    let subscription = coordinator.subscribe(to: key, options)
    let observation = entries.subscribe(to: key) { [weak self] entry in self?.show(entry, in: turn) }
    return SubscriberTokens(subscription: subscription, observation: observation)
  }

  /// Calls the closure with an entry, unless the query has changed.
  ///
  /// If another call is in progress, that call is followed by a call with the newest entry.
  private func show(_ entry: QueryEntry?, in turn: Int) {
    // The previous entries are released outside the lock.
    let (delivers, old) = contents.withLock { contents in
      guard let (old, isNews) = contents.rules.show(entry, in: turn) else {
        return (false, ShownEntries?.none)
      }
      guard isNews else { return (false, old) }
      contents.hasNews = true
      defer { contents.isDelivering = true }
      return (!contents.isDelivering, old)
    }
    withExtendedLifetime(old) {}
    guard delivers else { return }
    while let (next, receive) = nextEntries() {
      if isTracked.load(ordering: .relaxed) {
        registrar.willSet(self, keyPath: \.shown)
        registrar.didSet(self, keyPath: \.shown)
      }
      receive(next)
    }
  }

  private func nextEntries() -> (ShownEntries, @Sendable (ShownEntries) -> Void)? {
    contents.withLock { contents in
      guard contents.hasNews, let receive = contents.receive else {
        contents.isDelivering = false
        return nil
      }
      contents.hasNews = false
      return (contents.rules.shown, receive)
    }
  }

  // MARK: - Fetching

  /// Fetches the query again, unless a request of the query is running.
  func refetch() {
    if let key = activeKey { context.queryCoordinator.refetch(key) }
  }

  /// Fetches the query again, and waits until no request of the query is running.
  func refresh() async {
    if let key = activeKey { await context.refresh(key) }
  }

  /// Fetches a page at a side of the result, if the server has one and no request is running.
  func fetchPage(_ direction: PageDirection) {
    if let key = activeKey { context.queryCoordinator.fetchPage(direction, of: key) }
  }

  private var activeKey: QueryKey? { contents.withLock { $0.rules.activeKey } }
}

extension QuerySubscriber: Observable {}
