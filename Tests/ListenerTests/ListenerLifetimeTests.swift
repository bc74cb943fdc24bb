import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Lifetimes of listeners, and the scopes of their work", .unlessItHangs)
struct ListenerLifetimeTests {
  private let journal = Journal()
  private let tracker = LifetimeTracker()

  @Test("a store is released while effects run, and cancels them")
  func store() async {
    let listeners = Listeners<Count>()
    var store: Store<Count>? = makeStore(plugins: [listeners.plugin])
    let released = WeakReference(store)
    let contexts = Recorder<ListenerContext<Count>>()
    listeners.start(of: Note.self) { [journal] _, listener in
      contexts.record(listener)
      journal.note(
        await reason { try await listener.take(of: Other.self, doing: { journal.note("waiting") }) })
    }
    listeners.start(of: Note.self) { [journal] _, listener in
      let task = listener.fork { task in
        journal.note(await reason { try await task.pause { await journal.has("end") } })
      }
      journal.note("waiting")
      journal.note(await reason { _ = try await task.value })
    }
    let task = store?.dispatchAsync(Note())
    await journal.has("waiting", times: 2)
    store = nil
    #expect(released.object == nil)
    journal.note("end")
    await task?.finished()
    #expect(journal.count(of: "the store was released") >= 2)
    for context in contexts.values {
      context.dispatch(Add())
      #expect(context.state == nil)
      #expect(context.store == nil)
      #expect(context.cancellation == .storeEnded)
    }
  }

  @Test("a released store releases its listeners, and no more are started")
  func letGo() async {
    let listeners = Listeners<Count>()
    var store: Store<Count>? = makeStore(plugins: [listeners.plugin])
    let started = listeners.start(holding("effect"))
    #expect(started.isListening)
    #expect(tracker.alive == 1)
    await store?.dispatchAsync(Note()).finished()
    store = nil
    await journal.has("effect released")
    #expect(!started.isListening)
    #expect(!listeners.start(of: Note.self) { _, _ in }.isListening)
  }

  @Test("a stopped listener is released, and so is one whose run has finished")
  func stopped() async {
    let scene = Scene()
    scene.listeners.start(holding("stopped")).stop()
    #expect(tracker.alive == 0)
    let once = Listener<Count>(of: Note.self, taking: .once) { [object = tracked("once")] _, _ in
      object.touch()
    }
    scene.listeners.start(once)
    scene.listeners.clear()
    #expect(tracker.alive == 1)
    withExtendedLifetime(once) {}
  }

  @Test("a listener that received its only action is released, although it may be resumed")
  func once() async {
    let scene = Scene()
    do {
      let object = tracked("once")
      scene.listeners.start(of: Note.self, taking: .once) { _, _ in object.touch() }
    }
    await scene.settle(Note())
    await journal.has("once released")
    #expect(tracker.alive == 0)
  }

  @Test("listeners live as long as the store, whether or not they are kept elsewhere")
  func notKept() async {
    let store: Store<Count>
    do {
      let listeners = Listeners<Count>()
      listeners.start(of: Note.self) { [journal] _, _ in journal.note("heard") }
      store = makeStore(plugins: [listeners.plugin])
    }
    await store.dispatchAsync(Note()).finished()
    #expect(journal.entries == ["heard"])
  }

  @Test("the function that stops a listener keeps nothing alive")
  func handle() {
    var listeners: Listeners<Count>? = Listeners()
    let started = listeners?.start(holding("effect"))
    listeners = nil
    #expect(tracker.alive == 0)
    #expect(started?.isListening == false)
    #expect(started?.stop() == false)
  }

  @Test("a kept ListenerContext and a kept ForkContext do not keep the awaited and forked values")
  func contexts() async {
    let (scene, released) = (Scene(), EventLog<Bool>())
    let (listening, forking) = (Recorder<ListenerContext<Count>>(), Recorder<ForkContext>())
    scene.listeners.start(of: Note.self, taking: .once) { [tracker] _, listener in
      func tracked() -> LifetimeTracker.Tracked { tracker.make { released.record(true) } }
      listening.record(listener)
      let (pausing, forked, inside, awaiting) = (tracked(), tracked(), tracked(), tracked())
      try await listener.pause { pausing.touch() }
      let task = listener.fork { fork in
        forked.touch()
        forking.record(fork)
        try await fork.pause { inside.touch() }
      }
      try await task.value
      try await listener.condition(doing: { listener.dispatch(Add()) }) { _, _, _ in
        awaiting.touch()
        return true
      }
    }
    await scene.settle(Note())
    await released.count(atLeast: 4)
    #expect(tracker.alive == 0)
    #expect(listening.count == 1 && forking.count == 1)
  }

  @Test("an effect belongs to the dispatch of its action, whichever thread delivers it")
  func belongs() async {
    let entered = Gate()
    let gate = Gate()
    let holding = Plugin<Count>(
      onTransition: .actions { action, _ in
        guard action is Other else { return }
        entered.open()
        gate.wait()
      })
    let scene = Scene(plugins: [holding])
    let door = Door()
    scene.listeners.start(of: Note.self) { [journal] note, _ in
      journal.note(note.text)
      await door.pass()
    }
    let delivering = Shared<DispatchTask?>(nil)
    let store = scene.store
    let worker = Worker { delivering.value = store.dispatchAsync(Other()) }
    entered.wait()
    store.dispatch(Note(text: "plain"))
    let waited = store.dispatchAsync(Note(text: "waited for"))
    gate.open()
    worker.join()
    await journal.has("plain")
    await journal.has("waited for")
    await delivering.value?.finished()
    #expect(waited.isRunning)
    delivering.value?.cancel()
    door.open()
    await waited.finished()
    #expect(!waited.isRunning)
  }

  @Test("work that an effect starts belongs to the same dispatch")
  func causes() async {
    let scene = Scene()
    let door = Door()
    scene.listeners.start(of: Note.self) { note, listener in listener.dispatch(Add()) }
    scene.listeners.start(of: Add.self) { [journal] _, _ in
      journal.note("caused")
      await door.pass()
      journal.note("done")
    }
    let task = scene.store.dispatchAsync(Note())
    await journal.has("caused")
    #expect(task.isRunning)
    door.open()
    await task.finished()
    #expect(journal.entries == ["caused", "done"])
  }

  @Test("using listeners in a second store stops the program with a message")
  func misuse() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let listeners = Listeners<Count>()
      for _ in 1...2 { _ = makeStore(plugins: [listeners.plugin]) }
    }
    expect(
      result, says: "the same Listeners<Count> were added to two stores, or twice to one store.",
      "Create Listeners for each store")
  }

  /// An object whose release is recorded.
  private func tracked(_ name: String) -> LifetimeTracker.Tracked {
    tracker.make { [journal] in journal.note("\(name) released") }
  }

  /// A listener whose effect holds an object.
  private func holding(_ name: String) -> Listener<Count> {
    let object = tracked(name)
    return Listener(of: Note.self) { _, _ in object.touch() }
  }
}
