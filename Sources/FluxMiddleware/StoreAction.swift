public import FluxCore

/// An action for the store as a whole, regardless of its state.
///
/// ```swift
/// let store = Store(reducer: appReducer, plugins: [.storeActions], state: AppState())
/// store.prepare()
/// store.reset(to: AppState())
/// ```
///
/// The idea is borrowed from SwiftDux.
public enum StoreAction<State: Sendable>: Action {
  /// Notifies middleware and reducers that the store is about to be used.
  ///
  /// The store never dispatches this action by itself.
  case prepare
  /// Replaces the state.
  ///
  /// The plug-in ``FluxCore/Plugin/storeActions`` reduces the action, in order with all other
  /// actions. The store's reducer then receives the action with the new state. Without the
  /// plug-in, the action has no effect, which the development checks report.
  case reset(state: State)
}

extension StoreAction: CustomStringConvertible {
  /// A description without the state, because a log shows the changes of the state.
  public var description: String {
    switch self {
    case .prepare: "StoreAction.prepare"
    case .reset: "StoreAction.reset"
    }
  }
}

extension Plugin {
  /// A plug-in with which a ``StoreAction`` can reset the state.
  ///
  /// Put the plug-in after the plug-ins that must observe a reset like any other action. An
  /// example is a history, which can then undo the reset. For any other action, the plug-in
  /// costs one comparison.
  public static var storeActions: Plugin {
    let storeAction = ActionType(StoreAction<State>.self)
    return Plugin(wrapReducer: { reducer in
      { state, action in
        if storeAction.matches(action), case .reset(let new) = action.knownToBe(StoreAction<State>.self) {
          state = new
        }
        reducer(&state, action)
      }
    })
  }
}

extension Store {
  /// Dispatches ``StoreAction/prepare``.
  public func prepare() {
    dispatch(StoreAction<State>.prepare)
  }

  /// Dispatches ``StoreAction/reset(state:)``, which needs the plug-in
  /// ``FluxCore/Plugin/storeActions``.
  public func reset(to state: State) {
    dispatch(StoreAction<State>.reset(state: state))
  }
}
