import Foundation

/// Where log lines go.
public struct LogSink: Sendable {
  /// Takes one line, without a line break at its end.
  public let write: @Sendable (_ line: String) -> Void

  /// Creates a sink from a closure, which may be called from any thread.
  @preconcurrency
  public init(_ write: @escaping @Sendable (_ line: String) -> Void) {
    self.write = write
  }

  /// Writes each line to standard error, in one piece.
  public static let standardError = LogSink { line in
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
