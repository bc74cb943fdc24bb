import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A flush after failed operations")
struct LaterFlushTests {
  /// The counts that a program flushes one after another, starting from its initial count.
  private static let steps = [1, 0, 2, 1, 0]

  private static func disks() throws -> [[String: Data]] {
    let whole = try StorageProbe.withSaved(1, 2).files.files
    let third = try StorageProbe.withSaved(3).files.files["state.json"]
    return [
      [:], whole,
      whole.filter { $0.key == "state.previous.json" },
      whole.merging(["state.json.partial": third ?? Data()]) { $1 },
    ]
  }

  /// Flushes each count, and checks each flush that returns.
  ///
  /// - Parameter isFlushedFirst: Whether the program flushes before it changes anything.
  /// - Returns: The number of operations.
  private func run(
    on files: [String: Data], failing: Set<Int>, as failure: FailingStorage.Failure,
    isFlushedFirst: Bool = false
  ) -> Int {
    let storage = FailingStorage(files, failing: failing, as: failure)
    let persistence = Persistence(of: \App.library, in: storage, onProblem: { _ in })
    let first = persistence.load().value?.count ?? 0
    let store = Store(
      reducer: appReducer, plugins: [persistence.plugin], state: App(library: Library(count: first)))
    for step in Self.steps {
      store.dispatch(Add(amount: first + step - store.state.library.count))
      do {
        try persistence.flush()
        let copy = StorageProbe(InMemoryStorage(files: storage.files.files))
        let next = Desk(on: copy).persistence.load()
        #expect(
          next.value?.count == store.state.library.count && next.origin == .current,
          "\(failing) of \(failure) failed, on \(files.keys.sorted()), at \(step)")
      } catch {
        #expect(failing.contains { $0 < storage.count }, "\(error)")
      }
    }
    return storage.count
  }

  @Test(
    "the next start loads the flushed state after any operation has failed",
    arguments: FailingStorage.Failure.allCases)
  func once(failure: FailingStorage.Failure) throws {
    var runs = 0
    for files in try Self.disks() {
      var (position, isHit) = (0, true)
      while isHit {
        isHit = run(on: files, failing: [position], as: failure) > position
        position += 1
        runs += 1
      }
    }
    #expect(runs > 60)
  }

  @Test(
    "the next start loads the flushed state after any two operations have failed",
    arguments: FailingStorage.Failure.allCases)
  func twice(failure: FailingStorage.Failure) throws {
    var runs = 0
    for files in try Self.disks() {
      var (first, isFirstHit) = (0, true)
      while isFirstHit {
        var (second, isSecondHit) = (first + 1, true)
        while isSecondHit {
          let count = run(on: files, failing: [first, second], as: failure)
          (isFirstHit, isSecondHit) = (count > first, count > second)
          second += 1
          runs += 1
        }
        first += 1
      }
    }
    #expect(runs > 1_000)
  }

  @Test("a flush of the earlier value after a failed rename writes it again", arguments: [0, 1])
  func earlierValue(renames: Int) throws {
    let storage = try StorageProbe.withSaved(1)
    let desk = Desk(on: storage)
    let store = desk.makeStore(desk.persistence.restored(App()))
    let done = Shared(0)
    storage.files.failure = { operation in
      guard case .rename = operation else { return nil }
      return done.increment() > renames ? DiskFull() : nil
    }
    store.dispatch(Add())
    #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    storage.files.failure = nil
    store.dispatch(Add(amount: -1))
    try desk.persistence.flush()
    #expect(storage.savedCount == 1)
  }

  @Test("a store made with another value than the loaded one saves that value after a change back to it")
  func otherThanLoaded() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1))
    #expect(desk.persistence.load().value?.count == 1)
    let store = desk.makeStore(App(library: Library(count: 11)))
    store.dispatch(Add(amount: -6))
    store.dispatch(Add(amount: 6))
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 11)
    withExtendedLifetime(store) {}
  }

  @Test("a store made after a load that found nothing saves a change back to its first value")
  func nothingLoaded() throws {
    let desk = Desk()
    #expect(desk.persistence.load().value == nil)
    let store = desk.makeStore(App(library: Library(count: 11)))
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == nil)
    store.dispatch(Add(amount: -6))
    store.dispatch(Add(amount: 6))
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 11)
    withExtendedLifetime(store) {}
  }
}
