import Board
import Flux
import FluxLog
import Synchronization
import Testing

/// The notes that a test collects, in the order in which they were added.
final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }

  func add(_ note: Note) {
    notes.withLock { $0.append(note) }
  }
}

extension BoardApp {
  /// Creates a board that stores its data in memory.
  static func test(
    _ log: any ActionLog = MemoryLog(), isShared: Bool = false, snapshotLimit: Int = 1 << 20,
    clock: any Clock<Duration> = ContinuousClock(), problems: Notes<String> = Notes(),
    failures: Notes<Void> = Notes()
  ) async throws -> BoardApp {
    try await BoardApp(
      log: log, isShared: isShared, snapshotLimit: snapshotLimit, clock: clock,
      onProblem: { problems.add($0) }, onFailure: { failures.add(()) })
  }

  /// The text of each item on disk.
  var texts: [String] { store.state.saved.items.map(\.text) }

  /// Waits until the state satisfies a condition.
  func until(_ isSo: @escaping @Sendable (BoardState) -> Bool) async {
    for await isSo in store.values(of: isSo) where isSo { return }
  }
}
