import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A file that another library or program saved")
struct OtherProgramTests {
  private static let json = Data(#"{"titles":["Playtime"],"count":7}"#.utf8)
  private let problems = Recorder<PersistenceError>()

  private func makePersistence(
    in storage: any StateStorage, _ migrations: [Migration], version: Int = 1
  ) -> Persistence<App, Library> {
    Persistence(
      of: \.library, in: storage, version: version, migrations: migrations,
      onProblem: { [problems] in problems.record($0) })
  }

  @Test("JSON under the name of the persistence is loaded through a step from version 0")
  func ownName() throws {
    let storage = InMemoryStorage(files: ["state.json": Self.json])
    let persistence = makePersistence(in: storage, [Migration(from: 0) { json in json["count"] = 8 }])
    #expect(
      persistence.load() == Loaded(value: Library(count: 8, titles: ["Playtime"]), origin: .current))
    #expect(storage.files == ["state.json": Self.json])
    let store = Store(
      reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(App()))
    store.dispatch(Add())
    try persistence.flush()
    #expect(storage.files["state.previous.json"] == Self.json)
    #expect(makePersistence(in: storage, []).load().value?.count == 9)
    #expect(problems.values.isEmpty)
  }

  @Test("a file with another name is loaded until the first save, and is never changed")
  func otherName() throws {
    let storage = InMemoryStorage(files: ["state": Self.json])
    for count in [7, 8, 9] {
      let persistence = makePersistence(in: storage, [Migration(fromFile: "state")])
      #expect(persistence.load().origin == .current)
      let store = Store(
        reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(App()))
      #expect(store.state.library.count == count)
      #expect(store.state.library.titles == ["Playtime"])
      try persistence.flush()
      #expect(storage.files.keys.contains("state.json") == (count > 7))
      store.dispatch(Add())
      try persistence.flush()
    }
    #expect(storage.files["state"] == Self.json)
    #expect(Set(storage.files.keys) == ["state", "state.json", "state.previous.json"])
    #expect(problems.values.isEmpty)
  }

  @Test("the JSON passes through every step up to the current version")
  func steps() {
    let storage = InMemoryStorage(files: ["state": Data(#"{"number":3}"#.utf8)])
    let persistence = makePersistence(
      in: storage,
      [
        Migration(fromFile: "state") { json in json["count"] = json["number"] },
        Migration(from: 1) { json in json["titles"] = ["Trafic"] },
      ], version: 2)
    #expect(persistence.load().value == Library(count: 3, titles: ["Trafic"]))
  }

  @Test("without a step from version 0, JSON is set aside as corrupt")
  func noStep() {
    let storage = InMemoryStorage(files: ["state.json": Self.json])
    #expect(makePersistence(in: storage, []).load().problems.map(\.code) == [.corrupt])
    #expect(storage.files == ["state.corrupt-1.json": Self.json])
  }

  @Test(
    "a file that is not JSON, or does not decode, is reported and kept",
    arguments: [("{\"count\":", PersistenceError.Code.corrupt), ("[1]", .undecodable), ("", .truncated)])
  func bad(text: String, code: PersistenceError.Code) throws {
    let storage = InMemoryStorage(files: ["state": Data(text.utf8)])
    let persistence = makePersistence(in: storage, [Migration(fromFile: "state")])
    #expect(persistence.load().problems.map(\.code) == [code])
    #expect(problems.values.map(\.setAsideAs) == [nil])
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    try persistence.flush()
    #expect(storage.files["state"] == Data(text.utf8))
    #expect(makePersistence(in: storage, [Migration(fromFile: "state")]).load().value?.count == 1)
  }

  @Test("a truncated saved file is reported as truncated, and not as JSON of version 0")
  func truncated() throws {
    let whole = try #require(try StorageProbe.withSaved(1).files.files["state.json"])
    for length in 0..<whole.count {
      let storage = InMemoryStorage(files: ["state.json": whole.prefix(length)])
      let loaded = makePersistence(in: storage, [Migration(from: 0) { _ in }]).load()
      #expect(loaded.problems.map(\.code) == [.truncated], "\(length)")
    }
  }

  @Test("a save before the load reports the file, and a merge finds it")
  func merged() async throws {
    let storage = InMemoryStorage(files: ["state": Self.json])
    let persistence = makePersistence(in: storage, [Migration(fromFile: "state")])
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add(amount: 100))
    try await persistence.flush()
    #expect(problems.values.map(\.code) == [.notRestored])
    #expect(problems.values.map(\.setAsideAs) == [nil])
    let outcome = await persistence.restore { saved, current in
      Library(count: saved.count + current.count, titles: saved.titles + current.titles)
    }
    #expect(outcome == .restored)
    #expect(store.state.library == Library(count: 107, titles: ["Playtime"]))
    #expect(storage.files["state"] == Self.json)
  }
}
