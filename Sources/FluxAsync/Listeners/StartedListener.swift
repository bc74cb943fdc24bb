/// A listener that was started, to stop it by.
///
/// ```swift
/// let polling = listeners.start(of: Poll.self) { … }
/// polling.stop(cancellingActive: true)
/// ```
///
/// It keeps neither the listener nor its ``Listeners``; the listener listens whether or not this is kept. Safe from any
/// thread.
public struct StartedListener<State: Sendable>: Identifiable, Sendable {
  /// What tells the listener from others.
  public let id: ListenerID
  private weak var listeners: Listeners<State>?

  init(id: ListenerID, listeners: Listeners<State>) {
    self.id = id
    self.listeners = listeners
  }

  /// Whether it listens now.
  public var isListening: Bool { listeners?.isListening(id) ?? false }

  /// Stops it, as ``Listeners/stop(_:cancellingActive:)`` does.
  ///
  /// - Parameter cancellingActive: Whether to cancel what runs of it.
  /// - Returns: Whether it was there to be stopped.
  @discardableResult
  public func stop(cancellingActive: Bool = false) -> Bool {
    listeners?.stop(id, cancellingActive: cancellingActive) ?? false
  }
}
