/// A problem with a log.
///
/// The error is a structure with a code instead of an enumeration, so that a new code does not
/// break existing programs. The design is borrowed from `ServiceRunnerError` of
/// swift-service-lifecycle.
public struct LogError: Error, Hashable, Sendable {
  /// A code that identifies a problem.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case conflict, truncated, outOfBounds, unreadable, unwritable, damaged, inUse, closed
      case undecodable, unencodable, notRecorded
    }

    private let value: Value

    /// The log does not end at the position at which the entries were to be appended, because
    /// another writer has appended entries.
    ///
    /// ``LogError/position`` is the end of the log. The log has not changed.
    public static let conflict = Code(value: .conflict)
    /// The log no longer contains the entries at a position.
    ///
    /// ``LogError/position`` is the position of the first entry that the log contains.
    public static let truncated = Code(value: .truncated)
    /// The position is after the end of the log, a snapshot is older than the newest snapshot, or
    /// a truncation would remove entries that no snapshot contains.
    public static let outOfBounds = Code(value: .outOfBounds)
    /// The storage could not read the log.
    public static let unreadable = Code(value: .unreadable)
    /// The storage could not write, for example because the disk is full.
    ///
    /// If entries were being appended, the log might contain them after it is opened again.
    public static let unwritable = Code(value: .unwritable)
    /// The contents of the storage were changed.
    public static let damaged = Code(value: .damaged)
    /// Another process, or another object of this process, uses the log.
    public static let inUse = Code(value: .inUse)
    /// The log was closed.
    public static let closed = Code(value: .closed)
    /// An entry, a snapshot, or a recorded action is complete, but cannot be decoded, for example
    /// because the type of an action is not registered.
    ///
    /// ``LogError/position`` is the position of the entry or of the snapshot. The log has not
    /// changed.
    public static let undecodable = Code(value: .undecodable)
    /// A change or a state could not be encoded.
    ///
    /// ``LogError/position`` is the position that the entry or the snapshot would have.
    public static let unencodable = Code(value: .unencodable)
    /// A journal does not contain an action or a state.
    ///
    /// If an action is missing, ``LogError/position`` is its index in the report.
    public static let notRecorded = Code(value: .notRecorded)

    /// The name of the code, such as `outOfBounds`.
    public var description: String { value.rawValue }
  }

  /// The kind of problem.
  public let code: Code
  /// The position that the description of the code states, or `nil`.
  public let position: LogPosition?
  /// The explanation of the problem, as a sentence.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, at position: LogPosition? = nil, _ message: String) {
    self.code = code
    self.position = position
    self.message = message
  }
}

extension LogError: CustomStringConvertible {
  /// The explanation of the problem.
  public var description: String { message }
}

extension LogError {
  static func conflict(at expected: LogPosition, end: LogPosition) -> LogError {
    LogError(.conflict, at: end, "The log ends at position \(end), and not at position \(expected).")
  }

  static func truncated(_ position: LogPosition, first: LogPosition) -> LogError {
    LogError(
      .truncated, at: first,
      "The log begins at position \(first), so the entry at position \(position) is not available.")
  }
}
