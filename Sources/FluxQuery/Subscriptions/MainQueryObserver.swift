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

  /// The state that the closure received last, or is about to receive.
  public var state: QueryState<Observed.Value> { QueryState(subscriber.shown) }

  /// Fetches the query again, unless a request of the query is running.
  public func refetch() {
    subscriber.refetch()
  }

  /// Ends the subscription, and releases the closure.
  public func cancel() {
    subscriber.cancel()
  }
}

extension MainQueryObserver: Observable {}
