public import FluxCore

/// An action that applies to a store as a whole, whatever the type of its state.
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
  /// The plug-in ``FluxCore/Plugin/storeActions`` reduces the action in the same serial order
  /// as all other actions. After the plug-in, the store's reducer receives the action with the
  /// new state. Without the plug-in, the action has no effect, and the development checks
  /// report the missing plug-in.
  case reset(state: State)
}

extension StoreAction: CustomStringConvertible {
  /// A description that omits the state, because a log shows the changes to the state.
  public var description: String {
    switch self {
    case .prepare: "StoreAction.prepare"
    case .reset: "StoreAction.reset"
    }
  }
}

extension Plugin {
  /// A plug-in that replaces the state when the store reduces ``StoreAction/reset(state:)``.
  ///
  /// Place the plug-in after every plug-in that must observe a reset like any other action. For
  /// example, a history can undo a reset only if the history precedes this plug-in. For all
  /// other actions, the plug-in performs only one comparison.
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

  /// Dispatches ``StoreAction/reset(state:)``, which requires the plug-in
  /// ``FluxCore/Plugin/storeActions``.
  public func reset(to state: State) {
    dispatch(StoreAction<State>.reset(state: state))
  }
}

/// An action that a plug-in of this module reduces, so that the store's reducer does not have
/// to handle it.
protocol PluginAction: Action {
  /// Returns a Boolean value that indicates whether an action that did not change the state was
  /// nevertheless handled.
  ///
  /// - Parameter after: The state after the reduction.
  func isDone(after: some Any) -> Bool
}

extension RestoreSaved: PluginAction {
  func isDone(after: some Any) -> Bool { true }
}

extension StoreAction: PluginAction {
  func isDone(after: some Any) -> Bool {
    guard case .reset(let new) = self, let after = after as? State else { return true }
    return StateDifference(from: new, to: after).changes.isEmpty
  }
}

// A history records that it has reduced an action.

extension HistoryAction: PluginAction {
  func isDone(after: some Any) -> Bool { false }
}

extension HistoryImport: PluginAction {
  func isDone(after: some Any) -> Bool { false }
}

/// An action that no reducer handles, for use in code that requires an action.
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
