import FluxCore

/// An action that a plug-in of this module reduces, so that the store's reducer need not handle it.
protocol PluginAction: Action {
  /// Whether its plug-in was there, as far as the traces that it has left can tell.
  func isDone(_ trace: PluginActionTrace<some Any>) -> Bool
}

/// What can be seen of an action that has changed nothing where it was looked at.
struct PluginActionTrace<State> {
  /// The state afterwards.
  let after: State
  /// Whether a history may have taken the action as its own.
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
