package import Flux
import Synchronization

/// The board: a store whose changes are on disk before they are acknowledged or shown.
package final class BoardApp: Sendable {
  package let store: Store<BoardState>
  private let persistence: Persistence<BoardState, ItemList>
  private let journal: Journal
  private let hasFailedToClose: Flag
  /// A selector that creates the event of a list once for all pages that receive the list.
  private let event = StateSelector(\Shown.list) { list in BoardEvent(list) }

  /// Creates the board with the saved list.
  ///
  /// - Parameters:
  ///   - snapshots: The storage for snapshots of the whole list.
  ///   - changes: The storage for the changes since the last snapshot.
  ///   - segmentLimit: The number of bytes of changes after which a snapshot is made.
  ///   - plugins: Additional plug-ins of the store.
  ///   - onProblem: Called with a description of each problem.
  ///   - onFailure: Called when changes can no longer be saved.
  /// - Throws: ``JournalError`` if an acknowledged change might be missing.
  package init(
    snapshots: any StateStorage, changes: any JournalStorage, segmentLimit: Int = 1 << 20,
    plugins: [Plugin<BoardState>] = [], onProblem: @escaping @Sendable (String) -> Void,
    onFailure: @escaping @Sendable () -> Void = {}
  ) throws(JournalError) {
    let hasFailedToClose = Flag()
    let persistence = Persistence<BoardState, ItemList>(
      of: \.saved, in: snapshots, name: "board", window: .seconds(60),
      onProblem: { problem in
        // If `close()` failed to save, the store saves again when it is released, and would
        // report the same problem twice.
        if !hasFailedToClose.isRaised { onProblem("\(problem)") }
      })
    let loaded = persistence.load()
    let snapshot = loaded.value ?? ItemList()
    let replay = try JournalReplay(of: changes, onto: snapshot)
    for segment in replay.torn {
      onProblem("The last line of segment \(segment) of the journal is incomplete. It was not acknowledged.")
    }
    let writer = SegmentWriter(
      storage: changes, replay: replay, snapshot: loaded.origin == .current ? snapshot.version : 0,
      limit: segmentLimit, takeSnapshot: { try persistence.flush() }, onProblem: onProblem)
    let journal = Journal(writer: writer) { error in
      onProblem("\(error)")
      onFailure()
    }
    self.persistence = persistence
    self.journal = journal
    self.hasFailedToClose = hasFailedToClose
    store = Store(
      reducer: boardReducer, plugins: [persistence.plugin, journal.plugin] + plugins,
      state: BoardState(replay.list))
  }

  /// Makes a change, and waits until the change is on disk.
  ///
  /// - Returns: The result of the change.
  /// - Throws: ``JournalError`` if changes can no longer be saved. The change might be present
  ///   after a restart.
  package func perform(_ change: Change) async throws(JournalError) -> Answer {
    try await journal.answer(to: change, dispatch: store.dispatch)
  }

  /// Returns the list on disk.
  package func read() -> ItemList {
    store.dispatch(Read())
    return store.withState(\.saved)
  }

  /// Returns the list as a sequence of events for a page, until the board ends.
  ///
  /// - Parameter version: The version that the page received on an earlier connection.
  package func events(after version: Int?) -> BoardEvents {
    BoardEvents(of: store.values(of: Shown.init), from: store.proxy, after: known(version)) { [event] in
      event($0)
    }
  }

  /// Returns a version that a page has seen, if the version belongs to this board.
  ///
  /// A version that is newer than the list on disk belongs to another board, which this board
  /// has replaced.
  private func known(_ version: Int?) -> Int? {
    version.flatMap { $0 <= store.withState(\.saved).version ? $0 : nil }
  }

  /// Ends the event streams of all pages.
  package func end() {
    store.dispatch(End())
  }

  /// Waits until everything is on disk.
  ///
  /// Call this method last.
  ///
  /// - Throws: An error that was already reported. The error is a ``JournalError`` if the journal
  ///   could not be written. Otherwise, it is the error that prevented a save of the whole list,
  ///   but the journal contains all changes.
  package func close() async throws {
    await journal.finish()
    do {
      try await persistence.flush()
    } catch {
      hasFailedToClose.raise()
      throw error
    }
    if let failure = journal.failure { throw failure }
  }
}

/// A flag that any thread can set, and that is never reset.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() {
    value.store(true, ordering: .releasing)
  }
}
