import Dispatch
import Synchronization

/// Writes changes to the newest segment, begins another when that is long, and removes those that are not needed.
///
/// A segment that is full is followed by a snapshot of the whole list. There are two of those, the last and the one
/// before it, since the last may turn out to be unusable: a segment goes when both have all that stands in it.
final class SegmentWriter: Sendable {
  private struct Contents {
    var segment: Int
    /// How many bytes were written since the last snapshot.
    var count: Int
    /// The version that each segment but the newest goes up to.
    var ends: [Int: Int]
    /// The version that the last snapshot has, or more.
    var snapshot: Int
  }

  private let storage: any JournalStorage
  private let limit: Int
  private let contents: Mutex<Contents>
  private let queue = DispatchQueue(label: "snapshots")
  private let takeSnapshot: @Sendable () throws -> Void
  private let onProblem: @Sendable (String) -> Void

  /// - Parameters:
  ///   - replay: What was found when the program started.
  ///   - snapshot: The version of the last snapshot; 0 if that could not be used.
  ///   - limit: How many bytes make a snapshot, and another segment, worth while.
  ///   - takeSnapshot: Saves the list, and waits until it is on disk. It reports what it throws.
  ///   - onProblem: Hears of what cannot be removed.
  init(
    storage: any JournalStorage, replay: JournalReplay, snapshot: Int, limit: Int,
    takeSnapshot: @escaping @Sendable () throws -> Void, onProblem: @escaping @Sendable (String) -> Void
  ) {
    self.storage = storage
    self.limit = limit
    self.takeSnapshot = takeSnapshot
    self.onProblem = onProblem
    contents = Mutex(
      Contents(segment: replay.next, count: replay.count, ends: replay.ends, snapshot: snapshot))
  }

  /// Writes changes; they are on disk when it returns.
  func append(_ entries: [JournalEntry]) throws {
    let bytes = try JournalLine(entries).bytes()
    try storage.append(bytes, to: contents.withLock { $0.segment })
    contents.withLock { contents in
      contents.ends[contents.segment] = entries.last?.version
      contents.count += bytes.count
    }
  }

  /// Begins another segment if this one is full, and has a snapshot taken in the background.
  ///
  /// - Parameter version: What a snapshot that is taken from now on has at least.
  func next(after version: Int) {
    let isFull = contents.withLock { contents in
      guard contents.count >= limit else { return false }
      contents.segment += 1
      contents.count = 0
      return true
    }
    if isFull { queue.async { self.compact(version) } }
  }

  private func compact(_ version: Int) {
    do {
      try takeSnapshot()
    } catch {
      // It was reported, and the next full segment tries again.
      return
    }
    let unneeded = contents.withLock { contents in
      guard version > contents.snapshot else { return [Int]() }
      // Another list was saved since the last time: so what was the last snapshot then, or a later one, is now the one
      // before it.
      let covered = contents.snapshot
      contents.snapshot = version
      let unneeded = contents.ends.filter { $0.key < contents.segment && $0.value <= covered }.map(\.key)
      for segment in unneeded { contents.ends[segment] = nil }
      return unneeded
    }
    for segment in unneeded.sorted() {
      do {
        try storage.remove(segment)
      } catch {
        onProblem("Segment \(segment) of the journal stays: \(error).")
      }
    }
  }

  /// Waits until no snapshot is being taken.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
