import FluxCollections
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
  private let context: ActionContext
  private let options: QueryOptions
  private let registrar = ObservationRegistrar()
  private var key: QueryKey?
  /// The number of assignments to the query, by which late calls are recognized.
  private var turn = 0
  /// The tokens of the subscription and of the observer of the entry.
  private var tokens: (subscription: SubscriptionToken, observation: SubscriptionToken)?
  private var shown = ShownEntries()
  /// The closure that receives the states, or `nil` after the observer was canceled.
  private var receive: (@MainActor (QueryState<Observed.Value>) -> Void)?

  init(
    _ query: Observed?, in context: ActionContext, _ options: QueryOptions,
    _ receive: @escaping @MainActor (QueryState<Observed.Value>) -> Void
  ) {
    self.context = context
    self.options = options
    self.receive = receive
    observe(query.map { QueryKey($0) })
  }

  /// The observed query, or `nil` if the observer is paused.
  ///
  /// If you assign another query, the observer subscribes to the new query before it unsubscribes
  /// from the old query, and the closure is called with the new state before the assignment
  /// returns. After ``cancel()``, an assignment has no effect.
  public var query: Observed? {
    get { key?.query as? Observed }
    set {
      if newValue != query { observe(newValue.map { QueryKey($0) }) }
    }
  }

  /// The state that the closure received last, or is about to receive.
  public var state: QueryState<Observed.Value> {
    registrar.access(self, keyPath: \.state)
    return QueryState(shown.entry, after: shown.previous)
  }

  /// Fetches the query again, unless a request of the query is running.
  public func refetch() {
    guard let key, receive != nil else { return }
    context.queryCoordinator.refetch(key)
  }

  /// Ends the subscription, and releases the closure.
  public func cancel() {
    // The captures of the closure can use the observer while they are released.
    let (tokens, receive) = (tokens.take(), receive.take())
    tokens?.subscription.cancel()
    tokens?.observation.cancel()
    withExtendedLifetime(receive) {}
  }

  private func observe(_ new: QueryKey?) {
    guard receive != nil else { return }
    key = new
    turn += 1
    shown.queryChanged()
    let (turn, old) = (turn, tokens.take())
    defer {
      old?.subscription.cancel()
      old?.observation.cancel()
    }
    guard let new else { return show(nil, turn) }
    let coordinator = context.queryCoordinator
    guard let entries = coordinator.entries else { return show(QueryEntry(withoutCache: new, context), turn) }
    let subscription = coordinator.subscribe(to: new, options)
    // The first call receives the version that other observers on the main actor have.
    _ = context.deliverOnMain()
    let observation = entries.subscribe(
      to: new, onMain: { [weak self] entry in self?.show(entry, turn) })
    // The first call can have changed the query or canceled the observer.
    if self.turn == turn, receive != nil {
      tokens = (subscription, observation)
    } else {
      subscription.cancel()
      observation.cancel()
    }
  }

  private func show(_ entry: QueryEntry?, _ turn: Int) {
    guard self.turn == turn else { return }
    registrar.willSet(self, keyPath: \.state)
    // The Observation framework may have called code that changed the query.
    guard self.turn == turn, let receive else { return }
    let old = shown
    shown.show(entry)
    registrar.didSet(self, keyPath: \.state)
    receive(QueryState(shown.entry, after: shown.previous))
    withExtendedLifetime(old) {}
  }
}

extension MainQueryObserver: Observable {}
