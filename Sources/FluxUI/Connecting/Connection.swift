public import FluxCore
public import Observation

/// An object that maps a state to the props of a view, and updates the props after deliveries.
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
/// **Observation.** Code that reads ``props`` inside `withObservationTracking`, or in the body
/// of a SwiftUI view, is notified when the props change. The notification is sent on the main
/// actor, at most once for each delivery. While the props stay equal, no notification is sent.
///
/// **Dispatching.** When a dispatch through ``dispatch`` or through a binding in the props
/// returns, ``props`` contains the changes. ``ActionDispatcher`` describes the exception for
/// dispatches inside observers.
///
/// **Mapping.** The mapping runs on the main actor, outside any lock, with the newest state.
/// The mapping can run for a view that an enclosing view is about to remove. If the state no
/// longer contains the value that the view shows, return `nil` instead of trapping. If the
/// mapping uses values from outside the state, call ``refresh()`` after those values have
/// changed.
///
/// A connection stops observing the store when the connection is released. A connection does not
/// keep the store alive. After the store is released, the props keep their last value.
@MainActor
public final class Connection<Props> {
  private let registrar = ObservationRegistrar()
  private let comparison: PropsComparison<Props>
  /// The closure that maps the current state, or returns `nil` if there is no state.
  private let mapNow: (ActionBinder) -> Mapped?
  private let history = BindingHistory()
  private var source = ActionDispatcher()
  private var token: SubscriptionToken?

  /// The result of the mapping.
  ///
  /// The props are `nil` if there is nothing to show.
  private struct Mapped {
    let props: Props?
  }

  private var shown: Mapped?
  /// The number of times that `shown` has changed.
  private var generation = 0
  /// A Boolean value that indicates whether the mapping must run before the props are read.
  private var isStale = true
  /// A Boolean value that indicates whether a delivery has changed the props since the view was
  /// last drawn.
  private var isDueToDelivery = false
  /// A Boolean value that indicates whether the mapping has read an observable value when it ran
  /// for a delivery.
  ///
  /// A view observes the values that the mapping reads only if the mapping runs while the view
  /// is drawn.
  private var readsObservable = false

  /// Creates a connection to a state, with a mapping that can bind actions.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy for a part of its state.
  ///   - comparison: The comparison that determines whether two sets of props are equivalent.
  ///   - map: A closure that returns the props for a state and a binder, or `nil` if there is
  ///     nothing to show.
  public convenience init<State>(
    to source: some StateSource<State>, comparing comparison: PropsComparison<Props>,
    map: @escaping @MainActor (State, ActionBinder) -> Props?
  ) {
    let proxy = source._proxy
    self.init(to: proxy, dispatchingBy: ActionDispatcher(proxy), comparing: comparison, map: map)
  }

  /// Creates a connection to the state of a proxy, with a dispatcher for the actions.
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

  /// Creates a connection to a state, with a mapping that can bind actions to `Equatable`
  /// props.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy for a part of its state.
  ///   - map: A closure that returns the props for a state and a binder, or `nil` if there is
  ///     nothing to show.
  public convenience init<State>(
    to source: some StateSource<State>, map: @escaping @MainActor (State, ActionBinder) -> Props?
  ) where Props: Equatable {
    self.init(to: source, comparing: .equality, map: map)
  }

  /// Creates a connection to a state, with a mapping to `Equatable` props.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy for a part of its state.
  ///   - map: A closure that returns the props for a state, or `nil` if there is nothing to
  ///     show.
  public convenience init<State>(
    to source: some StateSource<State>, map: @escaping @MainActor (State) -> Props?
  ) where Props: Equatable {
    self.init(to: source, comparing: .equality) { state, _ in map(state) }
  }

  /// Creates a connection to a state, with a mapping whose external values never change.
  public convenience init<Mapping: PropsMapping>(
    to source: some StateSource<Mapping.Superstate>, mapping: Mapping
  ) where Mapping.Props == Props {
    self.init(to: source, comparing: Mapping.comparison) { state, binder in
      mapping._props(of: state, binder: binder)
    }
  }

  // MARK: - Props and actions

  /// The current props; `nil` if the mapping returned `nil`, or if the store was released
  /// before the mapping first ran.
  ///
  /// Reading this property is O(1). However, if the props are never compared, the first read
  /// after a delivery runs the mapping.
  public var props: Props? {
    registrar.access(self, keyPath: \.props)
    if isStale { update(telling: false) }
    return shown?.props
  }

  /// The dispatcher that sends actions to the store.
  ///
  /// When a dispatch returns, ``props`` contains the changes.
  public internal(set) var dispatch: ActionDispatcher {
    get { source }
    set { source = newValue.then { [weak self] in self?.hear() } }
  }

  /// Runs the mapping again.
  ///
  /// If the mapping uses values from outside the state, call this method after those values
  /// have changed.
  public func refresh() {
    update(telling: true)
  }

  /// Stops observing the store.
  ///
  /// The props keep their current value.
  public func cancel() {
    token = nil
  }

  // MARK: - Changes

  /// Updates the props after a delivery.
  ///
  /// If the props are never compared, the method marks the props as stale instead.
  private func hear() {
    guard token != nil else { return }
    guard comparison.areEqual == nil else { return update(telling: true, isDelivery: true) }
    isStale = true
    tell {}
  }

  /// Updates the props for a view that is being drawn.
  ///
  /// - Parameter isSameMapping: A Boolean value that indicates whether the mapping has the same
  ///   external values, and the same stores, as when the view was last drawn. If the value is
  ///   `true`, the props of the last delivery are still valid.
  func prepareToShow(isSameMapping: Bool) {
    if !isSameMapping || !isDueToDelivery || readsObservable { update(telling: false) }
    isDueToDelivery = false
  }

  /// Runs the mapping, and replaces the props unless the new props are equivalent to the old
  /// props.
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
      // If a notified observer has dispatched an action, `shown` already contains newer props.
      if generation == before { show() }
    }
  }

  /// Runs the mapping while no view is being drawn, and detects whether the mapping reads an
  /// observable value.
  private func mapForDelivery(_ binder: ActionBinder) -> Mapped? {
    guard !readsObservable else { return mapNow(binder) }
    var hasRead = false
    // The `onChange:` argument is an autoclosure, which is evaluated only if the mapping reads
    // an observable value.
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
