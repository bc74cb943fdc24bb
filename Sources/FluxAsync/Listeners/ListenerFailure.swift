public import FluxCore

/// An error that a listener threw, with its origin and the action.
public struct ListenerFailure: Error, Sendable {
  /// A part of a listener that can fail.
  public enum Origin: Hashable, Sendable {
    /// The effect.
    case effect
    /// The predicate of a listener or of a wait.
    case predicate
  }

  /// The error, which is never a ``ListenerError`` or a `CancellationError`.
  public let error: any Error
  /// The action that the listener received.
  public let action: any Action
  /// The part of the listener that threw the error.
  public let origin: Origin
  /// A Boolean value that indicates whether the run had been canceled before the error was
  /// thrown.
  ///
  /// The error can be a consequence of the cancellation: canceling a run cancels its task, and
  /// code in that task can throw an error of another type.
  public let wasCancelled: Bool
}

extension ListenerFailure: CustomStringConvertible {
  /// A description with the origin, the type of the action, and the error.
  public var description: String {
    "the \(origin) of a listener failed for \(type(of: action))\(wasCancelled ? " after it was cancelled" : ""): \(error)"
  }
}
