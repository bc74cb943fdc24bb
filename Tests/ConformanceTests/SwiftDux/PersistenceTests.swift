import FluxCollections
import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

private struct Profile: StateType, Codable {
  var name = ""
}

/// Keeps files in memory, and records each state when its file is in place.
private final class Files: StateStorage {
  private let kept = InMemoryStorage()
  let saved = EventLog<String>()

  func read(_ name: String) throws -> Data? { try kept.read(name) }

  func write(_ data: Data, to name: String) throws { try kept.write(data, to: name) }

  func rename(_ name: String, to newName: String) throws {
    try kept.rename(name, to: newName)
    guard newName == "state.json", let file = kept.files[newName] else { return }
    saved.record(String(decoding: file, as: UTF8.self))
  }

  func names() throws -> [String] { try kept.names() }
}

/// A `Persistence` object for the state of a store, with a clock that does not advance by itself.
private struct Saving {
  let files: Files
  let clock = ManualClock()
  let persistence: Persistence<Profile, Profile>

  init(in files: Files = Files()) {
    self.files = files
    persistence = Persistence(in: files, clock: clock, onProblem: { Issue.record("\($0)") })
  }

  func makeStore(_ state: Profile = Profile()) -> Store<Profile> {
    Store(
      reducer: on(SetName.self) { profile, action in profile.name = action.name },
      plugins: [persistence.plugin], state: state)
  }

  /// The saved JSON, without the first line that contains the checksum.
  var json: [String] {
    files.saved.values.map { file in String(file.drop { $0 != "\n" }.dropFirst()) }
  }

  /// Files that contain a saved name.
  static func files(with name: String) throws -> Files {
    let saving = Saving()
    let store = saving.makeStore()
    store.dispatch(SetName(name: name))
    try saving.persistence.flush()
    return saving.files
  }
}

@Suite(
  "SwiftDux: JSONStatePersistor",
  .cases(
    of: "StevenLambion/SwiftDux",
    "Tests/SwiftDuxTests/SwiftDuxExtras/Persistence/JSONStatePersistorTests.swift", at: "99cb24da", count: 4))
struct JSONStatePersistorTests {
  private let saving = Saving()

  @Test(
    "a state is saved as JSON, after a line with a checksum",
    .differs(
      1,
      because: """
        A file of SwiftDux contains only the JSON. The checksum of Flux detects a truncated or modified \
        file.
        """))
  func json() throws {
    let store = saving.makeStore()
    store.dispatch(SetName(name: "Bob"))
    try saving.persistence.flush()
    #expect(saving.json == [#"{"name":"Bob"}"#])
    #expect(saving.files.saved.values.allSatisfy { $0.hasPrefix(#"{"format":"flux-state","version":1,"#) })
    withExtendedLifetime(store) {}
  }

  @Test(
    "of several states within a window, only the newest is saved",
    .differs(
      2,
      because: """
        SwiftDux saves every value of a publisher. Flux saves the state of a store, and does not write a \
        state that is replaced within the window.
        """))
  func window() async {
    let store = saving.makeStore()
    for name in ["John", "Bob"] { store.dispatch(SetName(name: name)) }
    await saving.clock.sleepers(atLeast: 1)
    saving.clock.advance(by: .seconds(1))
    await saving.files.saved.count(atLeast: 1)
    #expect(saving.json == [#"{"name":"Bob"}"#])
    withExtendedLifetime(store) {}
  }

  @Test("the last state of a store that saves is loaded", .holds(3))
  func ofStore() throws {
    do {
      let store = saving.makeStore()
      for name in ["John", "Bilbo"] { store.dispatch(SetName(name: name)) }
    }
    #expect(Saving(in: saving.files).persistence.load().value == Profile(name: "Bilbo"))
  }

  @Test("a saved state is loaded", .holds(4))
  func loaded() throws {
    let files = try Saving.files(with: "Bob")
    let loaded = Saving(in: files).persistence.load()
    #expect(loaded == Loaded(value: Profile(name: "Bob"), origin: .current))
  }
}

@Suite(
  "SwiftDux: PersistStateMiddleware",
  .cases(
    of: "StevenLambion/SwiftDux",
    "Tests/SwiftDuxTests/SwiftDuxExtras/Persistence/PersistStateMiddlewareTests.swift", at: "99cb24da",
    count: 2))
struct PersistStateMiddlewareTests {
  @Test("a store saves a change when the window that the change opened has closed", .holds(1))
  func saving() async throws {
    let saving = Saving()
    let store = saving.makeStore()
    store.dispatch(SetName(name: "John"))
    await saving.clock.sleepers(atLeast: 1)
    #expect(saving.json.isEmpty)
    saving.clock.advance(by: .seconds(1))
    await saving.files.saved.count(atLeast: 1)
    #expect(saving.json == [#"{"name":"John"}"#])
    withExtendedLifetime(store) {}
  }

  @Test(
    "a saved state is loaded before a store is made, or restored if no action came first",
    .differs(
      2,
      because: """
        The middleware of SwiftDux dispatches the saved state while the store is created, and observers \
        receive both states. In Flux, the saved state is the initial state of the store.
        """))
  func restoring() async throws {
    let files = try Saving.files(with: "Rose")
    let saving = Saving(in: files)
    #expect(saving.makeStore(saving.persistence.restored(Profile())).state.name == "Rose")
    let later = Saving(in: files)
    let store = later.makeStore()
    #expect(store.state.name == "")
    #expect(await later.persistence.restore() == .restored)
    #expect(store.state.name == "Rose")
  }
}
