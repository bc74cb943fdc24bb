import FluxCore
public import Foundation

extension LogSink {
  /// A sink that writes each line to standard error as a single unit.
  ///
  /// If a line cannot be written because standard error is closed or full, the sink counts the
  /// line. Before the next line that can be written, the sink writes a notice with the number of
  /// missing lines. If standard error is a pipe that its reader has closed, `SIGPIPE` terminates
  /// the program unless the program ignores that signal.
  public static let standardError = LogSink(fileDescriptor: FileHandle.standardError.fileDescriptor)

  /// A sink that writes each line to standard output, in the correct order relative to the
  /// program's other output.
  ///
  /// The sink writes to the same buffer as `print`, and therefore does not detect lines that
  /// cannot be written.
  public static let standardOutput = LogSink { line in puts(line) }

  /// Returns a sink that appends each line to a file, and creates the file if it does not exist.
  ///
  /// Several programs can write to the same file, because each line is written as a single unit
  /// at the current end of the file. The sink counts lines that cannot be written, for example
  /// because the disk is full. Before the next line that can be written, the sink writes a
  /// notice such as `… 17 lines not written`.
  ///
  /// The file must be a regular file, or a symbolic link to a regular file. Opening the file
  /// never waits for another process, as opening a FIFO would.
  ///
  /// The file stays open until the sink is released. You can use the sink from any thread.
  ///
  /// - Parameter url: The URL of the file, which must be in an existing folder.
  /// - Throws: ``LogSinkError`` if the file cannot be opened.
  public static func file(at url: URL) throws(LogSinkError) -> LogSink {
    guard url.isFileURL else { throw LogSinkError(.notAFile, url: url) }
    // `FileHandle` cannot open a file for appending.
    let result = url.withUnsafeFileSystemRepresentation { path -> Result<Int32, OpenFailure> in
      guard let path else { return .failure(.refused(number: ENOENT)) }
      do throws(OpenFailure) {
        return .success(try openRegularFile(path, O_WRONLY | O_CREAT | O_APPEND, permissions: 0o644))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let descriptor):
      return LogSink(to: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    case .failure(.notRegular(let number)) where number != EISDIR:
      throw LogSinkError(.notARegularFile, url: url)
    case .failure(.notRegular(let number)), .failure(.refused(let number)):
      throw LogSinkError(LogSinkError.Code(errorNumber: number), url: url)
    }
  }

  /// Creates a sink that writes each line to an open file.
  ///
  /// The file stays open when the sink is released.
  package init(fileDescriptor: Int32) {
    self.init(to: FileHandle(fileDescriptor: fileDescriptor, closeOnDealloc: false))
  }

  private init(to file: FileHandle) {
    self.init(counting: { text in try file.write(contentsOf: Data(text.utf8)) })
  }

  /// Creates a sink that writes each line with a closure.
  ///
  /// If the closure throws an error, the sink counts the line as lost.
  ///
  /// The closure receives each line with a line break at its end. Only one thread at a time
  /// calls the closure.
  package init(counting put: @escaping @Sendable (_ text: String) throws -> Void) {
    let writer = LineWriter(put)
    self.init { line in writer.write(line) }
  }
}

/// A writer that writes one line at a time, and counts the lines that could not be written.
private final class LineWriter: Sendable {
  private let unwritten = Locked(0)
  private let put: @Sendable (String) throws -> Void

  init(_ put: @escaping @Sendable (String) throws -> Void) {
    self.put = put
  }

  func write(_ line: String) {
    unwritten.withLock { unwritten in
      // A part of the previous line might have been written, so the notice begins on a new line.
      let notice = "\n… \(unwritten) \(unwritten == 1 ? "line" : "lines") not written\n"
      do {
        try put((unwritten == 0 ? "" : notice) + line + "\n")
        unwritten = 0
      } catch {
        // The error cannot be reported immediately, so the sink writes a notice about the lost
        // line before the next line.
        unwritten += 1
      }
    }
  }
}
