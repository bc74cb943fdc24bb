import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// The storage of a program that is killed: after some changes it does nothing more, and an
/// interrupted write leaves a part of the file.
private final class KilledStorage: StateStorage {
  struct Killed: Error {}

  let files: InMemoryStorage
  /// The number of changes before the program is killed.
  private let left: Shared<Int>
  /// The part of the last write that is on disk, in quarters.
  private let quarters: Int

  init(_ files: [String: Data], after changes: Int, leaving quarters: Int) {
    self.files = InMemoryStorage(files: files)
    self.left = Shared(changes)
    self.quarters = quarters
  }

  var isKilled: Bool { left.value < 0 }

  func read(_ name: String) throws -> Data? {
    if isKilled { throw Killed() }
    return try files.read(name)
  }

  func write(_ data: Data, to name: String) throws {
    let remaining = takeOne()
    if remaining == -1 { try files.write(data.prefix(data.count * quarters / 4), to: name) }
    if remaining < 0 { throw Killed() }
    try files.write(data, to: name)
  }

  func rename(_ name: String, to newName: String) throws {
    if takeOne() < 0 { throw Killed() }
    try files.rename(name, to: newName)
  }

  func names() throws -> [String] {
    if isKilled { throw Killed() }
    return try files.names()
  }

  private func takeOne() -> Int {
    left.change { left in
      left -= 1
      return left
    }
  }
}

@Suite("A program that is killed at each of its steps")
struct SimulatedKillTests {
  /// The files in the storage, and the count that must no longer be lost.
  struct Disk {
    var files: [String: Data]
    var saved: Int
    /// The files that no program may overwrite or remove.
    var treasures: [Data] = []
  }

  /// A program that loads, and then adds one and flushes three times, until it is killed.
  ///
  /// - Returns: The remaining files, and whether the program was killed.
  private func run(on disk: Disk, loading: Bool, killedAfter changes: Int, leaving quarters: Int) -> (
    Disk, Bool
  ) {
    let storage = KilledStorage(disk.files, after: changes, leaving: quarters)
    let persistence = Persistence(of: \App.library, in: storage, onProblem: { _ in })
    var state = App()
    state.library.count = disk.saved
    if loading {
      let loaded = persistence.load()
      if !storage.isKilled { expectGood(loaded, disk, "on start") }
      if let value = loaded.value { state.library = value }
    }
    var after = disk
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: state)
    for _ in 1...3 {
      store.dispatch(Add())
      do {
        try persistence.flush()
        after.saved = store.state.library.count
      } catch {
        #expect(storage.isKilled, "\(error)")
      }
    }
    after.files = storage.files.files
    return (after, storage.isKilled)
  }

  /// The loaded count is at least the count that was known to be saved, and no new problem exists.
  private func expectGood(_ loaded: Loaded<Library>, _ disk: Disk, _ comment: @autoclosure () -> String) {
    let harmless: Set<PersistenceError.Code> =
      disk.treasures.isEmpty ? [.halfWritten] : [.halfWritten, .corrupt, .newerVersion]
    #expect(loaded.value?.count ?? 0 >= disk.saved, "\(comment())")
    #expect(harmless.isSuperset(of: loaded.problems.map(\.code)), "\(comment())")
    for problem in loaded.problems { #expect(problem.setAsideAs != nil, "\(comment())") }
  }

  private func expectGood(_ disk: Disk, _ comment: @autoclosure () -> String) {
    for treasure in disk.treasures {
      #expect(disk.files.values.contains(treasure), "\(comment()): \(disk.files.keys)")
    }
    let loaded = Desk(on: StorageProbe(InMemoryStorage(files: disk.files))).persistence.load()
    expectGood(loaded, disk, comment())
  }

  static func disks() throws -> [Disk] {
    let whole = try StorageProbe.withSaved(1, 2).files.files
    let newer = try #require(try StorageProbe.withSaved(9, version: 2).files.files["state.json"])
    let bad = Data("bad".utf8)
    return [
      Disk(files: [:], saved: 0),
      Disk(files: whole, saved: 2),
      Disk(files: whole.merging(["state.json.partial": Data("{".utf8)]) { $1 }, saved: 2),
      Disk(files: whole.merging(["state.json.partial": newer]) { $1 }, saved: 2, treasures: [newer]),
      Disk(files: whole.merging(["state.json": bad]) { $1 }, saved: 1, treasures: [bad]),
      Disk(files: whole.merging(["state.json": newer]) { $1 }, saved: 1, treasures: [newer]),
      Disk(files: whole.merging(["state.previous.json": newer]) { $1 }, saved: 2, treasures: [newer]),
    ]
  }

  @Test(
    "flushed states and unusable files remain, wherever two programs are killed",
    arguments: [false, true])
  func everywhere(loading: Bool) throws {
    var kills = 0
    for (number, disk) in try Self.disks().enumerated() {
      for quarters in [0, 3, 4] {
        var (first, isFirstKilled) = (0, true)
        while isFirstKilled {
          let once: Disk
          (once, isFirstKilled) = run(on: disk, loading: loading, killedAfter: first, leaving: quarters)
          expectGood(once, "disk \(number), killed after \(first), \(quarters) quarters")
          var (second, isSecondKilled) = (0, true)
          while isSecondKilled {
            let twice: Disk
            (twice, isSecondKilled) = run(on: once, loading: loading, killedAfter: second, leaving: quarters)
            expectGood(twice, "disk \(number), killed after \(first) and \(second), \(quarters) quarters")
            kills += 1
            second += 1
          }
          first += 1
        }
      }
    }
    #expect(kills > 1000)
  }
}
