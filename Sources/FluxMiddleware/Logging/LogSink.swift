import Foundation

/// Where log lines go: standard error, a file, or a closure.
///
/// ```swift
/// LogSink.standardError
/// try LogSink.file(at: url)
/// LogSink { line in logger.info("\(line)") }
/// ```
///
/// Each writes on the thread that hands it the line, and so takes that thread's time. ``buffered(_:)`` makes
/// one that does not.
public struct LogSink: Sendable {
  /// Takes one line, without a line break at its end.
  public let write: @Sendable (_ line: String) -> Void

  private let buffer: LogBuffer?

  /// Creates a sink from a closure, which may be called from any thread.
  public init(_ write: @escaping @Sendable (_ line: String) -> Void) {
    self.write = write
    buffer = nil
  }

  private init(_ buffer: LogBuffer) {
    write = { line in buffer.append { line } }
    self.buffer = buffer
  }

  // MARK: - Buffering

  /// The sink behind a bounded buffer, so that a slow sink does not hold up whoever writes to it.
  ///
  /// Lines are written in the order in which they came, on a thread of the buffer's own. While so many lines
  /// wait, further ones are dropped and counted, and where they would have stood a line says `… 17 lines
  /// dropped`.
  ///
  /// Nothing is lost at the end of a program that returns from `main` or calls `exit`: then the lines that
  /// wait are written, if that takes no longer than a second for all buffers together. A program that
  /// crashes, or is stopped by a signal, loses them.
  ///
  /// Safe from any thread. Writing a line is O(1), amortised.
  ///
  /// - Parameter capacity: The most lines that wait, not counting the one that is being written.
  /// - Returns: The sink itself, if it is buffered already, or if the capacity is below 1.
  public func buffered(_ capacity: Int = 1_000) -> LogSink {
    guard buffer == nil, capacity > 0 else { return self }
    return LogSink(LogBuffer(capacity: capacity, write: write))
  }

  /// Waits until all lines have been written that were handed to the sink before.
  ///
  /// A sink that is not buffered has nothing to wait for. From inside its own buffer's writing it does not
  /// wait either, for that would be for ever.
  ///
  /// - Parameter limit: How long to wait at most; as long as it takes, if there is none.
  /// - Returns: Whether all those lines have been written.
  @discardableResult
  public func flush(waitingAtMost limit: Duration? = nil) -> Bool {
    buffer?.flush(until: limit.map(DispatchTime.after) ?? .distantFuture) ?? true
  }

  /// Writes a line that is yet to be made: on the buffer's thread if there is a buffer, else here and now.
  ///
  /// The line is not made at all if it is dropped.
  func writeMade(by makeLine: @escaping @Sendable () -> String) {
    if let buffer { buffer.append(makeLine) } else { write(makeLine()) }
  }
}

extension DispatchTime {
  /// The time a duration from now, which is not before now.
  static func after(_ duration: Duration) -> DispatchTime {
    let (seconds, attoseconds) = max(.zero, duration).components
    guard seconds < 1_000_000_000 else { return .distantFuture }
    return .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
