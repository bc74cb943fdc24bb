import Foundation

/// A destination for log lines: standard error, a file, or a closure.
///
/// ```swift
/// LogSink.standardError
/// try LogSink.file(at: url)
/// LogSink { line in logger.info("\(line)") }
/// ```
///
/// Each of these sinks writes on the thread that logs the line, and takes time on that thread.
/// ``buffered(_:)`` returns a sink that writes on another thread.
public struct LogSink: Sendable {
  /// A closure that writes one line, which has no line break at its end.
  public let write: @Sendable (_ line: String) -> Void

  private let buffer: LogBuffer?

  /// Creates a sink from a closure, which can be called from any thread.
  public init(_ write: @escaping @Sendable (_ line: String) -> Void) {
    self.write = write
    buffer = nil
  }

  private init(_ buffer: LogBuffer) {
    write = { line in buffer.append { line } }
    self.buffer = buffer
  }

  // MARK: - Buffering

  /// Returns the sink with a bounded buffer, so that a slow sink does not delay the threads
  /// that log.
  ///
  /// Lines are written in the order in which they were logged, on a separate thread. When the
  /// buffer is full, further lines are dropped and counted. A line such as `… 17 lines dropped`
  /// then appears in their place.
  ///
  /// If the program returns from `main` or calls `exit`, the waiting lines are written, within
  /// one second for all buffers together. If the program crashes or is stopped by a signal, the
  /// waiting lines are lost.
  ///
  /// The sink can be used from any thread. Logging a line is amortized O(1).
  ///
  /// - Parameter capacity: The maximum number of waiting lines, not counting the line that is
  ///   being written.
  /// - Returns: The buffered sink. If the sink already has a buffer, or the capacity is less
  ///   than 1, the method returns the sink itself.
  public func buffered(_ capacity: Int = 1_000) -> LogSink {
    guard buffer == nil, capacity > 0 else { return self }
    return LogSink(LogBuffer(capacity: capacity, write: write))
  }

  /// Waits until all lines that were logged before the call are written.
  ///
  /// If the sink has no buffer, the method returns immediately. If the buffer is writing on the
  /// calling thread, the method does not wait either, because it would wait forever.
  ///
  /// - Parameter limit: The maximum time to wait; `nil` to wait until the lines are written.
  /// - Returns: Whether all those lines have been written.
  @discardableResult
  public func flush(waitingAtMost limit: Duration? = nil) -> Bool {
    buffer?.flush(until: limit.map(DispatchTime.after) ?? .distantFuture) ?? true
  }

  /// Writes a line that a closure makes, on the thread of the buffer if there is one, and
  /// immediately otherwise.
  ///
  /// If the line is dropped, the closure is not called.
  func writeMade(by makeLine: @escaping @Sendable () -> String) {
    if let buffer { buffer.append(makeLine) } else { write(makeLine()) }
  }
}

extension DispatchTime {
  /// Returns the time that is a duration after now; a negative duration counts as zero.
  static func after(_ duration: Duration) -> DispatchTime {
    let (seconds, attoseconds) = max(.zero, duration).components
    guard seconds < 1_000_000_000 else { return .distantFuture }
    return .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
