public import FluxCore
public import Observation

/// A store whose state is observed property by property.
///
/// ```swift
/// let store = ObservableStore(Store(reducer: appReducer, state: AppState()))
///
/// show(store.filter)
/// show(store[\.settings.theme])
/// store.dispatch(SetFilter(.open))
/// ```
///
/// Code that reads a property inside `withObservationTracking`, or in the body of a SwiftUI
/// view, is notified only when that property has changed. The expression determines which
/// property is observed: `store.settings.theme` observes all of the settings, and
/// `store[\.settings.theme]` observes only the theme. A property that is not `Equatable` counts
/// as changed with each delivery.
///
/// All readers read the same copy of the state that was last delivered on the main actor. The
/// copy does not change until the next delivery. When a dispatch through ``dispatch`` returns,
/// the state is up to date. A delivery compares only the properties that were read since they
/// last changed, and compares each property once, regardless of the number of readers.
///
/// An observable store that is created with a store retains that store. An observable store
/// that is created with a proxy does not keep the store alive. After the store is released, the
/// state keeps its last value.
@MainActor @dynamicMemberLookup
public final class ObservableStore<State: Sendable> {
  private let registrar = ObservationRegistrar()
  private let proxy: StoreProxy<State>
  /// The store; `nil` if this object was created with a proxy.
  private let store: (any Sendable)?
  private var newest: State
  /// The number of times that `newest` has changed.
  private var generation = 0
  private var properties: [PartialKeyPath<State>: ObservedProperty<State>] = [:]
  private var token: SubscriptionToken?

  /// Creates an observable store that retains a store.
  public convenience init(_ store: Store<State>) where State: FluxState {
    self.init(store.proxy, state: store.state, keeping: store)
  }

  /// Creates an observable store for a proxy, or returns `nil` if the store was released.
  public convenience init?(_ proxy: StoreProxy<State>) {
    guard let state = proxy.state else { return nil }
    self.init(proxy, state: state, keeping: nil)
  }

  private init(_ proxy: StoreProxy<State>, state: State, keeping store: (any Sendable)?) {
    self.proxy = proxy
    self.store = store
    newest = state
    token = proxy.subscribe(onMain: { [weak self] state in self?.show(state) })
  }

  // MARK: - The state

  /// The whole state that was last delivered.
  ///
  /// This property counts as changed with each delivery.
  public var state: State {
    registrar.access(self, keyPath: \.state)
    return newest
  }

  /// A property of the state, which counts as changed when its new value is not equal to the
  /// previous value.
  public subscript<Value: Equatable>(dynamicMember property: KeyPath<State, Value>) -> Value {
    self[property]
  }

  /// A property of the state, which counts as changed with each delivery because its values
  /// cannot be compared.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember property: KeyPath<State, Value>) -> Value {
    self[property]
  }

  /// The value at a key path of the state, which counts as changed when it is not equal to the
  /// previous value.
  public subscript<Value: Equatable>(_ path: KeyPath<State, Value>) -> Value {
    observe(path) { old, new in old[keyPath: path] != new[keyPath: path] }
    return newest[keyPath: path]
  }

  /// The value at a key path of the state, which counts as changed with each delivery because
  /// the value cannot be compared.
  @_disfavoredOverload
  public subscript<Value>(_ path: KeyPath<State, Value>) -> Value {
    observe(path) { _, _ in true }
    return newest[keyPath: path]
  }

  // MARK: - Actions

  /// The dispatcher that sends actions to the store.
  ///
  /// When a dispatch returns, this object contains the newest state.
  public var dispatch: ActionDispatcher {
    ActionDispatcher(proxy).then { [weak self, proxy] in
      if let state = proxy.state { self?.show(state) }
    }
  }

  /// Returns a binding that sets a property of the state by dispatching a ``BindingAction``.
  ///
  /// - Parameter field: The key path of the property.
  /// - Returns: A binding to the value, whose setter dispatches the action.
  public func binding<Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<State, Value> & Sendable
  ) -> ActionBinding<Value> {
    binding(field) { BindingAction(field, $0) }
  }

  /// Returns a binding to a property of the state.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - makeAction: A closure that returns the action for a new value, or `nil` to dispatch
  ///     nothing.
  /// - Returns: A binding to the value, whose setter dispatches the action.
  public func binding<Value: Equatable>(
    _ property: KeyPath<State, Value>, dispatch makeAction: @escaping (Value) -> (any Action)?
  ) -> ActionBinding<Value> {
    ActionBinding(
      self[property], areEqual: { $0 == $1 }, newest: { self[property] },
      send: { value in makeAction(value).map { self.dispatch($0) } })
  }

  // MARK: - Changes

  private func observe(
    _ path: PartialKeyPath<State>, hasChanged: @escaping (_ old: State, _ new: State) -> Bool
  ) {
    let property = properties[path] ?? ObservedProperty(hasChanged)
    properties[path] = property
    property.access()
  }

  private func show(_ state: State) {
    let changed = properties.filter { $0.value.hasChanged(newest, state) }
    // A changed property is observed again when it is read again.
    for path in changed.keys { properties[path] = nil }
    registrar.willSet(self, keyPath: \.state)
    let before = generation
    for property in changed.values { property.willChange() }
    // If a notified observer has dispatched an action, `newest` already contains a newer state.
    if generation == before {
      generation += 1
      newest = state
    }
    for property in changed.values { property.didChange() }
    registrar.didSet(self, keyPath: \.state)
  }
}

extension ObservableStore: Observable {}

/// A property of the state of an ``ObservableStore``, observed from its first read until its
/// next change.
@MainActor
final class ObservedProperty<State> {
  private let registrar = ObservationRegistrar()
  /// The closure that returns whether the property differs between two states.
  let hasChanged: (_ old: State, _ new: State) -> Bool

  init(_ hasChanged: @escaping (_ old: State, _ new: State) -> Bool) {
    self.hasChanged = hasChanged
  }

  func access() {
    registrar.access(self, keyPath: \.hasChanged)
  }

  func willChange() {
    registrar.willSet(self, keyPath: \.hasChanged)
  }

  func didChange() {
    registrar.didSet(self, keyPath: \.hasChanged)
  }
}

extension ObservedProperty: Observable {}
