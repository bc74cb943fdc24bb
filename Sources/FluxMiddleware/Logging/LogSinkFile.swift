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

  /// Returns a sink that writes each line at the end of a file, and creates the file if it is missing.
  ///
  /// Several programs may write to one file: each line is written in one piece, at the end of the file at
  /// that time. The sink counts lines that cannot be written, for example because the disk is full. The next
  /// line that can be written follows a line such as `… 17 lines not written`.
  ///
  /// The file is a regular file, or a symbolic link to one. Opening it never waits for another process, as
  /// opening a FIFO would.
  ///
  /// The file stays open until the sink is released. The sink may be called from any thread.
  ///
  /// - Parameter url: The file. Its folder must exist.
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
