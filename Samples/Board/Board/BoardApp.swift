package import Flux
package import FluxLog

/// The board: a store whose changes are on disk before they are acknowledged or shown.
package final class BoardApp: Sendable {
  package let store: Store<BoardState>
  private let changes: ChangeLog
  /// A selector that creates the event of a list once for all pages that receive the list.
  private let event = StateSelector(\Shown.list) { list in BoardEvent(list) }

  /// Creates the board with the list that a log makes.
  ///
  /// - Parameters:
  ///   - log: The log of the changes.
  ///   - snapshotLimit: The number of bytes of changes after which a snapshot is saved.
  ///   - plugins: Additional plug-ins of the store.
  ///   - onProblem: Called with a description of each problem.
  ///   - onFailure: Called when changes can no longer be saved.
  /// - Throws: ``BoardError`` or a `LogError`.
  package init(
    log: any ActionLog, snapshotLimit: Int = 1 << 20, plugins: [Plugin<BoardState>] = [],
    onProblem: @escaping @Sendable (String) -> Void, onFailure: @escaping @Sendable () -> Void = {}
  ) async throws {
    let saved = try await SavedList(of: log)
    changes = ChangeLog(
      log, count: saved.count, snapshotLimit: snapshotLimit, onProblem: onProblem, onFailure: onFailure)
    store = Store(
      reducer: boardReducer, plugins: [changes.plugin] + plugins, state: BoardState(saved.list))
  }

  /// Makes a change, and waits until the change is on disk.
  ///
  /// - Returns: The result of the change.
  /// - Throws: The error of the write, after which changes can no longer be saved. The change might
  ///   be present after a restart.
  package func perform(_ change: Change) async throws(LogError) -> Answer {
    try await changes.answer(to: change, dispatch: store.dispatch)
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
  /// - Throws: The error of a failed write, which was already reported.
  package func close() async throws(LogError) {
    try await changes.finish()
  }
}
