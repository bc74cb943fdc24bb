public import Foundation

/// An append-only sequence of entries, with snapshots of the state that the entries make.
///
/// A state is the result of reducing a log of actions. A log stores the encoded actions in their
/// order, and a snapshot stores the state at a position, so that older entries can be removed.
///
/// ```swift
/// var position = try await log.end()
/// position = try await log.append([encoded], at: position)
/// ```
///
/// **Writers.** Entries are appended at an expected position. If another writer has appended
/// entries in the meantime, the log ends at a later position, and the call throws
/// ``LogError/Code/conflict`` without a change. The writer then reads the new entries, reduces
/// them, and appends again. Two writers can therefore never both append at the same position.
///
/// **Guarantees.** When ``append(_:at:)`` returns, no later failure removes the entries. The
/// entries of one call are appended together or not at all. If the call throws
/// ``LogError/Code/unwritable``, the log may contain the entries after it is opened again. Every
/// method can be called from any thread.
///
/// ``MemoryLog`` stores its entries in memory, and ``FileLog`` in files.
public protocol ActionLog: Sendable {
  /// Returns the position of the end of the log.
  func end() async throws(LogError) -> LogPosition

  /// Appends entries to the end of the log, which must be at an expected position.
  ///
  /// A second call does not have to wait for the first. It expects the position that the first call
  /// will return. If the first call fails, the second call fails too.
  ///
  /// - Returns: The end of the log after the entries.
  /// - Throws: ``LogError/Code/conflict`` if the log ends at another position, or
  ///   ``LogError/Code/unwritable``.
  @discardableResult
  func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition

  /// Returns entries in their order, from a position on.
  ///
  /// - Parameters:
  ///   - position: The position of the first entry. If the position is the end of the log, the
  ///     result is empty.
  ///   - limit: The maximum number of entries.
  /// - Throws: ``LogError/Code/truncated`` if the log no longer contains the first entry,
  ///   ``LogError/Code/outOfBounds`` if the position is after the end, or
  ///   ``LogError/Code/unreadable``.
  func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry]

  /// Returns the newest snapshot, or `nil` if there is none.
  func snapshot() async throws(LogError) -> LogSnapshot?

  /// Saves a snapshot, which replaces the previous snapshot.
  ///
  /// The entries before the snapshot remain until ``truncate(before:)`` is called.
  ///
  /// - Throws: ``LogError/Code/outOfBounds`` if the snapshot is after the end of the log or older
  ///   than the newest snapshot, or ``LogError/Code/unwritable``.
  func save(_ snapshot: LogSnapshot) async throws(LogError)

  /// Removes entries before a position.
  ///
  /// The log may keep some of these entries. A position before the first entry has no effect.
  ///
  /// - Throws: ``LogError/Code/outOfBounds`` if the newest snapshot does not contain the entries,
  ///   or ``LogError/Code/unwritable``.
  func truncate(before position: LogPosition) async throws(LogError)

  /// Returns a sequence of the ends of the log: the current end first, and then each newer end, or
  /// only the newest of several ends that the reader has not received yet.
  ///
  /// The sequence ends when the log is closed or released.
  func ends() -> AsyncStream<LogPosition>
}

extension ActionLog {
  /// Returns all entries from a position on.
  public func entries(from position: LogPosition) async throws(LogError) -> [ActionLogEntry] {
    try await entries(from: position, limit: .max)
  }
}
