import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
  private struct Broken: Error, CustomStringConvertible {
    var description: String { "no such film" }
  }

  /// Each step doubles the count and adds its version to the titles.
  private func step(from version: Int) -> Migration {
    Migration(from: version) { json in
      guard case .integer(let count)? = json["count"], case .array(let titles)? = json["titles"] else {
        return
      }
      json["count"] = .integer(count * 2)
      json["titles"] = .array(titles + [.string("from \(version)")])
    }
  }

  @Test("steps run in the order of their versions, from the file's version to the current one")
  func order() throws {
    let steps = [step(from: 3), step(from: 1), step(from: 4), step(from: 2)]
    for version in 1...5 {
      let desk = Desk(on: try StorageProbe.withSaved(1, version: version), version: 5, migrations: steps)
      let titles = (version..<5).map { "from \($0)" }
      let loaded = desk.persistence.load()
      #expect(loaded.value == Library(count: 1 << (5 - version), titles: titles))
      #expect(loaded.problems.isEmpty && loaded.origin == .current)
    }
  }

  @Test(
    "the next change writes a file in the current version, and keeps the old one as the previous generation")
  func rewritten() throws {
    let desk = Desk(on: try StorageProbe.withSaved(1, version: 1), version: 2, migrations: [step(from: 1)])
    let old = desk.storage.files.files["state.json"]
    let store = desk.makeStore(desk.persistence.restored(App()))
    try desk.persistence.flush()
    #expect(desk.storage.changes.isEmpty)
    store.dispatch(Add())
    try desk.persistence.flush()
    #expect(desk.storage.files.files["state.previous.json"] == old)
    #expect(Desk(on: desk.storage, version: 2).persistence.load().value?.count == 3)
  }

  @Test("a file whose version was changed is corrupt: no wrong migration runs")
  func changedVersion() throws {
    let storage = try StorageProbe.withSaved(1, version: 2)
    let text = String(decoding: try #require(storage.files.files["state.json"]), as: UTF8.self)
    let changed = text.replacingOccurrences(of: #""version":2"#, with: #""version":1"#)
    #expect(changed != text)
    storage.files.files["state.json"] = Data(changed.utf8)
    let loaded = Desk(on: storage, version: 2, migrations: [step(from: 1)]).persistence.load()
    #expect(loaded.problems.map(\.code) == [.corrupt])
  }

  @Test("a previous generation of an old version is migrated too")
  func previous() throws {
    let storage = try StorageProbe.withSaved(1, version: 1)
    storage.files.files["state.previous.json"] = storage.files.files["state.json"]
    storage.files.files["state.json"] = Data()
    let loaded = Desk(on: storage, version: 2, migrations: [step(from: 1)]).persistence.load()
    #expect(loaded.value?.count == 2 && loaded.origin == .previous)
  }

  @Test(
    "a missing, duplicate, or throwing step is an error, and the original file is set aside",
    arguments: [
      (
        PersistenceError.Code.migrationMissing,
        "the migration from version 1 to 3 has no step from version 2"
      ),
      (.migrationAmbiguous, "2 steps start at version 2"),
      (.migrationFailed, "the step from version 2 threw no such film"),
      (.undecodable, "typeMismatch"),
    ])
  func failing(code: PersistenceError.Code, reason: String) throws {
    let second: [Migration]
    switch code {
    case .migrationMissing: second = []
    case .migrationAmbiguous: second = [step(from: 2), step(from: 2)]
    case .migrationFailed: second = [Migration(from: 2) { _ in throw Broken() }]
    default: second = [Migration(from: 2) { json in json["count"] = "many" }]
    }
    let desk = Desk(
      on: try StorageProbe.withSaved(1, version: 1), version: 3, migrations: [step(from: 1)] + second)
    let bytes = try #require(desk.storage.files.files["state.json"])
    let loaded = desk.persistence.load()
    #expect(loaded.value == nil)
    #expect(loaded.problems.map(\.code) == [code])
    #expect(loaded.problems.first?.reason.contains(reason) == true)
    #expect(loaded.problems.map(\.setAsideAs) == ["state.\(code)-1.json"])
    #expect(desk.storage.files.files == ["state.\(code)-1.json": bytes])
  }

  @Test("a migration keeps every digit of values that it does not change")
  func digits() throws {
    struct Measures: FluxState, Codable, Equatable {
      var small = 0.1
      var large = UInt64.max
      var exact = Decimal(string: "3.14159265358979323846264338327950288")
    }
    let storage = InMemoryStorage()
    let old = Persistence<Measures, Measures>(in: storage)
    let store = Store(
      reducer: { (state: inout Measures, _: any Action) in state.small = 0.30000000000000004 },
      plugins: [old.plugin], state: Measures())
    store.dispatch(Add())
    try old.flush()
    let new = Persistence<Measures, Measures>(
      in: storage, version: 2, migrations: [Migration(from: 1) { _ in }])
    #expect(new.load().value == store.state)
  }
}
