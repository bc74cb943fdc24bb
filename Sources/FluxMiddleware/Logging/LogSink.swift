import Foundation

/// A destination for log lines: standard error, a file, or a closure.
///
/// ```swift
/// LogSink.standardError
/// try LogSink.file(at: url)
/// LogSink { line in logger.info("\(line)") }
/// ```
///
/// A sink without a buffer writes on the thread that logs the line, and therefore delays that
/// thread. To write on another thread, use ``buffered(_:)``.
public struct LogSink: Sendable {
  /// A closure that writes one line, which has no line break at its end.
  public let write: @Sendable (_ line: String) -> Void

  private let buffer: LogBuffer?

  /// Creates a sink that writes each line with a closure.
  ///
  /// The closure can be called from any thread.
  public init(_ write: @escaping @Sendable (_ line: String) -> Void) {
    self.write = write
    buffer = nil
  }

  private init(_ buffer: LogBuffer) {
    write = { line in buffer.append { line } }
    self.buffer = buffer
  }

  // MARK: - Buffering

  /// Returns a sink that stores lines in a bounded buffer before this sink writes them.
  ///
  /// Because of the buffer, a slow sink does not delay the threads that log.
  ///
  /// Lines are written in the order in which they were logged, on a separate thread. When the
  /// buffer is full, further lines are dropped and counted. A line such as `… 17 lines dropped`
  /// replaces the dropped lines.
  ///
  /// If the program returns from `main` or calls `exit`, all buffers together have one second
  /// to write their pending lines. If the program crashes or is stopped by a signal, the
  /// pending lines are lost.
  ///
  /// You can use the sink from any thread. Logging a line takes amortized O(1) time.
  ///
  /// - Parameter capacity: The maximum number of pending lines, not counting the line that is
  ///   being written.
  /// - Returns: The buffered sink. If the sink already has a buffer, or the capacity is less
  ///   than 1, the method returns the sink itself.
  public func buffered(_ capacity: Int = 1_000) -> LogSink {
    guard buffer == nil, capacity > 0 else { return self }
    return LogSink(LogBuffer(capacity: capacity, write: write))
  }

  /// Waits until all lines that were logged before the call are written.
  ///
  /// If the sink has no buffer, the method returns immediately. The method also returns
  /// immediately if the buffer is writing on the calling thread, because that thread would wait
  /// for itself.
  ///
  /// - Parameter limit: The maximum time to wait, or `nil` to wait until the lines are written.
  /// - Returns: A Boolean value that indicates whether the lines have been written.
  @discardableResult
  public func flush(waitingAtMost limit: Duration? = nil) -> Bool {
    buffer?.flush(until: limit.map(DispatchTime.after) ?? .distantFuture) ?? true
  }

  /// Writes a line that a closure creates.
  ///
  /// If the sink has a buffer, the closure is called on the thread that writes the buffered lines.
  /// A sink without a buffer calls the closure immediately.
  ///
  /// If the line is dropped, the closure is not called.
  func writeMade(by makeLine: @escaping @Sendable () -> String) {
    if let buffer { buffer.append(makeLine) } else { write(makeLine()) }
  }
}

extension DispatchTime {
  /// Returns the time that is a given duration after now.
  ///
  /// A negative duration counts as zero.
  static func after(_ duration: Duration) -> DispatchTime {
    let (seconds, attoseconds) = max(.zero, duration).components
    guard seconds < 1_000_000_000 else { return .distantFuture }
    return .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
