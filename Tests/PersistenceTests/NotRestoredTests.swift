import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("A save before the saved state is restored")
struct NotRestoredTests {
  private let storage: StorageProbe
  private let desk: Desk

  init() throws {
    storage = try StorageProbe.withSaved(3, 5)
    desk = Desk(on: storage)
  }

  private func add(_ saved: Library, _ current: Library) -> Library {
    Library(count: saved.count + current.count)
  }

  @Test("a save keeps a copy of a file that the program has not loaded, and reports the copy")
  func kept() throws {
    let before = storage.files.files["state.json"]
    let store = desk.makeStore()
    for _ in 1...4 {
      store.dispatch(Add(amount: 1))
      try desk.persistence.flush()
    }
    #expect(storage.savedCount == 4)
    #expect(storage.files.files["state.not-restored-1.json"] == before)
    #expect(desk.problems.values.map(\.code) == [.notRestored])
    #expect(desk.problems.values.map(\.setAsideAs) == ["state.not-restored-1.json"])
    #expect(
      desk.problems.values.map(\.description) == [
        """
        state.json was not restored: a state was saved before the file was loaded or restored. A copy was kept \
        as state.not-restored-1.json.
        """
      ])
  }

  @Test("a save that fails keeps one copy, and the next save none")
  func keptOnce() throws {
    let store = desk.makeStore()
    store.dispatch(Add())
    storage.files.failure = { $0 == .write("state.json.partial") ? DiskFull() : nil }
    for _ in 1...2 { #expect(throws: PersistenceError.self) { try desk.persistence.flush() } }
    storage.files.failure = nil
    try desk.persistence.flush()
    #expect(desk.problems.values.map(\.code) == [.notRestored, .unwritable, .unwritable])
    #expect(
      Set(storage.files.files.keys) == ["state.json", "state.previous.json", "state.not-restored-1.json"])
  }

  @Test("nothing is saved when the copy cannot be written")
  func notKept() throws {
    let before = storage.files.files
    let store = desk.makeStore()
    store.dispatch(Add())
    storage.files.failure = { $0 == .write("state.json.copy") ? DiskFull() : nil }
    #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    #expect(storage.files.files == before)
    withExtendedLifetime(store) {}
  }

  @Test("a save makes no copy of a file that the program has loaded")
  func loaded() throws {
    let store = desk.makeStore(desk.persistence.restored(App()))
    store.dispatch(Add())
    try desk.persistence.flush()
    #expect(desk.problems.values.isEmpty)
    #expect(Set(storage.files.files.keys) == ["state.json", "state.previous.json"])
  }

  @Test("a save keeps a copy of a saved state whose restore was superseded")
  func superseded() async throws {
    let before = storage.files.files["state.json"]
    let store = desk.makeStore()
    store.dispatch(Add())
    #expect(await desk.persistence.restore() == .superseded)
    try await desk.persistence.flush()
    #expect(storage.files.files["state.not-restored-1.json"] == before)
    #expect(storage.savedCount == 1)
  }

  @Test("a save makes no copy of a restored state")
  func restored() async throws {
    let store = desk.makeStore()
    #expect(await desk.persistence.restore() == .restored)
    store.dispatch(Add())
    try await desk.persistence.flush()
    #expect(desk.problems.values.isEmpty)
    #expect(storage.savedCount == 6)
  }

  @Test("a file that does not decode is set aside, and a copy of the previous generation is kept")
  func undecodable() throws {
    let before = storage.files.files["state.previous.json"]
    let other = InMemoryStorage()
    let persistence = Persistence(of: \App.screen, in: other)
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Show(screen: 1))
    try persistence.flush()
    storage.files.files["state.json"] = other.files["state.json"]
    let edited = desk.makeStore()
    edited.dispatch(Add())
    try desk.persistence.flush()
    #expect(desk.problems.values.map(\.code) == [.undecodable, .notRestored])
    #expect(storage.files.files["state.undecodable-1.json"] == other.files["state.json"])
    #expect(storage.files.files["state.not-restored-1.json"] == before)
    #expect(storage.savedCount == 1)
  }

  // MARK: - Merging

  @Test(
    "a merge combines the saved state with an edit, whether or not the edit was saved",
    arguments: [false, true])
  func merged(isSaved: Bool) async throws {
    let store = desk.makeStore()
    store.dispatch(Add(amount: 100))
    if isSaved { try await desk.persistence.flush() }
    #expect(await desk.persistence.restore(merging: add) == .restored)
    #expect(store.state.library.count == 105)
    try await desk.persistence.flush()
    #expect(storage.savedCount == 105)
    #expect(desk.problems.values.map(\.code) == (isSaved ? [.notRestored] : []))
  }

  @Test("a saved state is merged once")
  func mergedOnce() async throws {
    let store = desk.makeStore()
    #expect(await desk.persistence.restore(merging: add) == .restored)
    #expect(await desk.persistence.restore(merging: add) == .superseded)
    try await desk.persistence.flush()
    #expect(await desk.persistence.restore(merging: add) == .superseded)
    #expect(store.state.library.count == 5)
  }

  @Test("two simultaneous merges merge once")
  func mergedTwice() async throws {
    let store = desk.makeStore()
    async let first = desk.persistence.restore(merging: add)
    async let second = desk.persistence.restore(merging: add)
    #expect(await Set([first, second]) == [.restored, .superseded])
    #expect(store.state.library.count == 5)
  }

  @Test("a merge after a superseded restore combines the saved state")
  func mergedAfterSuperseded() async throws {
    let store = desk.makeStore()
    store.dispatch(Add(amount: 100))
    #expect(await desk.persistence.restore() == .superseded)
    try await desk.persistence.flush()
    #expect(await desk.persistence.restore() == .superseded)
    #expect(await desk.persistence.restore(merging: add) == .restored)
    #expect(store.state.library.count == 105)
  }

  @Test("without a saved state there is nothing to merge")
  func nothingToMerge() async {
    let desk = Desk()
    let store = desk.makeStore()
    #expect(await desk.persistence.restore(merging: add) == .nothingSaved)
    withExtendedLifetime(store) {}
  }

  @Test("a save in the background waits for a restore, and then saves the restored state")
  func waits() async {
    let (reading, door) = (EventLog<Bool>(), Gate())
    storage.before { operation in
      guard operation == .read("state.json") else { return }
      reading.record(true)
      door.wait()
    }
    let store = desk.makeStore()
    store.dispatch(Add(amount: 100))
    await desk.clock.sleepers(atLeast: 1)
    async let outcome = desk.persistence.restore(merging: add)
    await reading.count(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    letOthersRun()
    door.open()
    #expect(await outcome == .restored)
    await storage.saves(atLeast: 1)
    #expect(storage.savedCount == 105)
    #expect(storage.saveCount == 1)
    #expect(desk.problems.values.isEmpty)
    withExtendedLifetime(store) {}
  }
}
