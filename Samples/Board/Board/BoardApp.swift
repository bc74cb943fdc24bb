package import Flux
package import FluxLog

/// The board: a store whose changes are in a log before they are acknowledged or shown.
package final class BoardApp: Sendable {
  package let store: Store<BoardState>
  private let changes: ChangeLog
  /// A selector that creates the event of a list once for all pages that receive the list.
  private let event = StateSelector(\Shown.list) { list in BoardEvent(list) }

  /// Creates the board with the list that a log makes.
  ///
  /// - Parameters:
  ///   - log: The log of the changes.
  ///   - isShared: A Boolean value that indicates whether other processes append to the log. The
  ///     default is `false`.
  ///   - snapshotLimit: The number of bytes of changes after which a snapshot is saved.
  ///   - clock: The clock that measures the pause before a shared log is used again.
  ///   - plugins: Additional plug-ins of the store.
  ///   - onProblem: Called with a description of each problem.
  ///   - onFailure: Called when the log can no longer be used.
  /// - Throws: ``BoardError`` or a `LogError`.
  package init(
    log: any ActionLog, isShared: Bool = false, snapshotLimit: Int = 1 << 20,
    clock: any Clock<Duration> = ContinuousClock(), plugins: [Plugin<BoardState>] = [],
    onProblem: @escaping @Sendable (String) -> Void, onFailure: @escaping @Sendable () -> Void = {}
  ) async throws {
    let saved = try await SavedList(of: log)
    changes = ChangeLog(
      log, isShared: isShared, count: saved.count, snapshotLimit: snapshotLimit, clock: clock,
      onProblem: onProblem, onFailure: onFailure)
    store = Store(
      reducer: boardReducer, plugins: [changes.plugin] + plugins, state: BoardState(saved.list))
    if isShared { changes.follow() }
  }

  /// Makes a change, and waits until the log contains it.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - key: A key by which the board recognizes a change that it has already made. The change is
  ///     then not made again, and receives the same answer.
  /// - Returns: The result of the change.
  /// - Throws: The error of the log. The change might be present later.
  package func perform(_ change: Change, key: ChangeKey? = nil) async throws(LogError) -> Answer {
    try await changes.answer(to: change, key: key, dispatch: store.dispatch)
  }

  /// Returns the list in the log.
  package func read() -> ItemList {
    store.dispatch(Read())
    return store.withState(\.saved)
  }

  /// Returns the list as a sequence of events for a page, until the board ends.
  ///
  /// - Parameters:
  ///   - version: The version that the page received on an earlier connection. A version that is
  ///     newer than the list is ignored, because it belongs to another board, which this board has
  ///     replaced.
  ///   - client: The name that the page uses in the keys of its changes. If a list contains a new
  ///     change of the page, the page receives the number of the change before the list.
  package func events(after version: Int?, for client: String? = nil) -> BoardEvents {
    events(newerThan: version.flatMap { $0 <= store.withState(\.saved).version ? $0 : nil }, for: client)
  }

  /// Returns the list as a sequence of events for a page that might have been connected to another
  /// process.
  ///
  /// If the log has reached the version of the page, and this process has not read it yet, the
  /// sequence waits until the list is newer than the page.
  package func events(continuing version: Int?, for client: String? = nil) async -> BoardEvents {
    guard let version, version > store.withState(\.saved).version, await changes.hasReached(version) else {
      return events(after: version, for: client)
    }
    return events(newerThan: version, for: client)
  }

  private func events(newerThan version: Int?, for client: String?) -> BoardEvents {
    BoardEvents(of: store.values(of: Shown.init), from: store.proxy, after: version, for: client) { [event] in
      event($0)
    }
  }

  /// Ends the event streams of all pages.
  package func end() {
    store.dispatch(End())
  }

  /// Waits until the log contains everything, or has refused it.
  ///
  /// Call this method last.
  ///
  /// - Throws: The error after which the log could not be used, which was already reported.
  package func close() async throws(LogError) {
    try await changes.finish()
  }
}
