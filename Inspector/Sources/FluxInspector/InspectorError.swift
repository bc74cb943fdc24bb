/// Why an inspector has no page.
public struct InspectorError: Error, Equatable, CustomStringConvertible {
  /// What kind of trouble there was.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind {
      case cannotListen, stopped
    }

    private let kind: Kind

    /// The port is taken, or not allowed.
    public static let cannotListen = Code(kind: .cannotListen)
    /// The inspector has been stopped.
    public static let stopped = Code(kind: .stopped)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// What kind of trouble there was.
  public let code: Code
  /// What happened, and what to do.
  public let description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static let stopped = InspectorError(.stopped, "The inspector has been stopped.")

  static func cannotListen(on port: UInt16, _ error: any Error) -> InspectorError {
    InspectorError(
      .cannotListen, "The inspector cannot listen on port \(port), perhaps because it is taken: \(error)")
  }
}
