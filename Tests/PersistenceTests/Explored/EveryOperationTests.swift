import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A storage whose operations fail")
struct EveryOperationTests {
  private struct Run {
    let storage: FailingStorage
    /// The count that the last returned flush has saved.
    var saved: Int
    /// The files that no program may overwrite or remove.
    var treasures: [Data]
    /// The counts that a starting program may load while no flush has returned: the earlier one,
    /// or one that a flush tried to save.
    var found: Set<Int>
  }

  /// A program that loads, and then adds one and flushes three times; the fourth time no operation
  /// fails.
  private func run(on disk: SimulatedKillTests.Disk, failing: Set<Int>, as failure: FailingStorage.Failure)
    throws -> Run
  {
    let storage = FailingStorage(disk.files, failing: failing, as: failure)
    let persistence = Persistence(of: \App.library, in: storage, onProblem: { _ in })
    let loaded = persistence.load()
    var run = Run(
      storage: storage, saved: loaded.value?.count ?? 0, treasures: disk.treasures, found: [disk.saved])
    // A saved file that could not be loaded now may be needed later.
    let missed = [
      loaded.origin != .current ? storage.files.files["state.json"] : nil,
      loaded.origin == .nothing ? storage.files.files["state.previous.json"] : nil,
    ]
    run.treasures += missed.compactMap { $0 }.filter { count(of: $0) != loaded.value?.count }
    var state = App()
    if let value = loaded.value { state.library = value }
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: state)
    for _ in 1...3 {
      store.dispatch(Add())
      run.found.insert(store.state.library.count)
      do throws(PersistenceError) {
        try persistence.flush()
        run.saved = store.state.library.count
        run.found = [run.saved]
      } catch {
        #expect(failing.contains { $0 < storage.count }, "\(error)")
      }
      try expectGood(run, "\(failing) of \(failure), \(disk.files.keys.sorted())")
    }
    store.dispatch(Add())
    if failing.allSatisfy({ $0 < storage.count }) {
      try persistence.flush()
      run.saved = store.state.library.count
      run.found = [run.saved]
    }
    try expectGood(run, "in the end, \(failing) of \(failure), \(disk.files.keys.sorted())")
    return run
  }

  /// The count in a saved file; `nil` if the file is unusable.
  private func count(of file: Data) -> Int? {
    StorageProbe(InMemoryStorage(files: ["state.json": file])).savedCount
  }

  /// A starting program finds the saved state, and no unusable file is lost.
  private func expectGood(_ run: Run, _ comment: String) throws {
    let files = run.storage.files.files
    for treasure in run.treasures { #expect(files.values.contains(treasure), "\(comment)") }
    let copy = StorageProbe(InMemoryStorage(files: files))
    let found = copy.savedCount ?? 0
    #expect(found >= run.saved, "\(comment), in \(files.keys.sorted())")
    #expect(run.found.contains(found), "\(found): \(comment), in \(files.keys.sorted())")
  }

  @Test(
    "one to three failures in a row lose no flushed state and no unusable file, and saving continues",
    arguments: [1, 2, 3])
  func everywhere(length: Int) throws {
    var faults = 0
    for disk in try SimulatedKillTests.disks() {
      for failure in FailingStorage.Failure.allCases {
        var (first, isHit) = (0, true)
        while isHit {
          let run = try run(on: disk, failing: Set(first..<(first + length)), as: failure)
          isHit = run.storage.count > first
          first += 1
          faults += 1
        }
      }
    }
    #expect(faults > 300)
  }

  @Test(
    "any two failures lose no flushed state and no unusable file, and saving continues",
    arguments: FailingStorage.Failure.allCases)
  private func twice(failure: FailingStorage.Failure) throws {
    var faults = 0
    for disk in try SimulatedKillTests.disks() + Self.moreDisks() {
      var (first, isFirstHit) = (0, true)
      while isFirstHit {
        var (second, isSecondHit) = (first + 1, true)
        while isSecondHit {
          let run = try run(on: disk, failing: [first, second], as: failure)
          (isFirstHit, isSecondHit) = (run.storage.count > first, run.storage.count > second)
          second += 1
          faults += 1
        }
        first += 1
      }
    }
    #expect(faults > 2_000)
  }

  /// The files of a program that is interrupted between the two renames of a save, and before the
  /// first one.
  private static func moreDisks() throws -> [SimulatedKillTests.Disk] {
    let whole = try StorageProbe.withSaved(1, 2).files.files
    let interrupted = try StorageProbe.withSaved(3).files.files["state.json"]
    return [
      SimulatedKillTests.Disk(files: whole.filter { $0.key == "state.previous.json" }, saved: 1),
      SimulatedKillTests.Disk(files: whole.filter { $0.key == "state.json" }, saved: 2),
      SimulatedKillTests.Disk(
        files: whole.merging(["state.json.partial": interrupted ?? Data()]) { $1 }, saved: 3),
    ]
  }
}
