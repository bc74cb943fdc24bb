public import FluxCore

/// An action that starts and stops listeners, for those who can dispatch and know no ``Listeners``.
///
/// ```swift
/// let autosave = Listener<AppState>(of: Edit.self, taking: .latest) { … }
/// store.dispatch(ListenerAction.start(autosave))
/// store.dispatch(ListenerAction<AppState>.stop(autosave.id))
/// ```
///
/// The first plug-in of ``Listeners`` for that type of state takes it out of the chain, and does at once what it says; so
/// no reducer, log or history sees it. Where there is none it goes to the reducer, which will not know it.
public enum ListenerAction<State: Sendable>: Action {
  /// Has a listener listen, as ``Listeners/start(_:)`` does.
  case start(Listener<State>)
  /// Stops a listener, as ``Listeners/stop(_:cancellingActive:)`` does.
  case stop(ListenerID, cancellingActive: Bool = false)
  /// Stops all listeners and cancels what runs, as ``Listeners/clear()`` does.
  case clear
}

extension ListenerAction: CustomStringConvertible {
  /// What is done, without the listener.
  public var description: String {
    switch self {
    case .start: "ListenerAction.start"
    case .stop(_, let cancellingActive): "ListenerAction.stop\(cancellingActive ? "(cancellingActive)" : "")"
    case .clear: "ListenerAction.clear"
    }
  }
}
