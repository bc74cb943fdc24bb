import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Restoring into a running store")
struct RestoreTests {
  /// A part without `==`.
  private struct Notes: Codable, Sendable {
    var count = 0
  }

  private struct Pad: FluxState {
    var notes = Notes()
    var screen = 0
  }

  private static let padReducer: MutatingReducer<Pad> = { state, action in
    switch action {
    case let action as Add: state.notes.count += action.amount
    case let action as Show: state.screen = action.screen
    default: break
    }
  }

  @Test("the saved state is restored if no action came first")
  func restored() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let store = desk.makeStore(App(screen: 3))
    #expect(await desk.persistence.restore() == .restored)
    #expect(store.state == App(library: Library(count: 5), screen: 3))
  }

  @Test("the saved state is restored if the part still has its initial value")
  func otherPart() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let store = desk.makeStore()
    store.dispatch(Show(screen: 2))
    store.dispatch(Add(amount: 1))
    store.dispatch(Add(amount: -1))
    #expect(await desk.persistence.restore() == .restored)
    #expect(store.state == App(library: Library(count: 5), screen: 2))
  }

  @Test("changes that the user made first are kept, and saved")
  func superseded() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let store = desk.makeStore()
    store.dispatch(Add(amount: 1))
    #expect(await desk.persistence.restore() == .superseded)
    #expect(store.state.library.count == 1)
    try await desk.persistence.flush()
    #expect(desk.storage.savedCount == 1)
  }

  @Test("an action that is reduced while the file is being read counts as first")
  func duringLoad() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let store = desk.makeStore()
    desk.storage.before { [weak store] operation in
      if operation == .read("state.json") { store?.dispatch(Add(amount: 1)) }
    }
    #expect(await desk.persistence.restore() == .superseded)
    #expect(store.state.library.count == 1)
  }

  @Test("a state saved after the store was made supersedes, even if the part has changed back")
  func savedSince() async throws {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add(amount: 1))
    try await desk.persistence.flush()
    store.dispatch(Add(amount: -1))
    #expect(await desk.persistence.restore() == .superseded)
    #expect(store.state.library.count == 0)
  }

  @Test("a saved state is restored once")
  func once() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let store = desk.makeStore()
    #expect(await desk.persistence.restore() == .restored)
    store.dispatch(Add(amount: -5))
    #expect(await desk.persistence.restore() == .superseded)
    #expect(store.state.library.count == 0)
  }

  @Test("a restored state is not written again, and a change back to the initial value is saved")
  func savedAfterRestore() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let store = desk.makeStore()
    #expect(await desk.persistence.restore() == .restored)
    try await desk.persistence.flush()
    #expect(desk.storage.changes.isEmpty)
    store.dispatch(Add(amount: -5))
    try await desk.persistence.flush()
    #expect(desk.storage.savedCount == 0)
  }

  @Test("without a saved state there is nothing to restore")
  func nothing() async {
    let desk = Desk()
    let store = desk.makeStore()
    #expect(await desk.persistence.restore() == .nothingSaved)
    #expect(store.state == App())
  }

  @Test("without a store nothing is restored")
  func noStore() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    #expect(await desk.persistence.restore() == .notReduced)
    var store: Store<App>? = desk.makeStore()
    #expect(store != nil)
    store = nil
    #expect(await desk.persistence.restore() == .notReduced)
  }

  @Test(
    "a restoring action that a middleware holds and then passes on follows the same rule", arguments: [0, 1])
  func held(amount: Int) async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let held = Shared<(@Sendable () -> Void)?>(nil)
    let holding: Middleware<App> = { _, _ in
      { next in
        { action in
          if action is Add || action is Show { next(action) } else { held.value = { next(action) } }
        }
      }
    }
    let store = desk.makeStore(middleware: [holding])
    #expect(await desk.persistence.restore() == .notReduced)
    store.dispatch(Add(amount: amount))
    held.value?()
    #expect(store.state.library.count == (amount == 0 ? 5 : 1))
  }

  @Test("a part without == is restored if no action has been reduced")
  func withoutEquality() async throws {
    let storage = try StorageProbe.withSaved(5)
    let persistence = Persistence(of: \Pad.notes, in: storage)
    let store = Store(reducer: Self.padReducer, plugins: [persistence.plugin], state: Pad())
    #expect(await persistence.restore() == .restored)
    #expect(store.state.notes.count == 5)
  }

  @Test("a part without == is not restored after an action has been reduced, whatever it changed")
  func withoutEqualitySuperseded() async throws {
    let storage = try StorageProbe.withSaved(5)
    let persistence = Persistence(of: \Pad.notes, in: storage)
    let store = Store(reducer: Self.padReducer, plugins: [persistence.plugin], state: Pad())
    store.dispatch(Show(screen: 1))
    #expect(await persistence.restore() == .superseded)
    #expect(store.state.notes.count == 0)
  }

  @Test("each of two persistences of the same types restores its own part")
  func twoParts() async throws {
    struct Pair: FluxState { var (left, right) = (Library(), Library()) }
    let storage = InMemoryStorage()
    let parts: [any WritableKeyPath<Pair, Library> & Sendable] = [\.left, \.right]
    let persistences = zip(parts, ["left", "right"]).map { Persistence(of: $0, in: storage, name: $1) }
    let made = try StorageProbe.withSaved(5).files.files["state.json"]
    storage.files["right.json"] = made
    let store = Store(
      reducer: { (_: inout Pair, _: any Action) in }, plugins: persistences.map(\.plugin), state: Pair())
    #expect(await persistences[0].restore() == .nothingSaved)
    #expect(await persistences[1].restore() == .restored)
    #expect(store.state.left.count == 0 && store.state.right.count == 5)
  }

  @Test("the restoring action is short in a log")
  func logged() async throws {
    let desk = Desk(on: try StorageProbe.withSaved(5))
    let lines = Recorder<String>()
    let store = desk.makeStore(middleware: [loggingMiddleware { lines.record($0) }])
    #expect(await desk.persistence.restore() == .restored)
    #expect(lines.values == ["RestoreSaved(state) library.count: 0 → 5"])
    withExtendedLifetime(store) {}
  }
}
