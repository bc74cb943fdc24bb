public import FluxCore
public import Observation

/// What a view shows of a state: props, mapped from it, that change only when they have to.
///
/// ```swift
/// let connection = Connection(to: store) { state in state.todos[id: "123"]?.title }
/// show(connection.props)
///
/// let form = Connection(to: store) { state, binder in
///   LoginProps(
///     email: binder.bind(state.email) { SetEmail($0) },
///     onSubmit: binder.bind(Submit()))
/// }
/// ```
///
/// **Hearing of changes.** Whoever reads ``props`` inside `withObservationTracking`, or in the body of a SwiftUI view,
/// hears when they have changed: once for each delivery at most, on the main actor, and not at all while they are equal.
///
/// **Dispatching.** What ``dispatch`` sends, and what bindings of the props send, is in ``props`` before the call returns.
///
/// **The mapping** runs on the main actor, outside any lock, with the newest state. It may run before a view around this
/// one has heard that there is nothing to show any more, so let it return `nil` for what is not there, and not trap.
/// What it takes from elsewhere than the state is external: ``refresh()`` after that has changed.
///
/// It keeps no store alive, and nobody keeps it: dropping it ends it. Once the store has gone the props stay as they were.
@MainActor
public final class Connection<Props> {
  private let registrar = ObservationRegistrar()
  private let comparison: PropsComparison<Props>
  /// Maps the state as it is now; `nil` if there is none.
  private let mapNow: (ActionBinder) -> Mapped?
  private let history = BindingHistory()
  private var source = ActionDispatcher()
  private var token: SubscriptionToken?

  /// What the mapping made: props, or the answer that there are none.
  private struct Mapped {
    let props: Props?
  }

  private var shown: Mapped?
  /// How often that has changed.
  private var generation = 0
  /// Whether the mapping has to run before the props are read.
  private var isStale = true
  /// Whether a delivery has changed the props since a view last drew them.
  private var isDueToDelivery = false
  /// Whether a run of the mapping for a delivery has read something observable.
  ///
  /// A view observes what the mapping reads only if the mapping runs while the view is drawn.
  private var readsObservable = false

  /// Connects to a state by a mapping that may bind actions.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy of a part of one.
  ///   - comparison: Which props show the same.
  ///   - map: Makes the props of a state and of bindings to actions; `nil` if there is nothing to show.
  public convenience init<State>(
    to source: some StateSource<State>, comparing comparison: PropsComparison<Props>,
    map: @escaping @MainActor (State, ActionBinder) -> Props?
  ) {
    let proxy = source._proxy
    self.init(to: proxy, dispatchingBy: ActionDispatcher(proxy), comparing: comparison, map: map)
  }

  /// Connects to a state, whose store receives actions by a dispatcher.
  init<State>(
    to proxy: StoreProxy<State>, dispatchingBy dispatcher: ActionDispatcher,
    comparing comparison: PropsComparison<Props>, map: @escaping @MainActor (State, ActionBinder) -> Props?
  ) {
    self.comparison = comparison
    mapNow = { binder in proxy.state.map { Mapped(props: map($0, binder)) } }
    dispatch = dispatcher
    token = proxy.subscribe(initial: false, onMain: { [weak self] _ in self?.hear() })
    if comparison.areEqual != nil { update(telling: false) }
  }

  /// Connects to a state by a mapping to props that are equal or not.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy of a part of one.
  ///   - map: Makes the props of a state and of bindings to actions; `nil` if there is nothing to show.
  public convenience init<State>(
    to source: some StateSource<State>, map: @escaping @MainActor (State, ActionBinder) -> Props?
  ) where Props: Equatable {
    self.init(to: source, comparing: .equality, map: map)
  }

  /// Connects to a state by a mapping to props that are equal or not.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy of a part of one.
  ///   - map: Makes the props of a state; `nil` if there is nothing to show.
  public convenience init<State>(
    to source: some StateSource<State>, map: @escaping @MainActor (State) -> Props?
  ) where Props: Equatable {
    self.init(to: source, comparing: .equality) { state, _ in map(state) }
  }

  /// Connects to a state by a mapping that never changes, with the external values that it holds.
  public convenience init<Mapping: PropsMapping>(
    to source: some StateSource<Mapping.Superstate>, mapping: Mapping
  ) where Mapping.Props == Props {
    self.init(to: source, comparing: Mapping.comparison) { state, binder in
      mapping._props(of: state, binder: binder)
    }
  }

  // MARK: - Props and actions

  /// What there is to show; `nil` if the mapping says that there is nothing, or if there never was a state.
  ///
  /// O(1), unless the props are never compared and have not been read since the last delivery: then the mapping runs.
  public var props: Props? {
    registrar.access(self, keyPath: \.props)
    if isStale { update(telling: false) }
    return shown?.props
  }

  /// Sends actions to the store; what they change is in ``props`` before the call returns.
  public internal(set) var dispatch: ActionDispatcher {
    get { source }
    set { source = newValue.then { [weak self] in self?.hear() } }
  }

  /// Runs the mapping again, for values that it takes from elsewhere than the state.
  public func refresh() {
    update(telling: true)
  }

  /// Hears no more of the store; the props stay as they are.
  public func cancel() {
    token = nil
  }

  // MARK: - Changes

  /// There is a newer state.
  private func hear() {
    guard token != nil else { return }
    guard comparison.areEqual == nil else { return update(telling: true, isDelivery: true) }
    isStale = true
    tell {}
  }

  /// Brings the props up to date for a view that is drawn now.
  ///
  /// - Parameter isSameMapping: Whether the mapping has the same external values, and the same
  ///   stores, as when the view was last drawn. If so, the props of the last delivery need not be
  ///   made again.
  func prepareToShow(isSameMapping: Bool) {
    if !isSameMapping || !isDueToDelivery || readsObservable { update(telling: false) }
    isDueToDelivery = false
  }

  /// Runs the mapping, and shows what it made unless that shows the same.
  private func update(telling: Bool, isDelivery: Bool = false) {
    let run = BindingRun(of: history)
    let binder = ActionBinder(dispatch: dispatch, run: run)
    guard let mapped = isDelivery ? mapForDelivery(binder) : mapNow(binder) else { return }
    if let shown, !isStale, areEqual(shown, mapped) { return history.adopt(run) }
    let show = {
      self.generation += 1
      self.shown = mapped
      self.isStale = false
      self.isDueToDelivery = isDelivery
      self.history.newest = run
    }
    guard telling else { return show() }
    tell { [before = generation] in
      // Who was told may have dispatched, and then what is shown is newer already.
      if generation == before { show() }
    }
  }

  /// Runs the mapping outside the drawing of a view, and finds out whether it reads something
  /// observable.
  private func mapForDelivery(_ binder: ActionBinder) -> Mapped? {
    guard !readsObservable else { return mapNow(binder) }
    var hasRead = false
    // The second argument is an autoclosure, which is evaluated only if something was read.
    let mapped = withObservationTracking({ mapNow(binder) }, onChange: Self.noChange(&hasRead))
    readsObservable = hasRead
    return mapped
  }

  private static func noChange(_ hasRead: inout Bool) -> @Sendable () -> Void {
    hasRead = true
    return {}
  }

  private func areEqual(_ old: Mapped, _ new: Mapped) -> Bool {
    switch (old.props, new.props) {
    case (nil, nil): true
    case (let old?, let new?): comparison.areEqual?(old, new) ?? false
    case (nil, _?), (_?, nil): false
    }
  }

  private func tell(_ change: () -> Void) {
    registrar.willSet(self, keyPath: \.props)
    change()
    registrar.didSet(self, keyPath: \.props)
  }
}

extension Connection: Observable {}
