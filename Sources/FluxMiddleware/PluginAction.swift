import FluxCore

/// An action that a plug-in of this module reduces, so that the store's reducer need not handle it.
protocol PluginAction: Action {
  /// Whether a state shows nothing that its plug-in would have done, had it been there.
  func isDone(in state: Any) -> Bool
}

extension PluginAction {
  func isDone(in _: Any) -> Bool { true }
}

extension HistoryAction: PluginAction {}
extension HistoryImport: PluginAction {}
extension RestoreSaved: PluginAction {}

extension StoreAction: PluginAction {
  func isDone(in state: Any) -> Bool {
    guard case .reset(let new) = self, let state = state as? State else { return true }
    return StateDifference(from: new, to: state).changes.isEmpty
  }
}
