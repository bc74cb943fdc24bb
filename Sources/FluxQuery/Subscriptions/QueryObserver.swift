import FluxCore
public import Observation

/// A subscriber of a query, whose query can change.
///
/// ```swift
/// let observer = store.observe(FilmByID(id: 7)) { film in show(film.data, film.isFetching) }
/// observer.query = FilmByID(id: 8)   // film.data is film 7 until film 8 arrives
/// observer.query = nil               // film.data remains film 8, and nothing is fetched
/// ```
///
/// The observer keeps the entry of its query in the cache. Releasing the observer, or calling
/// ``cancel()``, ends the subscription.
///
/// The rules for subscriptions to a store apply: the closure is called on the delivering thread,
/// outside any lock, with one call at a time. You can use every member from any thread.
///
/// The observer is `Observable`, so a SwiftUI view that reads ``state`` is updated when the state
/// changes.
public final class QueryObserver<Observed: Query>: Sendable {
  private let subscriber: QuerySubscriber

  @usableFromInline
  init(_ subscriber: QuerySubscriber) {
    self.subscriber = subscriber
  }

  deinit {
    subscriber.cancel()
  }

  /// The observed query, or `nil` if the observer is paused.
  ///
  /// If you assign another query, the observer subscribes to the new query before it unsubscribes
  /// from the old query. The closure is called with the new state before the assignment returns,
  /// unless another thread is calling the closure. After ``cancel()``, and after the
  /// store is released, an assignment has no effect.
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
    set { subscriber.options = newValue }
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

  /// Ends the subscription.
  ///
  /// Afterward, the other methods have no effect.
  public func cancel() {
    subscriber.cancel()
  }
}

extension QueryObserver where Observed: InfiniteQuery {
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

extension QueryObserver: Observable {}
