import Board
import Dispatch
import Foundation
import Synchronization

/// A storage in memory that can delay writes, refuse writes, tear writes, and lose data that is
/// not safe.
final class TestJournal: JournalStorage {
  struct Refused: Error {}

  private struct Contents {
    /// The contents that a read returns.
    var segments: [Int: Data] = [:]
    /// The contents that remain after a power loss.
    var safe: [Int: Data] = [:]
    var appends = 0
    var refusal = Refusal.none
    var gate: DispatchSemaphore?
  }

  /// A value that determines how writes fail.
  enum Refusal {
    case none
    /// The write fails without storing any bytes.
    case whole
    /// The write stores data that can be read, but that a power loss removes, as after a failed
    /// `fsync`.
    case safety
  }

  private let contents: Mutex<Contents>
  private let began = AsyncStream.makeStream(of: Void.self)

  init(_ segments: [Int: Data] = [:]) {
    contents = Mutex(Contents(segments: segments, safe: segments))
  }

  /// The contents of each segment.
  var all: [Int: Data] { contents.withLock { $0.segments } }

  /// The number of completed writes.
  var appends: Int { contents.withLock { $0.appends } }

  /// Delays every write until ``open()`` is called.
  func close() {
    contents.withLock { $0.gate = DispatchSemaphore(value: 0) }
  }

  /// Lets the delayed write and later writes finish.
  func open() {
    _ = contents.withLock { $0.gate.take() }?.signal()
  }

  /// Sets how later writes fail; with `.none`, later writes succeed.
  func refuse(_ refusal: Refusal = .whole) {
    contents.withLock { $0.refusal = refusal }
  }

  /// Discards the data that a power loss would remove.
  func losePower() {
    contents.withLock { $0.segments = $0.safe }
  }

  /// Waits until a write begins for which no earlier call waited.
  func writeBegan() async {
    for await _ in began.stream { return }
  }

  func segments() throws -> [Int] { Array(all.keys) }

  func read(_ segment: Int) throws -> Data { all[segment] ?? Data() }

  func append(_ bytes: Data, to segment: Int) throws {
    began.continuation.yield()
    // The journal has a separate thread, which can block.
    contents.withLock { $0.gate }?.wait()
    try contents.withLock { contents in
      if contents.refusal == .whole { throw Refused() }
      contents.segments[segment, default: Data()] += bytes
      if contents.refusal == .safety { throw Refused() }
      contents.safe[segment] = contents.segments[segment]
      contents.appends += 1
    }
  }

  func replace(_ segment: Int, with bytes: Data) throws {
    try contents.withLock { contents in
      guard contents.refusal == .none else { throw Refused() }
      contents.segments[segment] = bytes
      contents.safe[segment] = bytes
    }
  }

  func remove(_ segment: Int) throws {
    contents.withLock { contents in
      contents.segments[segment] = nil
      contents.safe[segment] = nil
    }
  }
}
