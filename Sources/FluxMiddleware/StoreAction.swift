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

/// An action that a plug-in of this module reduces, so that the store's reducer does not have
/// to handle it.
protocol PluginAction: Action {
  /// Returns whether the plug-in that reduces the action was present, as far as its effects
  /// show.
  func isDone(_ trace: PluginActionTrace<some Any>) -> Bool
}

/// The observable effects of an action that has not changed the state.
struct PluginActionTrace<State> {
  /// The state after the reduction.
  let after: State
  /// A Boolean value that indicates whether a history may have handled the action.
  let mayBeTaken: Bool
}

extension RestoreSaved: PluginAction {
  func isDone(_: PluginActionTrace<some Any>) -> Bool { true }
}

extension StoreAction: PluginAction {
  func isDone(_ trace: PluginActionTrace<some Any>) -> Bool {
    guard case .reset(let new) = self, let after = trace.after as? State else { return true }
    return StateDifference(from: new, to: after).changes.isEmpty
  }
}

extension HistoryAction: PluginAction {
  func isDone(_ trace: PluginActionTrace<some Any>) -> Bool { trace.mayBeTaken }
}

extension HistoryImport: PluginAction {
  func isDone(_ trace: PluginActionTrace<some Any>) -> Bool { trace.mayBeTaken }
}

/// An action that no reducer handles, for a place that requires an action.
///
/// ```swift
/// transformActions { store, action in isNoise(action) ? EmptyAction() : action }
/// ```
///
/// The action passes through the chain and produces a new version of the state. The idea is
/// borrowed from SwiftDux.
public struct EmptyAction: Action, Hashable {
  /// Creates an empty action.
  public init() {}
}
