/// Why a listener's work was cancelled: what its waits throw then.
///
/// ```swift
/// do { try await listener.delay(for: .seconds(1)) } catch let error as ListenerError
/// where error.code == .listenerSuperseded { … }
/// ```
///
/// An effect that lets it through ends quietly: it is never told to the error handler. A struct with a code rather than
/// an enum, so that a new case breaks nobody. The idea is that of Redux Toolkit's `TaskAbortError`.
public struct ListenerError: Error, Hashable, Sendable {
  /// The reasons for which work is cancelled.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case listenerStopped = "the listener was stopped"
      case listenerSuperseded = "a later run of the listener took over"
      case listenerCancelled = "the run cancelled itself"
      case listenerCompleted = "the listener's effect is complete"
      case taskCancelled = "the forked task was cancelled"
      case taskCompleted = "the forked task is complete"
      case dispatchCancelled = "the dispatch to which the work belonged was cancelled"
      case storeEnded = "the store has gone"
    }

    private let value: Value

    /// The listener was stopped together with what ran of it, or all listeners were cleared.
    public static let listenerStopped = Code(value: .listenerStopped)
    /// A later run called ``ListenerContext/cancelActiveListeners()``, or the listener takes ``ListenerTaking/latest``.
    public static let listenerSuperseded = Code(value: .listenerSuperseded)
    /// The run called ``ListenerContext/cancel()``.
    public static let listenerCancelled = Code(value: .listenerCancelled)
    /// The effect has returned or thrown, which ends all that it had started and not waited for.
    public static let listenerCompleted = Code(value: .listenerCompleted)
    /// Somebody called ``ForkedTask/cancel()``.
    public static let taskCancelled = Code(value: .taskCancelled)
    /// The forked task has returned or thrown, which ends the waits that it had started and not waited for.
    public static let taskCompleted = Code(value: .taskCompleted)
    /// The ``DispatchTask`` of the action was cancelled, or the scope in which the work ran.
    public static let dispatchCancelled = Code(value: .dispatchCancelled)
    /// The store has gone, and its effects with it.
    public static let storeEnded = Code(value: .storeEnded)

    /// The reason, in words.
    public var description: String { value.rawValue }
  }

  /// Why the work was cancelled.
  public let code: Code

  /// Creates an error with a code.
  public init(_ code: Code) {
    self.code = code
  }
}

extension ListenerError: CustomStringConvertible {
  /// That the work was cancelled, and why.
  public var description: String { "cancelled: \(code)" }
}
