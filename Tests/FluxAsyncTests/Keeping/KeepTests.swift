import FluxAsync
import FluxCore
import TestSupport
import Testing

/// A chat whose room determines which socket is open.
private struct Chat: FluxState, Equatable {
  var room: String?
  var rooms: [String] = []
  var heard: [String] = []
  var failures: [String] = []
}

private struct Enter: Action {
  let room: String?
}

private struct Open: Action {
  let rooms: [String]
}

private struct Heard: Action {
  let text: String
}

private let chatReducer: ActionHandlers<Chat> = combine(
  on(Enter.self) { chat, action in chat.room = action.room },
  on(Open.self) { chat, action in chat.rooms = action.rooms },
  on(Heard.self) { chat, action in chat.heard.append(action.text) },
  on(WorkFailed.self) { chat, failure in
    let key = (failure.action as? KeptWork<String>)?.key
    chat.failures.append("\(key ?? "?"): \(failure.error)")
  })

private struct Trouble: Error {}

/// Records when work begins and when it is canceled.
private struct Sockets: Sendable {
  let log = EventLog<String>()

  /// Runs until the task is canceled.
  @Sendable
  func listen(to room: String, in store: StoreProxy<Chat>) async {
    log.record("+\(room)")
    await untilCanceled()
    log.record("-\(room)")
  }

  var keptRoom: Plugin<Chat> {
    .keep(while: { $0.room }) { room, store in await listen(to: room, in: store) }
  }

  var keptRooms: Plugin<Chat> {
    .keep(whileEach: { $0.rooms }) { room, store in await listen(to: room, in: store) }
  }
}

private func untilCanceled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in stream {}
  continuation.finish()
}

@Suite("Work that runs while the state has a key", .unlessItHangs)
struct KeepTests {
  private let sockets = Sockets()

  private func store(_ plugins: Plugin<Chat>..., state: Chat = Chat()) -> Store<Chat> {
    Store(reducer: chatReducer, plugins: plugins, state: state)
  }

  // MARK: One key

  @Test("work starts when the key appears, and is canceled when the key is gone")
  func appears() async {
    let store = store(sockets.keptRoom)
    store.dispatch(Enter(room: "a"))
    await sockets.log.count(atLeast: 1)
    #expect(sockets.log.values == ["+a"])
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(sockets.log.values == ["+a", "-a"])
  }

  @Test("work starts for the key of the initial state")
  func initial() async {
    let store = store(sockets.keptRoom, state: Chat(room: "a"))
    await sockets.log.count(atLeast: 1)
    #expect(sockets.log.values == ["+a"])
    withExtendedLifetime(store) {}
  }

  @Test("a commit that leaves the key unchanged starts and cancels nothing")
  func unchanged() async {
    let store = store(sockets.keptRoom)
    store.dispatch(Enter(room: "a"))
    await sockets.log.count(atLeast: 1)
    store.dispatch(Enter(room: "a"))
    store.dispatch(Heard(text: "x"))
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(sockets.log.values == ["+a", "-a"])
  }

  @Test("a new key cancels the old work and starts new work")
  func changes() async {
    let store = store(sockets.keptRoom)
    for room in ["a", "b"] {
      store.dispatch(Enter(room: room))
      await sockets.log.count(atLeast: room == "a" ? 1 : 3)
    }
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(Set(sockets.log.values.prefix(3)) == ["+a", "-a", "+b"])
    #expect(sockets.log.values.last == "-b")
  }

  @Test("a key that leaves and returns restarts the work, even if both commits are delivered later")
  func returns() async {
    let store = store(sockets.keptRoom)
    store.dispatch(Enter(room: "a"))
    await sockets.log.count(atLeast: 1)
    store.batch {
      store.dispatch(Enter(room: nil))
      store.dispatch(Enter(room: "a"))
    }
    await sockets.log.count(atLeast: 3)
    #expect(sockets.log.values.count { $0 == "+a" } == 2)
    #expect(sockets.log.values.count { $0 == "-a" } == 1)
    withExtendedLifetime(store) {}
  }

  @Test("work that returns is not restarted until the key changes")
  func ends() async {
    let log = EventLog<String>()
    let store = store(.keep(while: { $0.room }) { room, _ in log.record(room) })
    store.dispatch(Enter(room: "a"))
    await store.effects.finished()
    store.dispatch(Heard(text: "x"))
    await store.effects.finished()
    #expect(log.values == ["a"])
    store.dispatch(Enter(room: "b"))
    await log.count(atLeast: 2)
    #expect(log.values == ["a", "b"])
  }

  @Test("work that waits to begin never begins if the key changes again")
  func superseded() async {
    let (log, inside, gate) = (EventLog<String>(), Gate(), Gate())
    let store = store(
      .keep(while: { $0.room }) { room, store in
        log.record(room)
        if room == "a" { store.dispatch(Heard(text: "a")) }
      })
    let token = store.subscribe { chat in
      guard chat.heard == ["a"] else { return }
      inside.open()
      gate.wait()
    }
    store.dispatch(Enter(room: "a"))
    inside.wait()
    for room in ["b", "c"] { store.dispatch(Enter(room: room)) }
    gate.open()
    await log.count(atLeast: 2)
    await store.effects.finished()
    #expect(log.values == ["a", "c"])
    withExtendedLifetime(token) {}
  }

  // MARK: What the work dispatches

  @Test("actions that canceled work dispatches are dropped")
  func dropped() async {
    let log = EventLog<String>()
    let store = store(
      .keep(while: { $0.room }) { room, store in
        log.record(room)
        await untilCanceled()
        store.dispatch(Heard(text: "late"))
      })
    store.dispatch(Enter(room: "a"))
    await log.count(atLeast: 1)
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(store.state.heard == [])
  }

  @Test("work that dispatches an action that removes its own key is canceled")
  func removesItself() async {
    let log = EventLog<Bool>()
    let store = store(
      .keep(while: { $0.room }) { _, store in
        store.dispatch(Enter(room: nil))
        log.record(Task.isCancelled)
      })
    store.dispatch(Enter(room: "a"))
    await log.count(atLeast: 1)
    await store.effects.finished()
    #expect(log.values == [true])
  }

  @Test("work that the kept work starts is canceled with the kept work")
  func startsOtherWork() async {
    let service = Service()
    let store = store(
      .keep(while: { $0.room }) { room, store in
        store.dispatch(
          ActionPlan<Chat> { store in store.dispatch(Heard(text: try await service.call(room))) })
        await untilCanceled()
      })
    store.dispatch(Enter(room: "a"))
    await service.calls.count(atLeast: 1)
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(store.state.heard == [])
  }

  @Test("an error is dispatched as a failure that names the key")
  func failure() async {
    let store = store(.keep(while: { $0.room }) { _, _ in throw Trouble() })
    store.dispatch(Enter(room: "a"))
    await store.effects.finished()
    #expect(store.state.failures == ["a: Trouble()"])
  }

  @Test("an error goes only to the handler of the store, if it has one")
  func handler() async {
    let told = EventLog<String>()
    let store = store(
      .asyncWork(onError: { error, action in told.record("\((action as? KeptWork<String>)?.key ?? "")") }),
      .keep(while: { $0.room }) { _, _ in throw Trouble() })
    store.dispatch(Enter(room: "a"))
    await store.effects.finished()
    #expect(told.values == ["a"])
    #expect(store.state.failures == [])
  }

  @Test("an error of canceled work is not reported")
  func cancelledFailure() async {
    let log = EventLog<String>()
    let store = store(
      .keep(while: { $0.room }) { room, _ in
        log.record(room)
        await untilCanceled()
        throw Trouble()
      })
    store.dispatch(Enter(room: "a"))
    await log.count(atLeast: 1)
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(store.state.failures == [])
  }

  // MARK: Forms

  @Test("a condition keeps work running while it is true")
  func condition() async {
    let log = EventLog<String>()
    let store = store(
      .keep(while: { $0.room != nil }) { _ in
        log.record("+")
        await untilCanceled()
        log.record("-")
      })
    for room in ["a", "b"] { store.dispatch(Enter(room: room)) }
    await log.count(atLeast: 1)
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    #expect(log.values == ["+", "-"])
  }

  @Test("each key of a collection has its own work, which starts and is canceled with the key")
  func each() async {
    let store = store(sockets.keptRooms)
    store.dispatch(Open(rooms: ["a", "b", "a"]))
    await sockets.log.count(atLeast: 2)
    #expect(sockets.log.values.sorted() == ["+a", "+b"])
    sockets.log.forget()
    store.dispatch(Open(rooms: ["c", "b"]))
    await sockets.log.count(atLeast: 2)
    #expect(sockets.log.values.sorted() == ["+c", "-a"])
    sockets.log.forget()
    store.dispatch(Open(rooms: []))
    await store.effects.finished()
    #expect(sockets.log.values.sorted() == ["-b", "-c"])
  }

  @Test("a plug-in that is lifted to a part of the state keeps work for the part")
  func lifted() async {
    struct App: FluxState {
      var chat = Chat()
    }
    let store = Store(
      reducer: lift(chatReducer, to: \App.chat),
      plugins: [
        lift(
          .keep(while: { $0.room }) { room, store in
            store.dispatch(Heard(text: room + (store.state?.room ?? "?")))
          }, to: \App.chat)
      ], state: App())
    store.dispatch(Enter(room: "a"))
    await store.effects.finished()
    #expect(store.state.chat.heard == ["aa"])
  }

  // MARK: Lifetimes

  @Test("the work is canceled when the store is released, and does not keep the store alive")
  func released() async {
    var store: Store<Chat>? = store(sockets.keptRoom)
    let weakStore = WeakReference(store)
    store?.dispatch(Enter(room: "a"))
    await sockets.log.count(atLeast: 1)
    store = nil
    #expect(weakStore.object == nil)
    await sockets.log.count(atLeast: 2)
    #expect(sockets.log.values == ["+a", "-a"])
  }

  @Test("the closures are released with the store")
  func releasesClosures() async {
    let (tracker, released) = (LifetimeTracker(), EventLog<Bool>())
    do {
      let captured = tracker.make { released.record(true) }
      let store = store(
        .keep(while: { $0.room }) { _, _ in captured.touch() })
      store.dispatch(Enter(room: "a"))
      await store.effects.finished()
    }
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
  }

  @Test("adding the same plug-in to two stores stops the program")
  func twoStores() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let plugin = Plugin<Chat>.keep(while: { $0.room }) { _, _ in }
      let stores = (0..<2).map { _ in Store(reducer: chatReducer, plugins: [plugin], state: Chat()) }
      withExtendedLifetime(stores) {}
    }
    expect(result, says: "was added to two stores, or twice to one store.")
  }

  // MARK: Threads

  @Test("with many dispatching threads, only the work of the last key is running in the end")
  func threads() async {
    let store = store(sockets.keptRoom)
    onThreads(4) { thread in
      for round in 0..<100 {
        store.dispatch(Enter(room: round % 3 == 0 ? nil : "\(thread).\(round)"))
      }
    }
    store.dispatch(Enter(room: "last"))
    store.dispatch(Enter(room: nil))
    await store.effects.finished()
    let (begun, ended) = (
      sockets.log.values.filter { $0.hasPrefix("+") }, sockets.log.values.filter { $0.hasPrefix("-") }
    )
    #expect(Set(begun).count == begun.count)
    #expect(Set(begun.map { $0.dropFirst() }) == Set(ended.map { $0.dropFirst() }))
  }
}
