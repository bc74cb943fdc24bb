import FluxCore

/// The connection of a view that is made anew again and again, as views are, with other external values each time.
///
/// ```swift
/// let connection = ViewConnection<TodoList, String>()
///
/// // Each time that the view is drawn:
/// let title = connection.props(of: TodoTitle(id: id), in: stores)
/// ```
///
/// Keep it where the view keeps what outlives it. It connects when the props are first asked for, connects again when
/// another store is provided, and ends when it is dropped.
@MainActor
public final class ViewConnection<State: Sendable, Props> {
  private var map: ((State, ActionBinder) -> Props?)?
  private var connection: Connection<Props>?
  private var identity: (any AnyObject & Sendable)?

  /// Creates a connection to nothing yet.
  public init() {}

  /// The props to draw the view with, for a mapping that is kept for the deliveries to come.
  ///
  /// To be asked when the view is drawn, and only then; ``props`` is for reading in between. The mapping runs once. Whoever
  /// asks inside `withObservationTracking` hears when the props have changed, and is not told of what this call changes.
  /// Stops the program if no store for the mapping is provided.
  ///
  /// - Parameters:
  ///   - mapping: How the state becomes props, with the external values of now.
  ///   - stores: What the view is provided with.
  /// - Returns: The props; `nil` if there is nothing to show.
  public func props<Mapping: PropsMapping>(of mapping: Mapping, in stores: ProvidedStores) -> Props?
  where Mapping.Superstate == State, Mapping.Props == Props {
    props(in: stores, comparing: Mapping.comparison) { state, binder in
      mapping._props(of: state, binder: binder)
    }
  }

  /// The props to draw the view with, for a mapping that is kept for the deliveries to come.
  ///
  /// To be asked when the view is drawn, and only then; ``props`` is for reading in between.
  ///
  /// - Parameters:
  ///   - stores: What the view is provided with.
  ///   - comparison: Which props show the same; that of the first call for a store counts.
  ///   - map: Makes the props of a state and of bindings to actions; `nil` if there is nothing to show.
  /// - Returns: The props; `nil` if there is nothing to show.
  func props(
    in stores: ProvidedStores, comparing comparison: PropsComparison<Props>,
    map: @escaping (State, ActionBinder) -> Props?
  ) -> Props? {
    self.map = map
    if !connect(in: stores, comparing: comparison) { connection?.update(telling: false) }
    return connection?.props
  }

  /// The state itself, for what shows all of it; to be asked at any time, when the view is drawn and in between.
  func state(in stores: ProvidedStores, comparing comparison: PropsComparison<State>) -> State?
  where Props == State {
    map = { state, _ in state }
    _ = connect(in: stores, comparing: comparison)
    return connection?.props
  }

  /// Connects to the store that is provided now; returns whether it was not connected to that before.
  private func connect(in stores: ProvidedStores, comparing comparison: PropsComparison<Props>) -> Bool {
    let store = stores.find(State.self)
    if let connection, identity === store.identity {
      connection.dispatch = store.dispatcher
      return false
    }
    connection = Connection(to: store.proxy, dispatchingBy: store.dispatcher, comparing: comparison) {
      [weak self] state, binder in
      self?.map?(state, binder)
    }
    identity = store.identity
    return true
  }

  /// The props as they are on show; `nil` if they have not been asked for, or if there is nothing to show.
  public var props: Props? { connection?.props }

  /// Sends actions to the store that the props come from; to nobody until they have been asked for.
  public var dispatch: ActionDispatcher { connection?.dispatch ?? ActionDispatcher() }
}
