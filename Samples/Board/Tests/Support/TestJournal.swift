import Board
import Dispatch
import Foundation
import Synchronization

/// A journal's storage in memory, which can be held up, refuse, be torn, and lose what it has not made safe.
final class TestJournal: JournalStorage {
  struct Refused: Error {}

  private struct Contents {
    /// What reading tells.
    var segments: [Int: Data] = [:]
    /// What a loss of power leaves.
    var safe: [Int: Data] = [:]
    var appends = 0
    var refusal = Refusal.none
    var gate: DispatchSemaphore?
  }

  /// What becomes of a write.
  enum Refusal {
    case none
    /// Nothing of it is there.
    case whole
    /// It can be read, and is on no disk: as after an `fsync` that has failed.
    case safety
  }

  private let contents: Mutex<Contents>
  private let began = AsyncStream.makeStream(of: Void.self)

  init(_ segments: [Int: Data] = [:]) {
    contents = Mutex(Contents(segments: segments, safe: segments))
  }

  /// What stands in each segment.
  var all: [Int: Data] { contents.withLock { $0.segments } }

  /// How many writes are done.
  var appends: Int { contents.withLock { $0.appends } }

  /// Lets no write end, until ``open()``.
  func close() {
    contents.withLock { $0.gate = DispatchSemaphore(value: 0) }
  }

  /// Lets the write end that is held up, and those after it.
  func open() {
    _ = contents.withLock { $0.gate.take() }?.signal()
  }

  /// Refuses every write from now on, or none any more.
  func refuse(_ refusal: Refusal = .whole) {
    contents.withLock { $0.refusal = refusal }
  }

  /// Forgets what was not made safe.
  func losePower() {
    contents.withLock { $0.segments = $0.safe }
  }

  /// Waits until a write has begun that was not waited for before.
  func writeBegan() async {
    for await _ in began.stream { return }
  }

  func segments() throws -> [Int] { Array(all.keys) }

  func read(_ segment: Int) throws -> Data { all[segment] ?? Data() }

  func append(_ bytes: Data, to segment: Int) throws {
    began.continuation.yield()
    // The journal has a thread of its own, which may wait.
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
