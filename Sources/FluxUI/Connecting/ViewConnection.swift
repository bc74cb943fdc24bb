import FluxCore

/// The connection of a view that is made anew again and again, as views are, with other external values each time.
///
/// ```swift
/// let connection = ViewConnection<TodoTitle>()
///
/// // Each time that the view is drawn:
/// let props = connection.props(of: TodoTitle(id: id), in: stores)
/// ```
///
/// Keep it where the view keeps what outlives it. It connects when the props are first asked for, connects again when
/// another store is provided, and ends when it is dropped.
@MainActor
public final class ViewConnection<Mapping: PropsMapping> {
  private var mapping: Mapping?
  private var connection: Connection<Mapping.Props>?
  private var identity: (any AnyObject & Sendable)?

  /// Creates a connection to nothing yet.
  public init() {}

  /// The props as they are now for a mapping, which is kept for the deliveries to come.
  ///
  /// The mapping runs once. Whoever asks inside `withObservationTracking` hears when the props have changed, and is not
  /// told of what this call changes. Stops the program if no store for the mapping is provided.
  ///
  /// - Parameters:
  ///   - mapping: How the state becomes props, with the external values of now.
  ///   - stores: What the view is provided with.
  /// - Returns: The props; `nil` if there is nothing to show.
  public func props(of mapping: Mapping, in stores: ProvidedStores) -> Mapping.Props? {
    self.mapping = mapping
    let (store, identity) = stores.find(Mapping.Superstate.self)
    if let connection, self.identity === identity {
      connection.dispatch = ActionDispatcher(store)
      connection.update(telling: false)
      return connection.props
    }
    let connection = Connection(to: store, comparing: Mapping.comparison) { [weak self] state, binder in
      self?.mapping?._props(of: state, binder: binder)
    }
    self.connection = connection
    self.identity = identity
    return connection.props
  }

  /// Sends actions to the store that the props come from; to nobody until they have been asked for.
  public var dispatch: ActionDispatcher { connection?.dispatch ?? ActionDispatcher() }
}
