public import FluxCore

/// An action that starts and stops listeners, for code that can dispatch but has no access to
/// ``Listeners``.
///
/// ```swift
/// let autosave = Listener<AppState>(of: Edit.self, taking: .latest) { … }
/// store.dispatch(ListenerAction.start(autosave))
/// store.dispatch(ListenerAction<AppState>.stop(autosave.id))
/// ```
///
/// The first plug-in of ``Listeners`` with the same type of state handles the action
/// immediately, and does not pass it on. No reducer, log, or history receives the action.
/// Without such a plug-in, the action is passed on to the reducer, which can ignore it.
public enum ListenerAction<State: Sendable>: Action {
  /// Starts a listener, as ``Listeners/start(_:)`` does.
  case start(Listener<State>)
  /// Stops a listener, as ``Listeners/stop(_:cancellingActive:)`` does.
  case stop(ListenerID, cancellingActive: Bool = false)
  /// Stops all listeners and cancels their runs, as ``Listeners/clear()`` does.
  case clear
}

extension ListenerAction: CustomStringConvertible {
  /// A description of the operation, without the listener.
  public var description: String {
    switch self {
    case .start: "ListenerAction.start"
    case .stop(_, let cancellingActive): "ListenerAction.stop\(cancellingActive ? "(cancellingActive)" : "")"
    case .clear: "ListenerAction.clear"
    }
  }
}
