import FluxCore
public import Observation

/// A subscriber of a query on the main actor, whose query can change.
///
/// ```swift
/// let observer = store.observe(FilmByID(id: 7), onMain: { [unowned self] film in
///   titleLabel.text = film.data?.title
/// })
/// ```
///
/// The observer keeps the entry of its query in the cache. Releasing the observer, or calling
/// ``cancel()``, ends the subscription.
///
/// The rules for subscriptions on the main actor apply: the closure does not have to be `Sendable`,
/// and is called only for the newest version, possibly after `dispatch` has returned.
///
/// The observer is `Observable`, so a SwiftUI view that reads ``state`` is updated when the state
/// changes.
@MainActor
public final class MainQueryObserver<Observed: Query> {
  private let subscriber: MainQuerySubscriber

  init(
    _ query: Observed?, in context: ActionContext, _ options: QueryOptions,
    _ receive: @escaping @MainActor (QueryState<Observed.Value>) -> Void
  ) {
    subscriber = MainQuerySubscriber(in: context, options) { receive(QueryState($0)) }
    subscriber.observe(query.map { QueryKey($0) })
  }

  /// The observed query, or `nil` if the observer is paused.
  ///
  /// If you assign another query, the observer subscribes to the new query before it unsubscribes
  /// from the old query, and the closure is called with the new state before the assignment
  /// returns. After ``cancel()``, an assignment has no effect.
  public var query: Observed? {
    get { subscriber.key?.query as? Observed }
    set {
      if newValue != query { subscriber.observe(newValue.map { QueryKey($0) }) }
    }
  }

  /// The options of the observer as a subscriber of the query.
  ///
  /// If you assign other options, they apply to the current query and to later queries. The current
  /// query is not fetched, unless the condition has changed and is met. The closure is not called
  /// unless a request begins.
  public var options: QueryOptions {
    get { subscriber.options }
    set { subscriber.use(newValue) }
  }

  /// The state that the closure received last, or is about to receive.
  public var state: QueryState<Observed.Value> { QueryState(subscriber.shown) }

  /// Fetches the query again, unless a request of the query is running.
  public func refetch() {
    subscriber.refetch()
  }

  /// Fetches the query again, and waits until no request of the query is running.
  ///
  /// If a request of the query is already running, the method waits for that request. If the task
  /// is canceled, the method stops waiting.
  public func refresh() async {
    await subscriber.refresh()
  }

  /// Ends the subscription, and releases the closure.
  ///
  /// Afterward, the other methods have no effect.
  public func cancel() {
    subscriber.cancel()
  }
}

extension MainQueryObserver where Observed: InfiniteQuery {
  /// Fetches the page after the last page, unless the last page is the end or a request of the
  /// query is running.
  public func fetchNextPage() {
    subscriber.fetchPage(.next)
  }

  /// Fetches the page before the first page, unless the first page is the beginning or a request of
  /// the query is running.
  public func fetchPreviousPage() {
    subscriber.fetchPage(.previous)
  }
}

extension MainQueryObserver: Observable {}
