/// An error that states why an inspector has no page.
public struct InspectorError: Error, Equatable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind {
      case cannotListen, stopped
    }

    private let kind: Kind

    /// The port is in use, or not allowed.
    public static let cannotListen = Code(kind: .cannotListen)
    /// The inspector was stopped.
    public static let stopped = Code(kind: .stopped)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of the error.
  public let code: Code
  /// A description of the error and its remedy.
  public let description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static let stopped = InspectorError(.stopped, "The inspector has been stopped.")

  static func cannotListen(on port: UInt16, _ error: any Error) -> InspectorError {
    InspectorError(
      .cannotListen, "The inspector cannot listen on port \(port), perhaps because it is in use: \(error)")
  }
}
