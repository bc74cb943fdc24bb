import FluxCore
import FluxQuery

/// The subscriber of a view that shows a query, which exists as long as the view.
///
/// The value of a view is created again, with another query or with other options, while views
/// are updated. At this time, code must not dispatch, so the object only reads the cache. It
/// subscribes to the query, which can dispatch an action, shortly after the views were updated.
/// For the same reason, the subscription ends shortly after the object is released.
@MainActor
final class ViewQuery {
  private var stores = ProvidedStores()
  private var subscriber: MainQuerySubscriber?
  /// The subscribers in stores that are no longer provided.
  private var replaced: [MainQuerySubscriber] = []
  /// A Boolean value that indicates whether the object is about to subscribe.
  private var isWaiting = false

  /// A closure that compares the parts of two states that a view shows.
  typealias PartComparison = @MainActor (_ old: ShownEntries, _ new: ShownEntries) -> Bool

  nonisolated init() {}

  deinit {
    let subscribers = replaced + [subscriber].compactMap(\.self)
    guard !subscribers.isEmpty else { return }
    startDetachedOnMainActor {
      for subscriber in subscribers { subscriber.cancel() }
    }
  }

  /// Returns the subscriber, and stops the program if no provided store has a cache of queries.
  func subscriber(
    of key: QueryKey?, _ options: QueryOptions, _ showsSamePart: PartComparison?, in stores: ProvidedStores
  ) -> MainQuerySubscriber {
    if subscriber == nil { prepare(key, options, showsSamePart, in: stores) }
    guard let subscriber else { Misuse.noQueryCache(in: stores) }
    return subscriber
  }

  /// Shows a query that the cache contains, and subscribes to the query after the views were
  /// updated.
  ///
  /// - Parameter showsSamePart: A closure that compares the parts that the view shows, or `nil` if
  ///   the view shows everything.
  func prepare(
    _ key: QueryKey?, _ options: QueryOptions, _ showsSamePart: PartComparison?, in stores: ProvidedStores
  ) {
    connect(in: stores)
    subscriber?.showsSamePart = showsSamePart
    let hasChanged = subscriber?.prepare(key, options) ?? false
    guard hasChanged || !replaced.isEmpty, !isWaiting else { return }
    isWaiting = true
    startDetachedOnMainActor { [weak self] in self?.subscribe() }
  }

  private func subscribe() {
    isWaiting = false
    subscriber?.subscribe()
    for old in replaced { old.cancel() }
    replaced = []
  }

  /// Creates a subscriber for the provided store, unless the store has not changed.
  private func connect(in stores: ProvidedStores) {
    guard subscriber == nil || stores != self.stores else { return }
    self.stores = stores
    let context = stores.contextOfQueries
    if let subscriber {
      if let context, subscriber.isOfSameStore(as: context) { return }
      replaced.append(subscriber)
    }
    subscriber = context.map { MainQuerySubscriber(in: $0) }
  }
}
