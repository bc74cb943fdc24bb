import FluxCore

/// A connection for a view whose value is created again, with new external values, each time the
/// view is drawn.
///
/// ```swift
/// let connection = ViewConnection<TodoList, String>()
///
/// // Each time that the view is drawn:
/// let title = connection.props(of: TodoTitle(id: id), in: stores)
/// ```
///
/// Keep the connection in storage that outlives the view value, such as a `@State` property in
/// SwiftUI. The connection connects to a store when the props are first read, and connects
/// again when another store is provided. When the connection is released, it stops observing the
/// store.
@MainActor
public final class ViewConnection<State: Sendable, Props> {
  /// A mapping that contains the external values from one evaluation of a view.
  ///
  /// If two mappings are different objects, their external values can differ.
  final class Mapping {
    let comparison: PropsComparison<Props>
    let map: (State, ActionBinder) -> Props?

    init(_ comparison: PropsComparison<Props>, map: @escaping (State, ActionBinder) -> Props?) {
      self.comparison = comparison
      self.map = map
    }
  }

  private var mapping: Mapping?
  /// The value from which the mapping was created, if the value is `Equatable`.
  private var drawnValue: Any?
  private var stores = ProvidedStores()
  private var connection: Connection<Props>?
  private var identity: (any AnyObject & Sendable)?
  /// The last props of the connected store, for a view that keeps them.
  private var last: Props?

  /// Creates a connection without a store.
  public init() {}

  /// Creates a connection without a store, for a view that shows the whole state.
  ///
  /// The connection contains the comparison, because a closure in the value of a view would make
  /// each value of the view differ from the previous one.
  init(comparingStatesBy comparison: PropsComparison<State>) where Props == State {
    mapping = Mapping(comparison) { state, _ in state }
  }

  /// Returns the props for drawing the view, and keeps the mapping for later deliveries.
  ///
  /// Call this method only while the view is being drawn. To read the props at other times, use
  /// ``props``. Each call of the method runs the mapping once. Code that calls this method
  /// inside `withObservationTracking` is notified of later changes to the props, but not of the
  /// changes that the call itself makes.
  ///
  /// The program stops if stores are provided, but none of the stores has the state that the
  /// mapping requires.
  ///
  /// - Parameters:
  ///   - mapping: The mapping from the state to props, with the current external values.
  ///   - stores: The stores that are provided to the view.
  /// - Returns: The props; `nil` if there is nothing to show, or if no store is provided.
  public func props<Mapping: PropsMapping>(of mapping: Mapping, in stores: ProvidedStores) -> Props?
  where Mapping.Superstate == State, Mapping.Props == Props {
    drawnValue = nil
    return props(in: stores, of: Self.Mapping(Mapping.comparison, map: mapping._props))
  }

  /// Returns the props for drawing the view, with a mapping whose external values can be
  /// compared.
  ///
  /// This method works like the method for mappings that are not `Equatable`, but runs the
  /// mapping less often. The mapping does not run if a delivery has changed the props since the
  /// view was last drawn, and the external values are unchanged. A mapping that reads
  /// observable values runs each time the view is drawn.
  ///
  /// - Parameters:
  ///   - mapping: The mapping from the state to props, with the current external values.
  ///   - stores: The stores that are provided to the view.
  /// - Returns: The props; `nil` if there is nothing to show, or if no store is provided.
  public func props<Mapping: PropsMapping & Equatable>(of mapping: Mapping, in stores: ProvidedStores)
    -> Props?
  where Mapping.Superstate == State, Mapping.Props == Props {
    if let known = self.mapping, let drawn = drawnValue as? Mapping, drawn == mapping {
      return props(in: stores, of: known)
    }
    drawnValue = mapping
    return props(in: stores, of: Self.Mapping(Mapping.comparison, map: mapping._props))
  }

  /// Returns the props for drawing the view, and keeps the mapping for later deliveries.
  ///
  /// The mapping runs at most once. If a delivery causes the view to be drawn again with the
  /// same mapping, the method returns the props from that delivery without running the mapping.
  ///
  /// - Parameters:
  ///   - stores: The stores that are provided to the view.
  ///   - mapping: The mapping. The comparison of the first mapping applies until another store
  ///     is provided.
  ///   - keepsLast: A Boolean value that indicates whether the method returns the last props if the
  ///     mapping returns `nil`.
  /// - Returns: The props; `nil` if there is nothing to show, or if no store is provided.
  func props(in stores: ProvidedStores, of mapping: Mapping, keepingLast keepsLast: Bool = false) -> Props? {
    guard !stores.isEmpty else {
      disconnect()
      return nil
    }
    let isSame = mapping === self.mapping && stores == self.stores
    self.mapping = mapping
    if !connect(in: stores, comparing: mapping.comparison) {
      connection?.prepareToShow(isSameMapping: isSame)
    }
    let props = connection?.props
    if keepsLast, let props { last = props }
    return props ?? (keepsLast ? last : nil)
  }

  /// Returns the state itself, for a view that shows the whole state.
  ///
  /// The view can call this method at any time. The connection must have been created with
  /// ``init(comparingStatesBy:)``.
  func state(in stores: ProvidedStores) -> State? where Props == State {
    guard let mapping else { return nil }
    _ = connect(in: stores, comparing: mapping.comparison)
    return connection?.props
  }

  /// Connects to the currently provided store, and returns whether the connection is new.
  private func connect(in stores: ProvidedStores, comparing comparison: PropsComparison<Props>) -> Bool {
    let store = stores.find(State.self)
    self.stores = stores
    if let connection, identity === store.identity {
      connection.dispatch = store.dispatcher
      return false
    }
    connection = Connection(to: store.proxy, dispatchingBy: store.dispatcher, comparing: comparison) {
      [weak self] state, binder in
      self?.mapping?.map(state, binder)
    }
    identity = store.identity
    last = nil
    return true
  }

  private func disconnect() {
    mapping = nil
    drawnValue = nil
    connection = nil
    identity = nil
    last = nil
    stores = ProvidedStores()
  }

  /// The displayed props; `nil` if the props have not been read yet, or if there is nothing to
  /// show.
  public var props: Props? { connection?.props }

  /// The dispatcher that sends actions to the connected store.
  ///
  /// Dispatching an action stops the program if the props have not been read yet, or if no
  /// store is provided.
  public var dispatch: ActionDispatcher { connection?.dispatch ?? ActionDispatcher() }
}
