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
  ///
  /// A line that cannot be written, because standard error is closed or full, is dropped: there is nowhere left to
  /// say so. When standard error is a pipe that nobody reads any more, the program ends by `SIGPIPE`, as any program
  /// does that does not ignore that signal.
  public static let standardError = LogSink(fileDescriptor: FileHandle.standardError.fileDescriptor)

  /// Writes each line to an open file, and drops those that cannot be written.
  package init(fileDescriptor: Int32) {
    self.init { line in
      let file = FileHandle(fileDescriptor: fileDescriptor, closeOnDealloc: false)
      try? file.write(contentsOf: Data((line + "\n").utf8))
    }
  }
}
