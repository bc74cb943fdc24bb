import Board
import Flux
import Synchronization
import Testing

/// What a board was told, or has told, in order.
final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }

  func add(_ note: Note) {
    notes.withLock { $0.append(note) }
  }
}

extension BoardApp {
  /// A board on storages in memory.
  static func test(
    _ journal: TestJournal = TestJournal(), snapshots: InMemoryStorage = InMemoryStorage(),
    segmentLimit: Int = 1 << 20, problems: Notes<String> = Notes(), failures: Notes<Void> = Notes()
  ) throws -> BoardApp {
    try BoardApp(
      snapshots: snapshots, changes: journal, segmentLimit: segmentLimit,
      onProblem: { problems.add($0) }, onFailure: { failures.add(()) })
  }

  /// The texts of what is on disk.
  var texts: [String] { store.state.saved.items.map(\.text) }

  /// Waits until a state is so.
  func until(_ isSo: @escaping @Sendable (BoardState) -> Bool) async {
    for await isSo in store.values(of: isSo) where isSo { return }
  }
}
