import FluxCore

/// What goes wrong with work, beside what it throws itself.
public struct WorkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of things that go wrong.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case timedOut, otherState
    }

    private let value: Value

    /// It took longer than its policy allows.
    public static let timedOut = Code(value: .timedOut)
    /// It is for another type of state than the store has, and was not started.
    public static let otherState = Code(value: .otherState)
  }

  /// What kind of thing went wrong.
  public let code: Code
  /// What happened, in words.
  public let description: String

  static func timedOut(after timeout: Duration) -> WorkError {
    WorkError(code: .timedOut, description: "The work took longer than \(timeout).")
  }

  static func otherState(_ needed: Any.Type, of action: any Action) -> WorkError {
    WorkError(
      code: .otherState,
      description: """
        \(type(of: action)) works with a state of type \(needed), which is not that of the store it was dispatched to.
        """)
  }
}

/// Says that there is no store any more for a try to work with.
struct StoreHasGone: Error {}
