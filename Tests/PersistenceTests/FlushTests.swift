import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Flushing, and the end of the store")
struct FlushTests {
  @Test("a flush saves the reduced state without waiting for the window")
  func flush() throws {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add(amount: 4))
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 4)
    withExtendedLifetime(store) {}
  }

  @Test("an awaited flush saves the reduced state")
  func asynchronous() async throws {
    let desk = Desk()
    let store = desk.makeStore()
    store.dispatch(Add(amount: 4))
    try await desk.persistence.flush()
    #expect(desk.storage.savedCount == 4)
    withExtendedLifetime(store) {}
  }

  @Test("an awaited flush throws the error that prevented the save")
  func asynchronousFailure() async {
    let desk = Desk()
    let store = desk.makeStore()
    desk.storage.files.failure = { if case .write = $0 { DiskFull() } else { nil } }
    store.dispatch(Add())
    let error = await #expect(throws: PersistenceError.self) { try await desk.persistence.flush() }
    #expect(error?.code == .unwritable)
  }

  @Test("a flush during a save waits, and then saves later changes")
  func duringSave() async throws {
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
    let flushed = EventLog<Int?>()
    let begun = Gate()
    let worker = Worker {
      begun.open()
      #expect(throws: Never.self) { try desk.persistence.flush() }
      flushed.record(desk.storage.savedCount)
    }
    begun.wait()
    letOthersRun()
    #expect(flushed.values.isEmpty)
    door.open()
    await flushed.count(atLeast: 1)
    worker.join()
    #expect(flushed.values == [2])
    withExtendedLifetime(store) {}
  }

  @Test("a flush from an observer saves the action that the observer receives")
  func fromObserver() {
    let desk = Desk()
    let store = desk.makeStore()
    let saved = Recorder<Int?>()
    let token = store.subscribe(initial: false) { _ in
      #expect(throws: Never.self) { try desk.persistence.flush() }
      saved.record(desk.storage.savedCount)
    }
    store.dispatch(Add(amount: 3))
    #expect(saved.values == [3])
    token.cancel()
  }

  @Test("a flush saves a reduced action even before its transition is delivered")
  func beforeTransition() async throws {
    let desk = Desk()
    let (inside, door) = (EventLog<Bool>(), Gate())
    let slow = Plugin<App>(
      onTransition: .actions { action, _ in
        guard action is Show else { return }
        inside.record(true)
        door.wait()
      })
    let store = Store(reducer: appReducer, plugins: [desk.persistence.plugin, slow], state: App())
    let worker = Worker { store.dispatch(Show(screen: 1)) }
    await inside.count(atLeast: 1)
    // The other thread delivers this action after it passes the gate.
    store.dispatch(Add(amount: 6))
    try await desk.persistence.flush()
    #expect(desk.storage.savedCount == 6)
    door.open()
    worker.join()
  }

  @Test("a flush without a store or without changes does nothing")
  func nothing() throws {
    let desk = Desk()
    try desk.persistence.flush()
    let store = desk.makeStore()
    try desk.persistence.flush()
    #expect(desk.storage.operations.isEmpty)
    withExtendedLifetime(store) {}
  }

  @Test("releasing the store saves, and waits until the state is on disk")
  func end() {
    let desk = Desk()
    var store: Store<App>? = desk.makeStore()
    store?.dispatch(Add(amount: 8))
    store = nil
    #expect(desk.storage.savedCount == 8)
  }

  @Test("releasing the store ends the window")
  func endsWindow() async {
    let desk = Desk()
    var store: Store<App>? = desk.makeStore()
    store?.dispatch(Add(amount: 8))
    await desk.clock.sleepers(atLeast: 1)
    store = nil
    #expect(desk.clock.sleepers == 0)
    #expect(desk.storage.saveCount == 1)
  }

  @Test("releasing a store during a save waits for it, and saves later changes")
  func endDuringSave() async {
    let desk = Desk()
    let (inside, door) = (EventLog<Bool>(), Gate())
    desk.storage.before { operation in
      guard operation == .write("state.json.partial") else { return }
      inside.record(true)
      door.wait()
    }
    let holder = Shared<Store<App>?>(desk.makeStore())
    holder.value?.dispatch(Add())
    await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(10))
    await inside.count(atLeast: 1)
    holder.value?.dispatch(Add())
    let worker = Worker { holder.value = nil }
    door.open()
    worker.join()
    #expect(desk.storage.savedCount == 2)
  }

  @Test("a flush while the store ends on another thread waits for the end, which saves")
  func flushWhileEnding() async {
    let desk = Desk()
    let (inside, door) = (EventLog<Bool>(), Gate())
    let slow = Plugin<App>(
      onTransition: .actions { _, _ in
        inside.record(true)
        door.wait()
      })
    let holder = Shared<Store<App>?>(
      Store(reducer: appReducer, plugins: [slow, desk.persistence.plugin], state: App()))
    let proxy = holder.value?.proxy
    let dispatching = Worker { proxy?.dispatch(Add(amount: 9)) }
    await inside.count(atLeast: 1)
    // The store is released; the delivering thread reports its end after it passes the gate.
    holder.value = nil
    #expect(proxy?.state == nil)
    let flushed = EventLog<Int?>()
    let begun = Gate()
    let flushing = Worker {
      begun.open()
      #expect(throws: Never.self) { try desk.persistence.flush() }
      flushed.record(desk.storage.savedCount)
    }
    begun.wait()
    letOthersRun()
    #expect(flushed.values.isEmpty)
    door.open()
    await flushed.count(atLeast: 1)
    dispatching.join()
    flushing.join()
    #expect(flushed.values == [9])
  }

  @Test("a state that could not be saved at the end is kept until a flush saves it")
  func flushAfterEnd() throws {
    let desk = Desk()
    desk.storage.files.failure = { if case .write = $0 { DiskFull() } else { nil } }
    var store: Store<App>? = desk.makeStore()
    store?.dispatch(Add(amount: 8))
    store = nil
    #expect(desk.problems.values.map(\.code) == [.unwritable])
    #expect(desk.storage.savedCount == nil)
    desk.storage.files.failure = nil
    try desk.persistence.flush()
    #expect(desk.storage.savedCount == 8)
  }
}

@Suite("Lifetimes of a persistence and its store")
struct PersistenceLifetimeTests {
  private struct Tracked: FluxState {
    var count = 0
    var tracked: LifetimeTracker.Tracked?
  }

  @Test("the persistence does not keep the store alive, nor a saved state")
  func store() throws {
    let tracker = LifetimeTracker()
    let persistence = Persistence(of: \Tracked.count, in: InMemoryStorage(), clock: ManualClock())
    var store: Store<Tracked>? = Store(
      reducer: { (state: inout Tracked, _: any Action) in state.count += 1 }, plugins: [persistence.plugin],
      state: Tracked(tracked: tracker.make()))
    store?.dispatch(Add())
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    #expect(persistence.load().value == 1)
  }

  @Test("the store keeps the persistence, and releases it at its end, even while a window is open")
  func persistence() async {
    let tracker = LifetimeTracker()
    let clock = ManualClock()
    var store: Store<App>? = {
      let tracked = tracker.make()
      let persistence = Persistence(
        of: \App.library, in: InMemoryStorage(), clock: clock, onProblem: { _ in tracked.touch() })
      return Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    }()
    store?.dispatch(Add())
    await clock.sleepers(atLeast: 1)
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
  }
}
