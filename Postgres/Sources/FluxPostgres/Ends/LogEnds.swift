import FluxLog
import Synchronization

/// The sequences that receive the end of a log.
final class LogEnds: Sendable {
  private struct Contents {
    var end: LogPosition
    var isFinished = false
    var created = 0
    var continuations: [Int: AsyncStream<LogPosition>.Continuation] = [:]
  }

  private let contents: Mutex<Contents>

  init(end: LogPosition) {
    contents = Mutex(Contents(end: end))
  }

  deinit { finish() }

  /// The largest end that is known.
  var end: LogPosition { contents.withLock { $0.end } }

  /// Returns a sequence that begins with the largest end that is known.
  func stream() -> AsyncStream<LogPosition> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LogPosition.self, bufferingPolicy: .bufferingNewest(1))
    let number = contents.withLock { contents -> Int? in
      continuation.yield(contents.end)
      guard !contents.isFinished else { return nil }
      contents.created += 1
      contents.continuations[contents.created] = continuation
      return contents.created
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock.
      _ = self?.contents.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  /// Sends a newer end to all sequences.
  func advance(to end: LogPosition) {
    contents.withLock { contents in
      guard end > contents.end else { return }
      contents.end = end
      for continuation in contents.continuations.values { continuation.yield(end) }
    }
  }

  /// Ends all sequences, including later ones.
  func finish() {
    let continuations = contents.withLock { contents in
      contents.isFinished = true
      return contents.continuations.values.map(\.self)
    }
    for continuation in continuations { continuation.finish() }
  }
}
