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
/// Whoever reads a property inside `withObservationTracking`, or in the body of a SwiftUI view, hears when that property
/// has changed, and of no other. A property is what was asked for of the state: `store.settings.theme` is all of the
/// settings, `store[\.settings.theme]` just the theme. One that is not `Equatable` may have changed with each delivery.
///
/// What it shows is the state that was last delivered on the main actor, the same for all who read: a copy, which stays
/// until the next. After an action by ``dispatch`` it is up to date before the call returns. A delivery compares the
/// properties that were read since they last changed, each once, however many read it.
///
/// A store given to it lives as long as this at least; a proxy keeps no store alive. Once the store has gone the state stays
/// as it was.
@MainActor @dynamicMemberLookup
public final class ObservableStore<State: Sendable> {
  private let registrar = ObservationRegistrar()
  private let proxy: StoreProxy<State>
  /// The store, if it was given to this.
  private let store: (any Sendable)?
  private var newest: State
  /// How often that has changed.
  private var generation = 0
  private var properties: [PartialKeyPath<State>: ObservedProperty<State>] = [:]
  private var token: SubscriptionToken?

  /// Makes a store observable.
  public convenience init(_ store: Store<State>) where State: FluxState {
    self.init(store.proxy, state: store.state, keeping: store)
  }

  /// Makes a part of a store observable; `nil` if the store has gone.
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

  /// The whole state, as it was last delivered; each delivery counts as a change of it.
  public var state: State {
    registrar.access(self, keyPath: \.state)
    return newest
  }

  /// A property of the state, which changes when it is not equal to what it was.
  public subscript<Value: Equatable>(dynamicMember property: KeyPath<State, Value>) -> Value {
    self[property]
  }

  /// A property of the state, which counts as changed with each delivery, since it cannot be compared.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember property: KeyPath<State, Value>) -> Value {
    self[property]
  }

  /// The value at a key path of the state, which changes when it is not equal to what it was.
  public subscript<Value: Equatable>(_ path: KeyPath<State, Value>) -> Value {
    observe(path) { old, new in old[keyPath: path] != new[keyPath: path] }
    return newest[keyPath: path]
  }

  /// The value at a key path of the state, which counts as changed with each delivery, since it cannot be compared.
  @_disfavoredOverload
  public subscript<Value>(_ path: KeyPath<State, Value>) -> Value {
    observe(path) { _, _ in true }
    return newest[keyPath: path]
  }

  // MARK: - Actions

  /// Sends actions to the store; what they change is seen here before the call returns.
  public var dispatch: ActionDispatcher {
    ActionDispatcher(proxy).then { [weak self, proxy] in
      if let state = proxy.state { self?.show(state) }
    }
  }

  /// A property of the state that is changed by actions, without one of its own: by ``BindingAction``.
  ///
  /// - Parameter field: The key path of the property.
  /// - Returns: The value, whose setter dispatches.
  public func binding<Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<State, Value> & Sendable
  ) -> ActionBinding<Value> {
    binding(field) { BindingAction(field, $0) }
  }

  /// A property of the state that is changed by actions.
  ///
  /// - Parameters:
  ///   - property: The key path of the property.
  ///   - makeAction: Makes the action for another value; `nil` dispatches nothing.
  /// - Returns: The value, whose setter dispatches.
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
    // Whoever wants to hear again, reads again.
    for path in changed.keys { properties[path] = nil }
    registrar.willSet(self, keyPath: \.state)
    let before = generation
    for property in changed.values { property.willChange() }
    // Who was told may have dispatched, and then what is shown is newer already.
    if generation == before {
      generation += 1
      newest = state
    }
    for property in changed.values { property.didChange() }
    registrar.didSet(self, keyPath: \.state)
  }
}

extension ObservableStore: Observable {}
