import Flux
import Foundation
import TestSupport
import Testing

@Suite("Sources/FluxMiddleware/FluxMiddleware.docc/SavingState.md")
struct SavingStateTests {
  @Test("its persistence saves the last state, and loads it again")
  func keeping() throws {
    let storage = InMemoryStorage()
    let persistence = Persistence<AppState, [Int: String]>(
      of: \.movies, in: storage, name: "movies", version: 2,
      migrations: [
        Migration(from: 1) { json in
          if json["0"] == nil { json["0"] = "The first film" }
        }
      ])
    let kept = Store(
      reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(AppState()))
    let loaded = persistence.load()
    switch loaded.origin {
    case .current: print("All is as it was.")
    case .previous: print("The last change is missing: \(loaded.problems.map(\.description))")
    case .nothing: print(loaded.problems.isEmpty ? "Nothing was saved yet." : "Nothing could be read.")
    }
    #expect(loaded.origin == .nothing)
    kept.dispatch(SetMovie(id: 1, title: "Playtime"))
    try persistence.flush()
    #expect(try storage.names() == ["movies.json"])
    #expect(persistence.load().origin == .current)
  }

  @Test("its files are kept in a directory, and restored into a running store")
  func restoring() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "saving-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let problems = Shared<[PersistenceError]>([])
    let report: @Sendable (PersistenceError) -> Void = { problem in problems.change { $0.append(problem) } }
    for isFirst in [true, false] {
      let files = FileStorage(directory: folder)
      let saved = Persistence<AppState, [Int: String]>(
        of: \.movies, in: files, window: .milliseconds(200), onProblem: { problem in report(problem) })
      #expect(try await outcome(of: saved) == (isFirst ? .nothingSaved : .restored))
    }
    #expect(problems.value.isEmpty)
  }

  private func outcome(of persistence: Persistence<AppState, [Int: String]>) async throws -> RestoreOutcome {
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: AppState())
    switch await persistence.restore() {
    case .restored: print("Here is what you had.")
    case .superseded: print("What has changed since the start stays.")
    case .nothingSaved: print("Nothing to restore.")
    case .notReduced: print("The store was released, or a middleware did not pass the action on.")
    }
    let outcome: RestoreOutcome = store.state.movies.isEmpty ? .nothingSaved : .restored
    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    try await persistence.flush()
    return outcome
  }

  @Test("its recipe reads the file of SwiftDux, and does not change the file")
  func swiftDux() throws {
    let support = FileManager.default.temporaryDirectory.appending(path: "support-\(UUID())")
    defer { try? FileManager.default.removeItem(at: support) }
    let file = Data(#"{"movies":{"1":"Playtime"},"isLoading":false}"#.utf8)
    try FileStorage(directory: support).write(file, to: "state")
    for count in 1...2 {
      let moved = Persistence<AppState, [Int: String]>(
        of: \.movies, in: FileStorage(directory: support), name: "movies",
        migrations: [Migration(fromFile: "state") { json in json = json["movies"] ?? [:] }])
      let loaded = moved.load()
      #expect(loaded.value?[1] == "Playtime" && loaded.value?.count == count)
      #expect(loaded.origin == .current && loaded.problems.isEmpty)
      let store = Store(reducer: appReducer, plugins: [moved.plugin], state: moved.restored(AppState()))
      store.dispatch(SetMovie(id: 2, title: "Trafic"))
      try moved.flush()
    }
    #expect(try FileStorage(directory: support).read("state") == file)
  }

  @Test("it merges the saved state with an edit")
  func merging() async throws {
    let storage = InMemoryStorage()
    for title in ["Playtime", "Trafic"] {
      let persistence = Persistence<AppState, [Int: String]>(
        of: \.movies, in: storage, onProblem: { Issue.record("\($0)") })
      let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: AppState())
      store.dispatch(SetMovie(id: title.count, title: title))
      await persistence.restore { saved, current in saved.merging(current) { _, edited in edited } }
      try await persistence.flush()
    }
    #expect(Persistence<AppState, [Int: String]>(of: \.movies, in: storage).load().value?.count == 2)
  }

  @Test("its migrations lead from the first version to the third")
  func migrating() throws {
    let steps = [
      Migration(from: 1) { json in
        json["films"] = json["movies"]
        json["movies"] = nil
      },
      Migration(from: 2) { json in json["sorted"] = true },
    ]
    var json: JSONValue = ["movies": ["Playtime"]]
    for step in steps { try step.change(&json) }
    #expect(json == ["films": ["Playtime"], "sorted": true])
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxMiddleware/FluxMiddleware.docc/SavingState.md").expectTested(
      in: "Tests/GuideTests/SavingStateTests.swift", atLeast: 7)
  }
}
