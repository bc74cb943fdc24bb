import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Loading")
struct LoadingTests {
  private func load(_ storage: StorageProbe, version: Int = 1) -> Loaded<Library> {
    Desk(on: storage, version: version).persistence.load()
  }

  @Test("if nothing was saved, nothing is loaded and no problem is reported")
  func nothing() {
    let storage = StorageProbe()
    #expect(load(storage) == Loaded(nil, .nothing))
    #expect(storage.changes.isEmpty)
  }

  @Test("a saved state is loaded")
  func saved() throws {
    #expect(load(try StorageProbe.withSaved(1, 2)) == Loaded(2, .current))
  }

  @Test("a whole state is made from the saved part and a default state")
  func restored() throws {
    let desk = Desk(on: try StorageProbe.withSaved(2))
    #expect(desk.persistence.restored(App(screen: 5)) == App(library: Library(count: 2), screen: 5))
    #expect(Desk().persistence.restored(App(screen: 5)) == App(screen: 5))
  }

  @Test("a file that is cut off at any byte is set aside as truncated, and the previous generation is loaded")
  func truncated() throws {
    let whole = try StorageProbe.withSaved(1, 2).files.files
    let bytes = try #require(whole["state.json"])
    for length in 0..<bytes.count {
      let storage = StorageProbe(InMemoryStorage(files: whole))
      storage.files.files["state.json"] = bytes.prefix(length)
      let loaded = load(storage)
      #expect(loaded.value?.count == 1 && loaded.origin == .previous, "cut off at \(length)")
      #expect(loaded.problems.map(\.code) == [.truncated], "cut off at \(length)")
      #expect(loaded.problems.map(\.setAsideAs) == ["state.truncated-1.json"])
      #expect(storage.files.files["state.truncated-1.json"] == bytes.prefix(length))
    }
  }

  @Test("a file with any byte changed is set aside, and the previous generation is loaded")
  func changed() throws {
    let whole = try StorageProbe.withSaved(1, 2).files.files
    let bytes = try #require(whole["state.json"])
    for position in 0..<bytes.count {
      for change: UInt8 in [0x01, 0x20, 0x80] {
        var bad = bytes
        bad[position] ^= change
        let storage = StorageProbe(InMemoryStorage(files: whole))
        storage.files.files["state.json"] = bad
        let loaded = load(storage)
        #expect(loaded.value?.count == 1 && loaded.origin == .previous, "byte \(position) ^ \(change)")
        let aside = try #require(loaded.problems.first?.setAsideAs)
        #expect(storage.files.files[aside] == bad)
      }
    }
  }

  @Test(
    "a file that is not a saved state is set aside as corrupt",
    arguments: [
      "hello", "{}", "{}\n", "[1]\n2", "\n",
      "{\"format\":\"other\",\"version\":1,\"length\":0,\"checksum\":\"\"}\n",
    ])
  func corrupt(text: String) throws {
    let storage = StorageProbe(InMemoryStorage(files: ["state.json": Data(text.utf8)]))
    let loaded = load(storage)
    #expect(loaded.value == nil && loaded.origin == .nothing)
    #expect(loaded.problems.map(\.code) == [.corrupt])
    #expect(storage.files.files == ["state.corrupt-1.json": Data(text.utf8)])
  }

  @Test("a file with additional bytes is set aside as corrupt")
  func longer() throws {
    let storage = try StorageProbe.withSaved(2)
    storage.files.files["state.json"]?.append(0x20)
    #expect(load(storage).problems.map(\.code) == [.corrupt])
  }

  @Test("a file of a newer version is set aside and never overwritten")
  func newer() throws {
    let storage = try StorageProbe.withSaved(2, version: 3)
    let newer = try #require(storage.files.files["state.json"])
    let loaded = load(storage, version: 2)
    #expect(loaded.value == nil)
    #expect(loaded.problems.map(\.code) == [.newerVersion])
    #expect(storage.files.files == ["state.newer-version-1.json": newer])
  }

  @Test(
    "valid JSON that does not decode is set aside as undecodable, and the previous generation is loaded")
  func undecodable() throws {
    let storage = StorageProbe()
    let other = Persistence(of: \App.screen, in: storage)
    let store = Store(reducer: appReducer, plugins: [other.plugin], state: App())
    store.dispatch(Show(screen: 1))
    try other.flush()
    storage.files.files["state.previous.json"] = try StorageProbe.withSaved(6).files.files["state.json"]
    let loaded = load(storage)
    #expect(loaded.value?.count == 6 && loaded.origin == .previous)
    #expect(loaded.problems.map(\.setAsideAs) == ["state.undecodable-1.json"])
  }

  @Test("if both generations are unusable, both are set aside")
  func both() throws {
    let storage = try StorageProbe.withSaved(1, 2)
    storage.files.files["state.json"] = Data("one".utf8)
    storage.files.files["state.previous.json"] = Data("two".utf8)
    let loaded = load(storage)
    #expect(loaded.origin == .nothing)
    #expect(loaded.problems.map(\.file) == ["state.json", "state.previous.json"])
    #expect(
      storage.files.files == [
        "state.corrupt-1.json": Data("one".utf8), "state.corrupt-2.json": Data("two".utf8),
      ])
  }

  @Test("files that are set aside are numbered, so that none is overwritten")
  func numbered() throws {
    let storage = StorageProbe()
    for number in 1...3 {
      storage.files.files["state.json"] = Data("bad \(number)".utf8)
      #expect(load(storage).problems.map(\.setAsideAs) == ["state.corrupt-\(number).json"])
    }
    #expect(storage.files.files.count == 3)
  }

  @Test("a half-written file of a save is set aside, only its last version, and the earlier state is loaded")
  func halfWritten() throws {
    let storage = try StorageProbe.withSaved(1, 2)
    for length in [0, 9, 80] {
      let part = try #require(storage.files.files["state.json"]).prefix(length)
      storage.files.files["state.json.partial"] = part
      let loaded = load(storage)
      #expect(loaded.value?.count == 2 && loaded.origin == .current)
      #expect(loaded.problems.map(\.code) == [.halfWritten])
      #expect(loaded.problems.map(\.setAsideAs) == ["state.half-written.json"])
      #expect(storage.files.files["state.half-written.json"] == part)
      #expect(storage.files.files.count == 3)
    }
  }

  @Test("a complete file of an interrupted save is put in place")
  func wholeAside() throws {
    let storage = try StorageProbe.withSaved(1, 2)
    storage.files.files["state.json.partial"] = try StorageProbe.withSaved(3).files.files["state.json"]
    #expect(load(storage) == Loaded(3, .current))
    storage.files.files["state.json"] = nil
    #expect(load(storage) == Loaded(2, .previous))
    #expect(Set(storage.files.files.keys) == ["state.previous.json"])
  }

  @Test(
    "a newer version's file of an interrupted save is set aside, and so is the file that it would replace")
  func newerAside() throws {
    let storage = try StorageProbe.withSaved(1)
    let newer = try StorageProbe.withSaved(3, version: 2).files.files["state.json"]
    storage.files.files["state.json.partial"] = newer
    storage.files.files["state.previous.json"] = newer
    let desk = Desk(on: storage)
    #expect(desk.persistence.load().value?.count == 1)
    try desk.save(5)
    #expect(storage.files.files["state.newer-version-1.json"] == newer)
    #expect(storage.files.files["state.newer-version-2.json"] == newer)
    #expect(storage.savedCount == 5)
  }

  @Test("a file that an interrupted save replaces is set aside if it is unusable")
  func wholeAsideOverCorrupt() throws {
    let storage = try StorageProbe.withSaved(1, 2)
    storage.files.files["state.json.partial"] = storage.files.files["state.json"]
    storage.files.files["state.json"] = Data("bad".utf8)
    let loaded = load(storage)
    #expect(loaded.value?.count == 2 && loaded.origin == .current)
    #expect(loaded.problems.map(\.setAsideAs) == ["state.corrupt-1.json"])
    storage.files.files["state.json"] = nil
    #expect(storage.savedCount == 1)
  }

  @Test("a save without a load also sets unusable files aside")
  func saveWithoutLoad() throws {
    let storage = try StorageProbe.withSaved(1, version: 2)
    storage.files.files["state.previous.json"] = Data("bad".utf8)
    storage.files.files["state.json.partial"] = Data()
    let newer = storage.files.files["state.json"]
    let desk = Desk(on: storage)
    let store = desk.makeStore()
    store.dispatch(Add(amount: 4))
    try desk.persistence.flush()
    #expect(desk.problems.values.map(\.code) == [.halfWritten, .corrupt, .newerVersion])
    #expect(storage.files.files["state.newer-version-1.json"] == newer)
    #expect(storage.files.files["state.corrupt-1.json"] == Data("bad".utf8))
    #expect(storage.savedCount == 4)
    withExtendedLifetime(store) {}
  }

  @Test("every problem is returned and reported once")
  func reported() throws {
    let storage = try StorageProbe.withSaved(1, 2)
    storage.files.files["state.json"] = Data("bad".utf8)
    storage.files.files["state.json.partial"] = Data("bad".utf8)
    let desk = Desk(on: storage)
    let loaded = desk.persistence.load()
    #expect(loaded.problems.count == 2)
    #expect(desk.problems.values == loaded.problems)
  }
}

extension Loaded<Library> {
  /// A count that was loaded without a problem.
  fileprivate init(_ count: Int?, _ origin: Origin) {
    self.init(value: count.map { Library(count: $0) }, origin: origin, problems: [])
  }
}
