import Dispatch
import Synchronization

/// A writer that appends changes to the newest segment, begins new segments, and removes
/// segments that are not needed.
///
/// After a segment is full, a snapshot of the whole list is made. The board keeps the last
/// snapshot and the previous snapshot, because the last snapshot might be unusable. A segment is
/// removed when both snapshots contain all its changes.
final class SegmentWriter: Sendable {
  private struct Contents {
    var segment: Int
    /// The number of bytes written since the last snapshot.
    var count: Int
    /// The version of the last change in each segment except the newest segment.
    var ends: [Int: Int]
    /// The minimum version of the last snapshot.
    var snapshot: Int
  }

  private let storage: any JournalStorage
  private let limit: Int
  private let contents: Mutex<Contents>
  private let queue = DispatchQueue(label: "snapshots")
  private let takeSnapshot: @Sendable () throws -> Void
  private let onProblem: @Sendable (String) -> Void

  /// - Parameters:
  ///   - replay: The result of reading the journal at the start of the program.
  ///   - snapshot: The version of the last snapshot; 0 if that snapshot was unusable.
  ///   - limit: The number of bytes after which a snapshot is made and a new segment begins.
  ///   - takeSnapshot: Saves the list, and waits until the list is on disk. The closure also
  ///     reports the errors that it throws.
  ///   - onProblem: Called when a segment cannot be removed.
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

  /// Writes changes; they are on disk when the method returns.
  func append(_ entries: [JournalEntry]) throws {
    let bytes = try JournalLine(entries).bytes()
    try storage.append(bytes, to: contents.withLock { $0.segment })
    contents.withLock { contents in
      contents.ends[contents.segment] = entries.last?.version
      contents.count += bytes.count
    }
  }

  /// Begins a new segment if the current segment is full, and makes a snapshot in the
  /// background.
  ///
  /// - Parameter version: The minimum version of a snapshot that is made from now on.
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
      // The error was reported, and the journal tries again when the next segment is full.
      return
    }
    let unneeded = contents.withLock { contents in
      guard version > contents.snapshot else { return [Int]() }
      // This list is newer than the list of the last known snapshot. The previous snapshot is
      // therefore at least as new as the last known snapshot.
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
        onProblem("Segment \(segment) of the journal could not be removed: \(error).")
      }
    }
  }

  /// Waits until no snapshot is being made.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
