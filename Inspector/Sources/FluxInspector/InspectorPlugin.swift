public import FluxCore
public import FluxMiddleware

/// Returns a plug-in that serves a page that shows a store and controls it.
///
/// ```swift
/// let store = Store(reducer: appReducer, plugins: [inspector(port: 8125)], state: AppState())
/// ```
///
/// The plug-in uses an ``Inspector`` for a single store. The documentation of ``Inspector``
/// describes the details. The page's address is written to standard error. In a release build the
/// plug-in does nothing, unless it is enabled.
///
/// - Parameters:
///   - port: The port on which the server listens, on this machine only; 0 for a free port.
///   - name: The name of the store on the page. By default, the type of its state.
///   - actions: The actions that the page can dispatch.
///   - redaction: The values that never leave the program.
///   - isEnabled: A Boolean value that indicates whether there is a page.
///   - address: A closure that returns the address of the place that a state shows. The page shows
///     it with the state. The redaction does not apply to the address.
public func inspector<State: FluxState>(
  port: UInt16 = 0, named name: String? = nil, actions: ActionRegistry = ActionRegistry(),
  redacting redaction: Redaction = .none, isEnabled: Bool = Inspector.isOnByDefault,
  address: (@Sendable (_ state: State) -> String?)? = nil
) -> Plugin<State> {
  Inspector(port: port, isEnabled: isEnabled)
    .plugin(named: name, actions: actions, redacting: redaction, address: address)
}

/// Returns a plug-in that serves a page that shows a store, controls it, and exports and
/// imports its record.
///
/// This function behaves like the function for states that are not `Codable`, and adds export
/// and import.
///
/// - Parameters:
///   - port: The port on which the server listens, on this machine only; 0 for a free port.
///   - name: The name of the store on the page. By default, the type of its state.
///   - actions: The actions that the page can dispatch, export, and import.
///   - redaction: The values that never leave the program.
///   - isEnabled: A Boolean value that indicates whether there is a page.
///   - address: A closure that returns the address of the place that a state shows. The page shows
///     it with the state. The redaction does not apply to the address.
public func inspector<State: FluxState & Codable>(
  port: UInt16 = 0, named name: String? = nil, actions: ActionRegistry = ActionRegistry(),
  redacting redaction: Redaction = .none, isEnabled: Bool = Inspector.isOnByDefault,
  address: (@Sendable (_ state: State) -> String?)? = nil
) -> Plugin<State> {
  Inspector(port: port, isEnabled: isEnabled)
    .plugin(named: name, actions: actions, redacting: redaction, address: address)
}
