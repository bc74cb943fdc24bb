import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Saving")
struct SavingTests {
  @Test("a change is saved when the window that it opened closes, and not earlier")
  func window() async {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add(amount: 7))
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(9.9))
    #expect(desk.clock.sleepers == 1)
    #expect(desk.storage.operations.isEmpty)
    desk.clock.advance(by: .seconds(0.1))
    await desk.storage.saves(atLeast: 1)
    #expect(desk.storage.savedCount == 7)
    withExtendedLifetime(store) {}
  }

  @Test("later changes do not extend the window, and are saved with the first")
  func notProlonged() async {
    let desk = Desk()
    let store = desk.makeStore()
    for _ in 1...5 {
      store.dispatch(Add())
      await desk.clock.sleepers(atLeast: 1)
      desk.clock.advance(by: .seconds(2))
    }
    await desk.storage.saves(atLeast: 1)
    #expect(desk.storage.savedCount == 5)
    #expect(desk.storage.saveCount == 1)
    withExtendedLifetime(store) {}
  }

  @Test("the window starts with the change, however late the waiting task starts")
  func lateTask() async {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add())
    // The task may not have run yet; when it does, it must not wait for another ten seconds.
    desk.clock.advance(by: .seconds(10))
    await desk.storage.saves(atLeast: 1)
    #expect(desk.storage.savedCount == 1)
    withExtendedLifetime(store) {}
  }

  @Test("each window after a change saves again, and the saved state becomes the previous generation")
  func windows() async throws {
    let desk = Desk()
    let store = desk.makeStore()
    for number in 1...3 {
      store.dispatch(Add())
      await desk.clock.sleepers(atLeast: 1)
      desk.clock.advance(by: .seconds(10))
      await desk.storage.saves(atLeast: number)
      try await desk.persistence.flush()
    }
    #expect(desk.storage.saveCount == 3)
    #expect(Set(desk.storage.files.files.keys) == ["state.json", "state.previous.json"])
    desk.storage.files.files["state.json"] = nil
    #expect(desk.storage.savedCount == 2)
    withExtendedLifetime(store) {}
  }

  @Test("a change during a save opens a separate window")
  func changeDuringSave() async {
    let desk = Desk()
    let (inside, door) = (EventLog<Bool>(), Gate())
    desk.storage.before { operation in
      guard operation == .write("state.json.partial") else { return }
      inside.record(true)
      door.wait()
    }
    let store = desk.makeStore()
    store.dispatch(Add())
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    await inside.count(atLeast: 1)
    store.dispatch(Add())
    await desk.clock.sleepers(atLeast: 1)
    door.open()
    await desk.storage.saves(atLeast: 1)
    #expect(desk.storage.savedCount == 1)
    desk.clock.advance(by: .seconds(10))
    await desk.storage.saves(atLeast: 2)
    #expect(desk.storage.savedCount == 2)
    withExtendedLifetime(store) {}
  }

  @Test("a window that closes during a save is followed by another save")
  func windowClosesDuringSave() async {
    let desk = Desk()
    let (inside, door) = (EventLog<Bool>(), Gate())
    desk.storage.before { operation in
      guard operation == .write("state.json.partial") else { return }
      inside.record(true)
      door.wait()
    }
    let store = desk.makeStore()
    store.dispatch(Add())
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    await inside.count(atLeast: 1)
    store.dispatch(Add())
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    door.open()
    await desk.storage.saves(atLeast: 2)
    #expect(desk.storage.savedCount == 2)
    withExtendedLifetime(store) {}
  }

  @Test("saves are made one at a time, whichever threads request them")
  func oneAtATime() throws {
    let desk = Desk()
    let (inside, overlaps) = (Shared(0), Shared(0))
    desk.storage.before { operation in
      switch operation {
      case .write:
        if inside.increment() != 1 { overlaps.increment() }
        letOthersRun()
      case .rename(_, to: "state.json"): inside.change { $0 -= 1 }
      default: break
      }
    }
    let store = desk.makeStore()
    onThreads(8) { _ in
      for _ in 1...20 {
        store.dispatch(Add())
        #expect(throws: Never.self) { try desk.persistence.flush() }
      }
    }
    #expect(overlaps.value == 0)
    #expect(desk.storage.savedCount == 160)
  }

  @Test("a part that equals its saved value is not written again")
  func equalIsSkipped() throws {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add(amount: 2))
    try desk.persistence.flush()
    store.dispatch(Add(amount: 1))
    store.dispatch(Add(amount: -1))
    store.dispatch(Show(screen: 9))
    try desk.persistence.flush()
    #expect(desk.storage.saveCount == 1)
  }

  @Test("a part that equals its loaded value is not written again")
  func loadedIsSkipped() throws {
    let storage = try StorageProbe.withSaved(3)
    let desk = Desk(on: storage)
    let store = desk.makeStore(desk.persistence.restored(App()))
    store.dispatch(Add(amount: 1))
    store.dispatch(Add(amount: -1))
    try desk.persistence.flush()
    #expect(storage.changes.isEmpty)
    #expect(store.state.library.count == 3)
  }

  @Test("the initial value of a part is not written, even if nothing was loaded and other parts change")
  func firstIsNotWritten() throws {
    let storage = try StorageProbe.withSaved(3)
    let before = storage.files.files
    let desk = Desk(on: storage)
    var store: Store<App>? = desk.makeStore()
    store?.dispatch(Show(screen: 1))
    try desk.persistence.flush()
    store = nil
    #expect(storage.files.files == before)
  }

  @Test("the file of a store that loads nothing becomes the previous generation at the first change")
  func notLoaded() throws {
    let storage = try StorageProbe.withSaved(3)
    let desk = Desk(on: storage)
    let store = desk.makeStore()
    store.dispatch(Add(amount: 1))
    try desk.persistence.flush()
    #expect(storage.savedCount == 1)
    storage.files.files["state.json"] = nil
    #expect(storage.savedCount == 3)
    withExtendedLifetime(store) {}
  }

  @Test("a part that changes back to its initial value is written if another value was saved")
  func backToFirst() throws {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add(amount: 1))
    try desk.persistence.flush()
    store.dispatch(Add(amount: -1))
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 0)
    withExtendedLifetime(store) {}
  }

  @Test("only the part is saved")
  func part() throws {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Show(screen: 9))
    store.dispatch(Add(amount: 2))
    try desk.persistence.flush()
    let text = String(decoding: try #require(desk.storage.files.files["state.json"]), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(#"{"format":"flux-state","version":1,"length":23,"checksum":""#))
    #expect(lines[1] == #"{"count":2,"titles":[]}"#)
  }

  @Test("a whole state can be saved")
  func whole() throws {
    let storage = InMemoryStorage()
    let persistence = Persistence<App, App>(in: storage)
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Show(screen: 9))
    try persistence.flush()
    #expect(Persistence<App, App>(in: storage).load().value == store.state)
  }

  @Test("a change that another plug-in makes outside the reducer is saved")
  func otherPlugin() async {
    struct Undo: Action {}
    let desk = Desk()
    let undo = Plugin<App>(wrapReducer: { reducer in
      { state, action in
        if action is Undo { state.library.count = 42 } else { reducer(&state, action) }
      }
    })
    let store = Store(
      reducer: appReducer, plugins: [undo, desk.persistence.plugin], state: App())
    store.dispatch(Undo())
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    await desk.storage.saves(atLeast: 1)
    #expect(desk.storage.savedCount == 42)
    withExtendedLifetime(store) {}
  }

  @Test("two persistences save two parts of a store under their names")
  func twoParts() throws {
    let storage = InMemoryStorage()
    let library = Persistence(of: \App.library, in: storage, name: "library")
    let screen = Persistence(of: \App.screen, in: storage, name: "screen")
    let store = Store(reducer: appReducer, plugins: [library.plugin, screen.plugin], state: App())
    store.dispatch(Add(amount: 5))
    store.dispatch(Show(screen: 6))
    try library.flush()
    try screen.flush()
    #expect(Set(storage.files.keys) == ["library.json", "screen.json"])
    #expect(Persistence(of: \App.screen, in: storage, name: "screen").load().value == 6)
  }

  @Test("using a persistence in a second store stops the program with a message")
  func secondStore() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let persistence = Persistence(of: \App.library, in: InMemoryStorage())
      let stores = (1...2).map { _ in
        Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
      }
      withExtendedLifetime(stores) {}
    }
    expect(result, says: "the persistence of state.json was added to a second store")
  }
}
