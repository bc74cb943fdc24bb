import FluxMiddleware

/// A report from a test store to the test that uses it.
public struct TestReport: Sendable {
  /// A location in a source file.
  public struct Location: Sendable {
    /// The module and the name of the file, in the format of `#fileID`.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line number, which starts at 1.
    public let line: UInt
    /// The column number, which starts at 1.
    public let column: UInt

    /// Creates a location.
    ///
    /// The default is the location of the caller.
    public init(
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
      column: UInt = #column
    ) {
      self.fileID = fileID
      self.filePath = filePath
      self.line = line
      self.column = column
    }
  }

  /// The message, which has one or more lines.
  public let message: String
  /// A Boolean value that indicates whether the report makes the test fail.
  ///
  /// If the value is `false`, the report is only shown.
  public let isFailure: Bool
  /// The location in the test that the report refers to.
  public let location: Location

  /// Creates a report.
  public init(message: String, isFailure: Bool, location: Location) {
    self.message = message
    self.isFailure = isFailure
    self.location = location
  }
}

// Helper functions that create the text of reports.

extension Int {
  /// The beginning of a sentence about this number of effects, such as "2 effects are".
  var effects: String {
    switch self {
    case 0: "No effects are"
    case 1: "1 effect is"
    default: "\(self) effects are"
    }
  }
}

extension Array {
  /// Returns text that lists received actions and their changes.
  ///
  /// The text contains a heading with the number of actions, and one line for each of the first
  /// 20 actions.
  func listed<State>(redacting redaction: Redaction) -> String where Element == TransitionLog<State>.Step {
    let shown = 20
    let heading = count == 1 ? "1 received action" : "\(count) received actions"
    let rest = count > shown ? ["and \(count - shown) more"] : []
    return ([heading] + prefix(shown).map { $0.text(redacting: redaction) } + rest).joined(separator: "\n  ")
  }
}
