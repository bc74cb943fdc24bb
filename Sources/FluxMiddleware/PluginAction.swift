import FluxCore

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
