public import FluxCore

/// An error that ends an attempt of work, and that the work itself did not throw.
public struct WorkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of error.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case timedOut, otherState
    }

    private let value: Value

    /// The attempt exceeded the time limit of its policy.
    public static let timedOut = Code(value: .timedOut)
    /// The work requires a state of a different type than the store's state, and was not
    /// started.
    public static let otherState = Code(value: .otherState)
  }

  /// The kind of the error.
  public let code: Code
  /// A description of the error.
  public let description: String

  static func timedOut(after timeout: Duration) -> WorkError {
    WorkError(code: .timedOut, description: "The work took longer than \(timeout).")
  }

  static func otherState(_ needed: Any.Type, of action: any Action) -> WorkError {
    WorkError(
      code: .otherState,
      description: """
        \(type(of: action)) requires a state of type \(needed), but was dispatched to a store with a state \
        of another type.
        """)
  }
}

/// An error that ends an attempt after the store was released.
@usableFromInline
struct StoreHasGone: Error {
  @usableFromInline init() {}
}

/// An action that reports an error that work threw, if the store has no error handler.
///
/// If the work of an action throws, the error handler of the store
/// (``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``) receives the error. Without a
/// handler, the error is dispatched as this action through the whole chain. Logs show the
/// dispatched action, and reducers can handle it: `on(WorkFailed.self) { state, failure in … }`.
public struct WorkFailed: Action {
  /// The error that the work threw.
  public let error: any Error
  /// The action whose work failed.
  public let action: any Action

  /// Creates the action.
  public init(error: any Error, action: any Action) {
    self.error = error
    self.action = action
  }
}

extension WorkFailed: CustomStringConvertible {
  /// A description that contains the type of the action and the error.
  public var description: String { "WorkFailed(\(type(of: action)): \(ValueDescription.text(of: error)))" }
}
