public import FluxCore

/// Something that a listener threw, with where, and for which action.
public struct ListenerFailure: Error, Sendable {
  /// The parts of a listener that can fail.
  public enum Origin: Hashable, Sendable {
    /// The effect.
    case effect
    /// The predicate of a listener, or that of a wait.
    case predicate
  }

  /// What was thrown; never a ``ListenerError`` nor a `CancellationError`.
  public let error: any Error
  /// The action that the listener was told of.
  public let action: any Action
  /// Which part threw it.
  public let origin: Origin
  /// Whether the run had been cancelled before, of which the error may be a consequence.
  ///
  /// Cancelling a run cancels its task, and what the effect waits for may answer with an error of its own.
  public let wasCancelled: Bool
}

extension ListenerFailure: CustomStringConvertible {
  /// Which part failed, for which action, and with what.
  public var description: String {
    "the \(origin) of a listener failed for \(type(of: action))\(wasCancelled ? " after it was cancelled" : ""): \(error)"
  }
}
