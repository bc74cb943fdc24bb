/// The rules by which a journal writes actions and snapshots to its memory.
///
/// The value has no lock and no memory, and each call uses the same memory. A program that is
/// killed between two stores leaves a journal that can be read: ``JournalContents`` contains each
/// action whose ``begin(_:in:)`` has returned, and the action that was being reduced.
struct JournalRing: Hashable, Sendable {
  private let layout: JournalLayout
  private var progress = JournalProgress(.clean, number: 0)
  private var isClosed = false
  /// The half with the newest snapshot, or `nil` if there is no snapshot.
  private var half: JournalHalf?
  /// The offset after the newest frame, and the end of its half.
  private var free = 0
  private var limit = 0

  /// Prepares memory that contains only zeros.
  init(in memory: some JournalMemory, count: Int) {
    layout = JournalLayout(count: count)
    memory.publish(progress.word, at: JournalLayout.progressOffset)
    memory.publish(JournalLayout.format, at: 0)
  }

  /// Writes an action, whose reduction begins afterward.
  ///
  /// - Returns: `false` if the half is full. A snapshot of the state before the action must then be
  ///   written, followed by the action.
  mutating func begin(_ action: JournalRecord, in memory: some JournalMemory) -> Bool {
    guard !isClosed else { return true }
    let count = JournalFrame.count(of: action)
    guard count <= layout.actionLimit else {
      let rest = action.shortened
      return begin(rest, count: JournalFrame.count(of: rest), in: memory)
    }
    return begin(action, count: count, in: memory)
  }

  @inline(__always)
  private mutating func begin(
    _ action: JournalRecord, count: Int, in memory: some JournalMemory
  ) -> Bool {
    guard limit &- free >= count else { return false }
    let number = progress.number &+ 1
    JournalFrame.write(.action, action, number: number, to: memory, at: free)
    free = free &+ count
    advance(to: .reducing, number: number, in: memory)
    return true
  }

  /// Records that the reduction of the newest action has ended.
  mutating func end(in memory: some JournalMemory) {
    guard !isClosed else { return }
    advance(to: .idle, number: progress.number, in: memory)
  }

  /// Writes a snapshot of the state before the next action to the half without the newest
  /// snapshot.
  ///
  /// - Returns: `true` if the snapshot was written without its contents, because it is too large.
  mutating func begin(half snapshot: JournalRecord, in memory: some JournalMemory) -> Bool {
    guard !isClosed else { return false }
    let next = half?.other ?? .first
    let start = layout.start(of: next)
    // Otherwise, the new contents could replace a part of the older actions while their snapshot
    // still appears to be valid.
    memory.publish(0, at: start)
    let isTooLarge = JournalFrame.count(of: snapshot) > layout.snapshotLimit
    let record = isTooLarge ? snapshot.shortened : snapshot
    JournalFrame.write(.snapshot, record, number: progress.number &+ 1, to: memory, at: start)
    half = next
    free = start + JournalFrame.count(of: record)
    limit = layout.end(of: next)
    if progress.phase == .clean { advance(to: .idle, number: progress.number, in: memory) }
    return isTooLarge
  }

  /// Records that the program has ended normally.
  ///
  /// Later calls have no effect.
  mutating func close(in memory: some JournalMemory) {
    guard !isClosed else { return }
    advance(to: .clean, number: progress.number, in: memory)
    isClosed = true
  }

  @inline(__always)
  private mutating func advance(
    to phase: JournalProgress.Phase, number: UInt64, in memory: some JournalMemory
  ) {
    progress = JournalProgress(phase, number: number)
    memory.publish(progress.word, at: JournalLayout.progressOffset)
  }
}
