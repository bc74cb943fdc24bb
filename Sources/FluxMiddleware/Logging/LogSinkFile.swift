import FluxCore
public import Foundation

extension LogSink {
  /// Writes each line to standard error, in one piece.
  ///
  /// Lines that cannot be written, because standard error is closed or full, are counted, and when a line can
  /// be written again, one in front of it says how many are missing. When standard error is a pipe that
  /// nobody reads any more, the program ends by `SIGPIPE`, as any program does that does not ignore that
  /// signal.
  public static let standardError = LogSink(fileDescriptor: FileHandle.standardError.fileDescriptor)

  /// Writes each line to standard output, in order with what the program prints itself.
  ///
  /// A line goes through the buffer that `print` goes through, so a line that cannot be written is not noticed here.
  public static let standardOutput = LogSink { line in puts(line) }

  /// Writes each line at the end of a file, which is created if it is not there.
  ///
  /// Several programs may write to one file: a line is written in one piece, at the end as it is then. Lines
  /// that cannot be written, because the disk is full, are counted, and when a line can be written again, one
  /// in front of it says `… 17 lines not written`.
  ///
  /// The file stays open as long as the sink is kept. Safe from any thread.
  ///
  /// - Parameter url: The file. Its folder has to be there.
  /// - Throws: ``LogSinkError`` when the file cannot be opened.
  public static func file(at url: URL) throws(LogSinkError) -> LogSink {
    guard url.isFileURL else { throw LogSinkError(.notAFile, url: url) }
    // By the system's call, since `FileHandle` cannot open a file for appending.
    let (descriptor, number) = url.withUnsafeFileSystemRepresentation { path -> (Int32, Int32) in
      guard let path else { return (-1, ENOENT) }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
      return (descriptor, errno)
    }
    guard descriptor >= 0 else { throw LogSinkError(LogSinkError.Code(errorNumber: number), url: url) }
    return LogSink(to: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  /// Writes each line to an open file, which stays open when the sink goes.
  package init(fileDescriptor: Int32) {
    self.init(to: FileHandle(fileDescriptor: fileDescriptor, closeOnDealloc: false))
  }

  private init(to file: FileHandle) {
    self.init(counting: { text in try file.write(contentsOf: Data(text.utf8)) })
  }

  /// Writes each line, with a line break at its end, by a closure that may fail; counts those that are lost
  /// by that.
  ///
  /// The closure is called by one thread at a time.
  package init(counting put: @escaping @Sendable (_ text: String) throws -> Void) {
    let writer = LineWriter(put)
    self.init { line in writer.write(line) }
  }
}

/// Writes lines one at a time, and counts those that could not be written.
private final class LineWriter: Sendable {
  private let unwritten = Locked(0)
  private let put: @Sendable (String) throws -> Void

  init(_ put: @escaping @Sendable (String) throws -> Void) {
    self.put = put
  }

  func write(_ line: String) {
    unwritten.withLock { unwritten in
      // The beginning of the last line may have been written: the notice begins on a line of its own.
      let notice = "\n… \(unwritten) \(unwritten == 1 ? "line" : "lines") not written\n"
      do {
        try put((unwritten == 0 ? "" : notice) + line + "\n")
        unwritten = 0
      } catch {
        // There is nowhere to say so yet.
        unwritten += 1
      }
    }
  }
}
