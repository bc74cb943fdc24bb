import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A file that cannot be read when a program starts")
struct UnreadableFileTests {
  private struct Broken: Error {}

  /// A program that cannot read a file when it starts, and then cannot save either.
  ///
  /// - Parameter failsThen: The operations that fail after the start.
  private func run(
    on files: InMemoryStorage, failingToRead name: String,
    then failsThen: @escaping @Sendable (InMemoryStorage.Operation) -> Bool
  ) -> Desk {
    let desk = Desk(on: StorageProbe(files))
    files.failure = { $0 == .read(name) ? Broken() : nil }
    let store = desk.makeStore(desk.persistence.restored(App()))
    files.failure = { failsThen($0) ? Broken() : nil }
    store.dispatch(Add(amount: 50))
    let error = #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    #expect(error?.code == .unwritable)
    return desk
  }

  private func isWrite(_ operation: InMemoryStorage.Operation) -> Bool {
    if case .write = operation { true } else { false }
  }

  @Test("an unreadable file stays in place for the next start if nothing can be saved", arguments: [1, 2])
  func writeFails(generations: Int) throws {
    let whole = try StorageProbe.withSaved(1, 2).files.files
    // Either both files exist, or only the previous one.
    let name = generations == 2 ? "state.json" : "state.previous.json"
    let files = InMemoryStorage(files: generations == 2 ? whole : [name: try #require(whole[name])])
    let before = files.files
    let desk = run(on: files, failingToRead: name, then: isWrite)
    #expect(files.files == before)
    // The end of the store has tried to save again.
    #expect(desk.problems.values.map(\.code) == [.unreadable, .unwritable, .unwritable])
    #expect(desk.problems.values.allSatisfy { $0.setAsideAs == nil })
    files.failure = nil
    #expect(StorageProbe(InMemoryStorage(files: files.files)).savedCount == generations)
  }

  @Test("an unreadable file is set aside and not overwritten when a save succeeds after a failure")
  func laterSave() throws {
    let files = try StorageProbe.withSaved(1, 2).files
    let before = files.files
    files.failure = { $0 == .read("state.json") ? Broken() : nil }
    let desk = Desk(on: StorageProbe(files))
    let store = desk.makeStore(desk.persistence.restored(App()))
    files.failure = { isWrite($0) ? Broken() : nil }
    store.dispatch(Add(amount: 50))
    #expect(throws: PersistenceError.self) { try desk.persistence.flush() }
    files.failure = nil
    for _ in 1...3 {
      try desk.persistence.flush()
      store.dispatch(Add())
    }
    #expect(files.files["state.unreadable-1.json"] == before["state.json"])
    #expect(desk.problems.values.map(\.setAsideAs) == [nil, nil, "state.unreadable-1.json"])
    #expect(StorageProbe(files).savedCount == 53)
  }

  @Test("an unreadable file that cannot be put back stays aside, which is reported")
  func notPutBack() throws {
    let files = try StorageProbe.withSaved(1, 2).files
    let before = files.files
    let desk = run(on: files, failingToRead: "state.json") { operation in
      isWrite(operation) || operation == .rename("state.unreadable-1.json", to: "state.json")
    }
    #expect(files.files["state.unreadable-1.json"] == before["state.json"])
    #expect(desk.problems.values.contains { $0.setAsideAs == "state.unreadable-1.json" })
  }

  @Test(
    "a complete file of an interrupted save is put in place before another save, even without a load"
  )
  func interruptedSave() throws {
    let old = try StorageProbe.withSaved(1, 2).files.files
    let interrupted = try StorageProbe.withSaved(7).files.files["state.json"]
    let files = InMemoryStorage(files: old)
    files.files["state.json.partial"] = interrupted
    // The failure lasts while the file has this name.
    files.failure = {
      $0 == .read("state.json") && files.files["state.json"] == old["state.json"] ? Broken() : nil
    }
    let desk = Desk(on: StorageProbe(files))
    let store = desk.makeStore()
    store.dispatch(Add(amount: 50))
    try desk.persistence.flush()
    #expect(files.files["state.unreadable-1.json"] == old["state.json"])
    #expect(files.files["state.previous.json"] == interrupted)
    #expect(StorageProbe(files).savedCount == 50)
    withExtendedLifetime(store) {}
  }

  @Test("an unreadable file is not put back over the interrupted save that replaced it; both files are kept")
  func placeTaken() throws {
    let old = try StorageProbe.withSaved(1, 2).files.files
    let interrupted = try StorageProbe.withSaved(7).files.files["state.json"]
    let files = InMemoryStorage(files: old)
    files.files["state.json.partial"] = interrupted
    let desk = run(on: files, failingToRead: "state.json", then: isWrite)
    #expect(files.files["state.json"] == interrupted)
    files.failure = nil
    try desk.persistence.flush()
    #expect(files.files["state.previous.json"] == interrupted)
    #expect(files.files["state.unreadable-1.json"] == old["state.json"])
    #expect(files.files.count == 3)
  }

  /// A storage whose operations do nothing, and which reports that a rename succeeded.
  private struct LyingStorage: StateStorage {
    func read(_ name: String) throws -> Data? { throw Broken() }
    func write(_ data: Data, to name: String) {}
    func rename(_ name: String, to newName: String) {}
    func names() -> [String] { ["state.json"] }
  }

  @Test("a save fails when an unreadable file still exists after it was set aside")
  func stillThere() {
    let persistence = Persistence(of: \App.library, in: LyingStorage(), onProblem: { _ in })
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    let error = #expect(throws: PersistenceError.self) { try persistence.flush() }
    #expect(error?.code == .unreadable)
  }

  @Test("a missing file whose name cannot be read prevents neither loading nor saving")
  func readingNothing() throws {
    let files = try StorageProbe.withSaved(1, 2).files
    files.failure = { $0 == .read("state.json.partial") ? Broken() : nil }
    let desk = Desk(on: StorageProbe(files))
    let store = desk.makeStore(desk.persistence.restored(App()))
    #expect(store.state.library.count == 2)
    store.dispatch(Add())
    try desk.persistence.flush()
    #expect(desk.problems.values.isEmpty)
  }
}
