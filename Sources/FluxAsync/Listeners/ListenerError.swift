public import FluxCore

/// An error that methods of ``ListenerContext`` and ``ForkContext`` throw when a run or a forked
/// task is canceled or has ended.
///
/// The error contains the reason why the work was canceled.
///
/// ```swift
/// do { try await listener.delay(for: .seconds(1)) } catch let error as ListenerError
/// where error.code == .listenerSuperseded { … }
/// ```
///
/// If an effect throws this error, the error is not reported to the error handler. The type is a
/// structure with a code, so that adding a code does not break existing programs. The design of
/// the error comes from Redux Toolkit's `TaskAbortError`.
public struct ListenerError: Error, Hashable, Sendable {
  /// A reason why work was canceled.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case listenerStopped = "the listener was stopped"
      case listenerSuperseded = "a later run of the listener replaced this run"
      case listenerCancelled = "the run canceled itself"
      case listenerCompleted = "the effect of the listener has completed"
      case taskCancelled = "the forked task was canceled"
      case taskCompleted = "the forked task has completed"
      case dispatchCancelled = "the dispatch that started the work was canceled"
      case storeEnded = "the store was released"
    }

    private let value: Value

    /// The listener was stopped and its runs were canceled, or all listeners were cleared.
    public static let listenerStopped = Code(value: .listenerStopped)
    /// A later run called ``ListenerContext/cancelActiveListeners()``, or began with
    /// ``ListenerTaking/latest``.
    public static let listenerSuperseded = Code(value: .listenerSuperseded)
    /// The run called ``ListenerContext/cancel()``.
    public static let listenerCancelled = Code(value: .listenerCancelled)
    /// The effect has returned or has thrown an error.
    ///
    /// When the effect ends, forked tasks that the run does not wait for are canceled.
    public static let listenerCompleted = Code(value: .listenerCompleted)
    /// ``ForkedTask/cancel()`` was called.
    public static let taskCancelled = Code(value: .taskCancelled)
    /// The closure of the forked task has returned or has thrown an error.
    ///
    /// Suspended calls to the task's context then throw an error with this code.
    public static let taskCompleted = Code(value: .taskCompleted)
    /// The ``DispatchTask`` of the action, or the scope in which the work ran, was canceled.
    public static let dispatchCancelled = Code(value: .dispatchCancelled)
    /// The store was released, which ended its effects.
    public static let storeEnded = Code(value: .storeEnded)

    /// The reason, as text.
    public var description: String { value.rawValue }
  }

  /// The reason why the work was canceled.
  public let code: Code

  /// Creates an error with a code.
  public init(_ code: Code) {
    self.code = code
  }
}

extension ListenerError: CustomStringConvertible {
  /// A description that contains the reason for the cancellation.
  public var description: String { "canceled: \(code)" }
}

/// An error that a listener threw, with its origin and the action.
public struct ListenerFailure: Error, Sendable {
  /// A part of a listener that can fail.
  public enum Origin: Hashable, Sendable {
    /// The effect.
    case effect
    /// The predicate of a listener, or a predicate that was passed to a waiting method.
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
  /// The error can be a consequence of the cancellation, because code in a canceled task can
  /// throw an error of any type.
  public let wasCancelled: Bool
}

extension ListenerFailure: CustomStringConvertible {
  /// A description that contains the origin, the type of the action, and the error.
  public var description: String {
    let moment = wasCancelled ? " after the run was canceled" : ""
    return "the \(origin) of a listener failed for \(type(of: action))\(moment): \(error)"
  }
}
