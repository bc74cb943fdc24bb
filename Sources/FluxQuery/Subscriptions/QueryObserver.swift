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

  /// The state that the closure received last, or is about to receive.
  public var state: QueryState<Observed.Value> { QueryState(subscriber.shown) }

  /// Fetches the query again, unless a request of the query is running.
  public func refetch() {
    subscriber.refetch()
  }

  /// Ends the subscription.
  public func cancel() {
    subscriber.cancel()
  }
}

extension QueryObserver: Observable {}
