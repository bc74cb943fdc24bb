import FluxCore
import FluxMiddleware
import Foundation

/// A history that a log contains: a checkpoint as the snapshot, and the events after it.
///
/// The log contains the same history as the original because a checkpoint contains everything that
/// determines the effects of later events, and an event contains a result that does not depend on
/// the settings of the history. For each position `p`, the checkpoint of a copy that has replayed
/// the entries before `p` can therefore replace these entries.
struct HistoryInLog<State: Codable & Sendable>: Sendable {
  /// A copy of the history, with the effects of all entries before a position.
  struct Copy: Sendable {
    let history: History<State>
    var state: State
    var end: LogPosition
    /// The number of bytes of the entries after the snapshot.
    var size = 0
    /// The number of bytes of the snapshot.
    var snapshot: Int
  }

  /// The number of entries that are read together.
  private static var batch: Int { 1_000 }

  let log: any ActionLog
  let registry: ActionRegistry
  let reducer: MutatingReducer<State>
  /// The history that the copies are made of.
  let original: History<State>

  /// Begins an empty log with the initial state.
  func begin(with initial: State) async throws(LogError) {
    guard try await log.end() == .start, try await log.snapshot() == nil else { return }
    let data = try encode(original.makeReplica().checkpoint(with: initial), at: .start)
    try await log.save(LogSnapshot(position: .start, data: data))
  }

  /// Makes a copy from the snapshot and the entries after it.
  ///
  /// If another program saves a snapshot and removes entries in the meantime, the method begins
  /// again with the new snapshot.
  func copy() async throws(LogError) -> Copy {
    var position: LogPosition?
    while true {
      guard let snapshot = try await log.snapshot() else {
        throw LogError(
          .undecodable, at: .start, "The log has entries, but no snapshot with the state before them.")
      }
      do throws(LogError) {
        return try await copy(from: snapshot)
      } catch {
        guard error.code == .truncated, snapshot.position != position else { throw error }
        position = snapshot.position
      }
    }
  }

  private func copy(from snapshot: LogSnapshot) async throws(LogError) -> Copy {
    let history = original.makeReplica()
    var copy: Copy
    do throws(HistoryError) {
      let checkpoint = try HistoryCheckpoint<State>(snapshot.data, with: registry)
      let state = history.restore(checkpoint, with: reducer)
      copy = Copy(history: history, state: state, end: snapshot.position, snapshot: snapshot.data.count)
    } catch {
      throw LogError(
        .undecodable, at: snapshot.position,
        "The snapshot at position \(snapshot.position) cannot be used: \(error)")
    }
    while true {
      let entries = try await log.entries(from: copy.end, limit: Self.batch)
      guard !entries.isEmpty else { return copy }
      for entry in entries { try replay(entry, in: &copy) }
    }
  }

  private func replay(_ entry: ActionLogEntry, in copy: inout Copy) throws(LogError) {
    do throws(HistoryError) {
      let event = try HistoryEvent<State>(entry.data, with: registry, of: original.name)
      try copy.history.replay(event, &copy.state, with: reducer)
    } catch {
      throw LogError(
        .undecodable, at: entry.position,
        "The entry at position \(entry.position) cannot be used: \(error)")
    }
    copy.end = entry.position.advanced(by: 1)
    copy.size += entry.data.count
  }

  /// Saves a copy as the snapshot, and removes the entries before it.
  ///
  /// - Returns: The number of bytes of the snapshot.
  func save(_ copy: Copy) async throws(LogError) -> Int {
    let data = try encode(copy.history.checkpoint(with: copy.state), at: copy.end)
    try await log.save(LogSnapshot(position: copy.end, data: data))
    try await log.truncate(before: copy.end)
    return data.count
  }

  /// Appends events.
  ///
  /// - Returns: The number of bytes of the entries.
  func append(_ events: [HistoryEvent<State>], at end: LogPosition) async throws(LogError) -> Int {
    var entries: [Data] = []
    for (number, event) in events.enumerated() {
      do throws(HistoryError) {
        entries.append(try event.encoded(with: registry))
      } catch {
        throw LogError(.unencodable, at: end.advanced(by: number), error.description)
      }
    }
    try await log.append(entries, at: end)
    return entries.reduce(0) { $0 + $1.count }
  }

  private func encode(
    _ checkpoint: HistoryCheckpoint<State>, at position: LogPosition
  ) throws(LogError) -> Data {
    do throws(HistoryError) {
      return try checkpoint.encoded(with: registry)
    } catch {
      throw LogError(.unencodable, at: position, error.description)
    }
  }
}
