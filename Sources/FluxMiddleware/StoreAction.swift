public import FluxCore

/// An action that is for the store as a whole, whatever its state.
///
/// ```swift
/// let store = Store(reducer: appReducer, plugins: [.storeActions], state: AppState())
/// store.prepare()
/// store.reset(to: AppState())
/// ```
///
/// The idea is SwiftDux's.
public enum StoreAction<State: Sendable>: Action {
  /// Tells middleware and reducers that the store is about to be used, for those that have something to do then.
  ///
  /// It is sent when somebody sends it, never by itself.
  case prepare
  /// Puts another state in place of the one that is there.
  ///
  /// It is reduced in order with all other actions, by ``FluxCore/Plugin/storeActions``, before the store's reducer
  /// sees it with the new state. A store without that plug-in does nothing about it, which the development checks
  /// report.
  case reset(state: State)
}

extension StoreAction: CustomStringConvertible {
  /// The action without the state, which a log shows by what it changed.
  public var description: String {
    switch self {
    case .prepare: "StoreAction.prepare"
    case .reset: "StoreAction.reset"
    }
  }
}

extension Plugin {
  /// Lets a ``StoreAction`` reset the state.
  ///
  /// Put it behind the plug-ins that are to see a reset as any other action, such as a history, which can then undo
  /// it. To any other action it adds a comparison.
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
  /// Sends ``StoreAction/prepare``.
  public func prepare() {
    dispatch(StoreAction<State>.prepare)
  }

  /// Sends ``StoreAction/reset(state:)``, which needs the plug-in ``FluxCore/Plugin/storeActions``.
  public func reset(to state: State) {
    dispatch(StoreAction<State>.reset(state: state))
  }
}
