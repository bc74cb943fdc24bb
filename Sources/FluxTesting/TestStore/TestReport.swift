/// What a test store has to say to the test that uses it.
public struct TestReport: Sendable {
  /// A place in a source file.
  public struct Location: Sendable {
    /// The module and the name of the file, as `#fileID` gives it.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line, which counts from 1.
    public let line: UInt
    /// The column, which counts from 1.
    public let column: UInt

    /// Creates a location; by default that of the caller.
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

  /// What is said, in one or several lines.
  public let message: String
  /// Whether the test fails by it; otherwise it is only to be shown.
  public let isFailure: Bool
  /// The line of the test that it is about.
  public let location: Location

  /// Creates a report.
  public init(message: String, isFailure: Bool, location: Location) {
    self.message = message
    self.isFailure = isFailure
    self.location = location
  }
}
