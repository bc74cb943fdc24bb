/// A handle for a started listener, with which to stop the listener.
///
/// ```swift
/// let polling = listeners.start(of: Poll.self) { … }
/// polling.stop(cancellingActive: true)
/// ```
///
/// The handle retains neither the listener nor its ``Listeners``. Releasing the handle does not
/// stop the listener. The handle is safe to use from any thread.
public struct StartedListener<State: Sendable>: Identifiable, Sendable {
  /// The identity of the listener.
  public let id: ListenerID
  private weak var listeners: Listeners<State>?

  init(id: ListenerID, listeners: Listeners<State>) {
    self.id = id
    self.listeners = listeners
  }

  /// A Boolean value that indicates whether the listener is listening.
  public var isListening: Bool { listeners?.isListening(id) ?? false }

  /// Stops the listener, as ``Listeners/stop(_:cancellingActive:)`` does.
  ///
  /// - Parameter cancellingActive: A Boolean value that indicates whether to cancel the runs of
  ///   the listener.
  /// - Returns: A Boolean value that indicates whether there was a listener to stop.
  @discardableResult
  public func stop(cancellingActive: Bool = false) -> Bool {
    listeners?.stop(id, cancellingActive: cancellingActive) ?? false
  }
}
