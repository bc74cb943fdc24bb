import FluxCollections
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
  private typealias State = QueryState<Observed.Value>

  private struct Contents: Sendable {
    var query: Observed?
    /// The number of assignments to the query, by which late calls are recognized.
    var turn = 0
    /// The tokens of the subscription and of the observer of the entry.
    var tokens: [SubscriptionToken] = []
    /// The last result of the current query or of an earlier query.
    var lastData: Observed.Value?
    var state = State()
    /// The state that the closure has not received yet.
    var undelivered: State?
    var isDelivering = false
    var isCancelled = false
  }

  private let contents = Locked(Contents())
  private let registrar = ObservationRegistrar()
  private let context: ActionContext
  private let options: QueryOptions
  private let receive: @Sendable (QueryState<Observed.Value>) -> Void

  init(
    _ query: Observed?, in context: ActionContext, _ options: QueryOptions,
    _ receive: @escaping @Sendable (QueryState<Observed.Value>) -> Void
  ) {
    self.context = context
    self.options = options
    self.receive = receive
    observe(query)
  }

  /// The observed query, or `nil` if the observer is paused.
  ///
  /// If you assign another query, the observer subscribes to the new query before it unsubscribes
  /// from the old query. The closure is called with the new state before the assignment returns,
  /// unless another thread is calling the closure.
  public var query: Observed? {
    get { contents.withLock { $0.query } }
    set {
      if newValue != query { observe(newValue) }
    }
  }

  /// The state that the closure received last, or is about to receive.
  public var state: QueryState<Observed.Value> {
    registrar.access(self, keyPath: \.state)
    return contents.withLock { $0.state }
  }

  /// Fetches the query again, unless a request of the query is running.
  public func refetch() {
    guard let query else { return }
    EffectScope.withCurrent(nil) { _ = context.queryCoordinator.cache?.dispatch(FetchQuery(query, .always)) }
  }

  /// Ends the subscription.
  public func cancel() {
    let tokens = contents.withLock { contents in
      contents.isCancelled = true
      contents.turn += 1
      contents.undelivered = nil
      return contents.tokens.take()
    }
    for token in tokens { token.cancel() }
  }

  private func observe(_ query: Observed?) {
    let coordinator = context.queryCoordinator
    let (turn, old) = contents.withLock { contents -> (Int?, [SubscriptionToken]) in
      guard !contents.isCancelled else { return (nil, []) }
      contents.query = query
      contents.turn += 1
      return (contents.turn, contents.tokens.take())
    }
    guard let turn else { return }
    defer { for token in old { token.cancel() } }
    guard let query else { return show(State(), turn) }
    guard let entries = coordinator.entries else {
      return show(State(error: QueryFailure(context.hasStoreGone ? .aborted : .noCache)), turn)
    }
    let key = QueryKey(query)
    let subscription = coordinator.subscribe(to: key, options)
    let observation = entries.subscribe(to: key) { [weak self] entry in self?.show(State(entry), turn) }
    let late = contents.withLock { contents in
      guard contents.turn == turn else { return [subscription, observation] }
      contents.tokens = [subscription, observation]
      return []
    }
    for token in late { token.cancel() }
  }

  /// Calls the closure with a state, unless the query has changed.
  ///
  /// If another call is in progress, that call is followed by a call with the newest state.
  private func show(_ state: QueryState<Observed.Value>, _ turn: Int) {
    let delivers = contents.withLock { contents in
      guard contents.turn == turn else { return false }
      if let data = state.currentData { contents.lastData = data }
      var shown = state
      shown.data = contents.lastData
      contents.state = shown
      contents.undelivered = shown
      defer { contents.isDelivering = true }
      return !contents.isDelivering
    }
    guard delivers else { return }
    while let next = nextState() {
      registrar.willSet(self, keyPath: \.state)
      registrar.didSet(self, keyPath: \.state)
      receive(next)
    }
  }

  private func nextState() -> QueryState<Observed.Value>? {
    contents.withLock { contents in
      let next = contents.undelivered.take()
      contents.isDelivering = next != nil
      return next
    }
  }
}

extension QueryObserver: Observable {}

extension Array {
  /// Returns the elements, and leaves an empty array.
  fileprivate mutating func take() -> [Element] {
    let old = self
    self = []
    return old
  }
}
