package import Flux
import Synchronization

/// The board: a store whose changes are on disk before anybody is told of them.
package final class BoardApp: Sendable {
  package let store: Store<BoardState>
  private let persistence: Persistence<BoardState, ItemList>
  private let journal: Journal
  private let hasFailedToClose: Flag
  /// What pages are sent: made once for all that are told of the same list.
  private let event = StateSelector(\Shown.list) { list in BoardEvent(list) }

  /// Creates the board with the list as it was last.
  ///
  /// - Parameters:
  ///   - snapshots: Where the whole list is kept, now and then.
  ///   - changes: Where each change since is kept.
  ///   - segmentLimit: How many bytes of changes make a snapshot worth while.
  ///   - plugins: What else hears of the actions.
  ///   - onProblem: Hears of what has gone wrong, in words.
  ///   - onFailure: Hears that nothing can be saved any more.
  /// - Throws: ``JournalError`` when a change that was acknowledged may be missing.
  package init(
    snapshots: any StateStorage, changes: any JournalStorage, segmentLimit: Int = 1 << 20,
    plugins: [Plugin<BoardState>] = [], onProblem: @escaping @Sendable (String) -> Void,
    onFailure: @escaping @Sendable () -> Void = {}
  ) throws(JournalError) {
    let hasFailedToClose = Flag()
    let persistence = Persistence<BoardState, ItemList>(
      of: \.saved, in: snapshots, name: "board", window: .seconds(60),
      onProblem: { problem in
        // What closing could not save, the end of the store tries once more, and would say once more.
        if !hasFailedToClose.isRaised { onProblem("\(problem)") }
      })
    let loaded = persistence.load()
    let snapshot = loaded.value ?? ItemList()
    let replay = try JournalReplay(of: changes, onto: snapshot)
    for segment in replay.torn {
      onProblem("The last line of segment \(segment) of the journal is torn: nobody was told of it.")
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

  /// Makes a change, and waits until it is on disk.
  ///
  /// - Returns: What became of it.
  /// - Throws: ``JournalError`` when nothing can be saved any more. The change may then be there after a restart, or not.
  package func perform(_ change: Change) async throws(JournalError) -> Answer {
    try await journal.answer(to: change, dispatch: store.dispatch)
  }

  /// The list as it is on disk.
  package func read() -> ItemList {
    store.dispatch(Read())
    return store.withState(\.saved)
  }

  /// The list for a page to follow, until the board ends.
  ///
  /// - Parameter version: What the page has seen already, of an earlier connection.
  package func events(after version: Int?) -> BoardEvents {
    BoardEvents(of: store.values(of: Shown.init), from: store.proxy, after: known(version)) { [event] in
      event($0)
    }
  }

  /// A version that a page has seen, if it was this board's: what is newer than what is on disk was seen of another board,
  /// in the place of which this one was put.
  private func known(_ version: Int?) -> Int? {
    version.flatMap { $0 <= store.withState(\.saved).version ? $0 : nil }
  }

  /// Says good-bye to all pages.
  package func end() {
    store.dispatch(End())
  }

  /// Waits until everything is on disk, as the last thing that is asked of the board.
  ///
  /// - Throws: What keeps it from being there, and has been said already: what kept the whole list from being saved,
  ///   which the journal has nevertheless, or the ``JournalError`` since which nothing was saved.
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

/// Whether something has happened.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() {
    value.store(true, ordering: .releasing)
  }
}
