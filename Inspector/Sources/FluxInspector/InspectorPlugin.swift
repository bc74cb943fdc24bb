public import FluxCore
public import FluxMiddleware

/// A plug-in that serves a page on which one sees what a store does, and takes part.
///
/// ```swift
/// let store = Store(reducer: appReducer, plugins: [inspector(port: 8125)], state: AppState())
/// ```
///
/// It is an ``Inspector`` for one store, which says more. The page's address is written to standard error. In a release
/// build it does nothing, unless it is enabled.
///
/// - Parameters:
///   - port: Where it listens, on this machine alone; 0 for a port that is free.
///   - name: What the page calls the store; the type of its state, unless said otherwise.
///   - actions: The actions that can be dispatched by hand.
///   - redaction: What never leaves the program.
///   - isEnabled: Whether there is a page at all.
public func inspector<State: FluxState>(
  port: UInt16 = 0, named name: String? = nil, actions: ActionRegistry = ActionRegistry(),
  redacting redaction: Redaction = .none, isEnabled: Bool = Inspector.isOnByDefault
) -> Plugin<State> {
  Inspector(port: port, isEnabled: isEnabled).plugin(named: name, actions: actions, redacting: redaction)
}

/// A plug-in that serves a page on which one sees what a store does, and takes part, exports and imports.
///
/// As the one for states that are not `Codable`.
///
/// - Parameters:
///   - port: Where it listens, on this machine alone; 0 for a port that is free.
///   - name: What the page calls the store; the type of its state, unless said otherwise.
///   - actions: The actions that can be dispatched by hand, exported and imported.
///   - redaction: What never leaves the program.
///   - isEnabled: Whether there is a page at all.
public func inspector<State: FluxState & Codable>(
  port: UInt16 = 0, named name: String? = nil, actions: ActionRegistry = ActionRegistry(),
  redacting redaction: Redaction = .none, isEnabled: Bool = Inspector.isOnByDefault
) -> Plugin<State> {
  Inspector(port: port, isEnabled: isEnabled).plugin(named: name, actions: actions, redacting: redaction)
}
