import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Failing persistence")
struct PersistenceFailureTests {
  private struct Broken: Error, CustomStringConvertible {
    var description: String { "it is\nbroken" }
  }

  @Test("a save on a full disk throws, is reported, and keeps the saved state")
  func diskFull() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, 2))
    let before = desk.storage.files.files
    let store = desk.makeStore(desk.persistence.restored(App()))
    desk.storage.files.failure = { if case .write = $0 { DiskFull() } else { nil } }
    store.dispatch(Add())
    let error = #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    #expect(error?.code == .unwritable)
    #expect(
      error?.description
        == """
        state.json.partial cannot be written: the disk is full. The previously saved state is unchanged. The \
        save is retried until the store is released.
        """)
    #expect(desk.problems.values == [error])
    #expect(desk.storage.files.files == before)
  }

  @Test("a flush repeats a save that failed")
  func againByFlush() throws {
    let desk = Desk()
    let store = desk.makeStore()
    desk.storage.files.failure = { if case .write = $0 { DiskFull() } else { nil } }
    store.dispatch(Add())
    #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    desk.storage.files.failure = nil
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 1)
    withExtendedLifetime(store) {}
  }

  @Test("a failed save is repeated after each window, without another change")
  func againAfterWindow() async {
    let desk = Desk()
    let store = desk.makeStore()
    desk.storage.files.failure = { if case .write = $0 { DiskFull() } else { nil } }
    store.dispatch(Add())
    for number in 1...3 {
      await desk.clock.sleepers(atLeast: 1)
      desk.clock.advance(by: .seconds(10))
      await desk.problems.count(atLeast: number)
    }
    desk.storage.files.failure = nil
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    await desk.storage.saves(atLeast: 1)
    #expect(desk.storage.savedCount == 1)
    #expect(desk.problems.values.count == 3)
    withExtendedLifetime(store) {}
  }

  @Test("a failed save is repeated after a second at the earliest, however short the window is")
  func notAtOnce() async {
    let (storage, clock, problems) = (InMemoryStorage(), ManualClock(), EventLog<PersistenceError>())
    storage.failure = { if case .write = $0 { DiskFull() } else { nil } }
    let persistence = Persistence(
      of: \App.library, in: storage, window: .zero, clock: clock, onProblem: { problems.record($0) })
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    await problems.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(0.9))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(0.1))
    await problems.count(atLeast: 2)
    withExtendedLifetime(store) {}
  }

  @Test("a state that cannot be encoded throws, is reported, and is saved again after a change")
  func unencodable() throws {
    struct Measure: FluxState { var value = 0.0 }
    struct Set: Action { let value: Double }
    let (storage, problems) = (InMemoryStorage(), EventLog<PersistenceError>())
    let persistence = Persistence(
      of: \Measure.value, in: storage, onProblem: { problems.record($0) })
    let store = Store(
      reducer: { (state: inout Measure, action: any Action) in
        if let action = action as? Set { state.value = action.value }
      }, plugins: [persistence.plugin], state: Measure())
    store.dispatch(Set(value: .infinity))
    let error = #expect(throws: PersistenceError.self) { try persistence.flush() }
    #expect(error?.code == .unencodable)
    #expect(error?.description.hasPrefix("the state for state.json cannot be encoded: ") == true)
    #expect(problems.values == [error])
    store.dispatch(Set(value: 2.5))
    try persistence.flush()
    #expect(persistence.load().value == 2.5)
  }

  @Test(
    "a rename that fails, or only reports a failure, loses nothing, and the next save succeeds",
    arguments: [0, 1], [false, true])
  func rename(failing: Int, wasMade: Bool) throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, 2))
    let store = desk.makeStore(desk.persistence.restored(App()))
    store.dispatch(Add())
    let (count, files) = (Shared(0), desk.storage.files)
    files.failure = { operation in
      guard case .rename(let name, let newName) = operation, count.increment() == failing + 1 else {
        return nil
      }
      if wasMade {
        var made = files.files
        made[newName] = made.removeValue(forKey: name)
        files.files = made
      }
      return Broken()
    }
    let error = #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    #expect(error?.code == .unwritable && error?.reason == "it is\\nbroken")
    files.failure = nil
    let copy = StorageProbe(InMemoryStorage(files: files.files))
    // The file was written completely, so a starting program finds it.
    #expect(copy.savedCount == 3)
    store.dispatch(Add())
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 4)
    #expect(Set(files.files.keys) == ["state.json", "state.previous.json"])
  }

  @Test("a load does not change a file that cannot be read, and loads the previous generation")
  func unreadable() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, 2))
    let before = desk.storage.files.files
    desk.storage.files.failure = { $0 == .read("state.json") ? Broken() : nil }
    let loaded = desk.persistence.load()
    #expect(loaded.value?.count == 1 && loaded.origin == .previous)
    #expect(loaded.problems.map(\.code) == [.unreadable])
    #expect(
      loaded.problems.map(\.description) == [
        "state.json cannot be read: it is\\nbroken. The file is unchanged."
      ])
    #expect(desk.storage.files.files == before)
  }

  @Test("an unreadable file is set aside before another is saved in its place")
  func unreadableAtSave() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, 2))
    let before = desk.storage.files.files
    desk.storage.files.failure = { $0 == .read("state.json") ? Broken() : nil }
    let store = desk.makeStore(desk.persistence.restored(App()))
    store.dispatch(Add(amount: 5))
    try desk.persistence.flush()
    desk.storage.files.failure = nil
    #expect(desk.storage.files.files["state.unreadable-1.json"] == before["state.json"])
    #expect(desk.storage.files.files["state.previous.json"] == before["state.previous.json"])
    #expect(desk.storage.savedCount == 6)
    withExtendedLifetime(store) {}
  }

  @Test(
    "a file that was unreadable at the start is set aside before a save, even if it is readable by then")
  func unreadableAtFirst() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, 2))
    let before = desk.storage.files.files
    desk.storage.files.failure = { $0 == .read("state.json") ? Broken() : nil }
    let store = desk.makeStore(desk.persistence.restored(App()))
    desk.storage.files.failure = nil
    for _ in 1...3 {
      store.dispatch(Add(amount: 5))
      try desk.persistence.flush()
    }
    #expect(desk.storage.files.files["state.unreadable-1.json"] == before["state.json"])
    #expect(desk.storage.savedCount == 16)
  }

  @Test("on a read-only storage the saved state is loaded, corrupt files remain, and saving throws")
  func readOnly() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, 2))
    desk.storage.files.files["state.json"] = Data("bad".utf8)
    let before = desk.storage.files.files
    desk.storage.files.failure = { operation in
      switch operation {
      case .read, .names: nil
      case .write, .rename: Broken()
      }
    }
    let loaded = desk.persistence.load()
    #expect(loaded.value?.count == 1)
    #expect(loaded.problems.map(\.code) == [.corrupt])
    #expect(
      loaded.problems.map(\.description) == [
        """
        state.json is corrupt: it does not begin with the header of a saved state. The file could not be set aside: \
        it is\\nbroken. The file is unchanged, and no state is saved until the file can be set aside.
        """
      ])
    let store = desk.makeStore()
    store.dispatch(Add())
    let error = #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    #expect(error?.code == .corrupt)
    #expect(desk.storage.files.files == before)
    desk.storage.files.failure = nil
    try desk.persistence.flush()
    #expect(desk.storage.files.files["state.corrupt-1.json"] == Data("bad".utf8))
    #expect(desk.storage.savedCount == 1)
  }

  @Test("a handler of a problem may flush, and may release the store")
  func answer() {
    let answers = Recorder<PersistenceError.Code>()
    let holder = Shared<(Persistence<App, Library>, Store<App>)?>(nil)
    let storage = InMemoryStorage()
    storage.failure = { if case .write = $0 { DiskFull() } else { nil } }
    let persistence = Persistence(
      of: \App.library, in: storage,
      onProblem: { problem in
        answers.record(problem.code)
        storage.failure = nil
        let (persistence, store) = (holder.value?.0, holder.exchange(nil)?.1)
        #expect(throws: Never.self) { try persistence?.flush() }
        withExtendedLifetime(store) {}
      })
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    holder.value = (persistence, store)
    #expect(throws: PersistenceError.self) { try persistence.flush() }
    #expect(answers.values == [.unwritable])
    #expect(persistence.load().value?.count == 1)
  }

  @Test("every code has a unique name")
  func codes() {
    let codes: [PersistenceError.Code] = [
      .unreadable, .unwritable, .corrupt, .truncated, .halfWritten, .newerVersion, .migrationMissing,
      .migrationAmbiguous, .migrationFailed, .undecodable, .unencodable,
    ]
    #expect(Set(codes.map(\.description)).count == codes.count)
    #expect(Set(codes).count == codes.count)
  }
}
