import Dispatch
import FluxAsync
import FluxCore
import FluxMiddleware
import TestSupport
import Testing

/// What happened, with a mark where it did not happen on the main queue.
private final class Diary: Sendable {
  private static let mainKey = DispatchSpecificKey<Bool>()
  private let entries = Recorder<String>()

  init() {
    DispatchQueue.main.setSpecific(key: Self.mainKey, value: true)
  }

  var values: [String] { entries.values }

  func note(_ entry: String) {
    let isOnMain = DispatchQueue.getSpecific(key: Self.mainKey) == true
    entries.record(isOnMain ? entry : "\(entry), not on the main queue")
  }
}

/// Does work that dispatches.
private struct Fetch: AsyncAction {
  let diary: Diary

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    diary.note("execute")
    dispatch(Note(text: "fetched"))
    diary.note("executed")
  }
}

@Suite("Actions deferred to the main queue, as in SwiftUIFlux", .unlessItHangs)
struct DeferredToMainTests {
  private let diary = Diary()

  private func name(_ action: any Action) -> String {
    switch action {
    case let note as Note: note.text
    default: "\(type(of: action))"
    }
  }

  /// A store that notes what happens to an action, in middleware, reducer, and an observer.
  private func makeStore(
    _ middleware: [Middleware<Tally>] = [],
    reducing reduce: @escaping @Sendable (any Action) -> Void = { _ in }
  ) -> Store<Tally> {
    let (diary, name) = (diary, name)
    let noting: Middleware<Tally> = { _, _ in
      { next in
        { action in
          diary.note("\(name(action)) in")
          next(action)
          diary.note("\(name(action)) out")
        }
      }
    }
    return Store(
      reducer: { (tally: inout Tally, action: any Action) in
        diary.note("\(name(action)) reduced")
        reduce(action)
        if let note = action as? Note { tally.log.append(note.text) }
      }, middleware: [noting] + middleware, plugins: [.deferredToMain], state: Tally())
  }

  /// Waits until the main queue has run the actions that were dispatched before, and the actions
  /// that these dispatched.
  private func drainMainQueue() async {
    for _ in 0..<4 {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
  }

  @Test("A dispatch returns before the action is handled")
  @MainActor
  func returnsFirst() async {
    let store = makeStore()
    store.dispatch(Note(text: "a"))
    #expect(store.state.log == [])
    #expect(diary.values == [])
    await drainMainQueue()
    #expect(store.state.log == ["a"])
  }

  @Test("Middleware, reducer, and observers run on the main queue, one action after the other")
  func runsOnMain() async {
    let (store, diary) = (makeStore(), diary)
    let token = store.subscribe(to: \.log, initial: false) { log in diary.note("observed \(log)") }
    store.dispatch(Note(text: "a"))
    store.dispatch(Note(text: "b"))
    await drainMainQueue()
    #expect(
      diary.values == [
        "a in", "a reduced", "observed [\"a\"]", "a out",
        "b in", "b reduced", "observed [\"a\", \"b\"]", "b out",
      ])
    token.cancel()
  }

  @Test("Actions that a thread dispatches are reduced in the order in which it dispatches them")
  func isFirstInFirstOut() async {
    let store = makeStore()
    await resultOfThread { for number in 0..<100 { store.dispatch(Note(text: "\(number)")) } }
    await drainMainQueue()
    #expect(store.state.log == (0..<100).map { "\($0)" })
  }

  @Test("An action that a middleware dispatches before next is reduced after the middleware's own action")
  func isOvertaken() async {
    let eager: Middleware<Tally> = { dispatch, _ in
      { next in
        { action in
          if (action as? Note)?.text == "own" { dispatch(Note(text: "early")) }
          next(action)
        }
      }
    }
    let store = makeStore([eager])
    store.dispatch(Note(text: "own"))
    await drainMainQueue()
    #expect(store.state.log == ["own", "early"])
  }

  @Test("The work of an action runs on the main queue, and what it dispatches is deferred")
  func work() async {
    let store = makeStore()
    store.dispatch(Fetch(diary: diary))
    await drainMainQueue()
    #expect(
      diary.values == [
        "Fetch in", "Fetch reduced", "execute", "executed", "Fetch out",
        "fetched in", "fetched reduced", "fetched out",
      ])
  }

  @Test("A reducer may dispatch, and its action is reduced after the actions dispatched before it")
  @MainActor
  func reducerDispatches() async {
    let target = Shared<Store<Tally>?>(nil)
    let store = makeStore(reducing: { action in
      if (action as? Note)?.text == "first" { target.value?.dispatch(Note(text: "from the reducer")) }
    })
    target.value = store
    store.dispatch(Note(text: "first"))
    store.dispatch(Note(text: "second"))
    await drainMainQueue()
    #expect(store.state.log == ["first", "second", "from the reducer"])
    target.value = nil
  }

  @Test("A reducer may dispatch through a proxy, and a withState closure through the store")
  func underTheLock() async {
    let target = Shared<StoreProxy<Tally>?>(nil)
    let store = makeStore(reducing: { action in
      if (action as? Note)?.text == "first" { target.value?.dispatch(Note(text: "from the reducer")) }
    })
    target.value = store.proxy
    store.withState { _ in store.dispatch(Note(text: "first")) }
    await drainMainQueue()
    #expect(store.state.log == ["first", "from the reducer"])
  }

  @Test("A middleware may dispatch while the chain is being built")
  func whileBuilding() async {
    let hasty: Middleware<Tally> = { dispatch, _ in
      dispatch(Note(text: "early"))
      return { next in next }
    }
    let store = makeStore([hasty])
    store.dispatch(Note(text: "later"))
    await drainMainQueue()
    #expect(store.state.log == ["early", "later"])
  }

  @Test("Observers on the main actor are called before the main queue continues with the next action")
  @MainActor
  func mainObservers() async {
    let (store, diary) = (makeStore(), diary)
    let token = store.subscribe(
      to: \.log, initial: false, onMain: { log in diary.note("\(log.count) observed") })
    store.dispatch(Note(text: "a"))
    store.dispatch(Note(text: "b"))
    await drainMainQueue()
    #expect(
      diary.values == [
        "a in", "a reduced", "a out", "1 observed", "b in", "b reduced", "b out", "2 observed",
      ])
    token.cancel()
  }

  @Test("Waiting for a dispatch includes the deferred action and the work that it starts")
  func dispatchAsync() async {
    let store = makeStore()
    await store.dispatchAsync(Fetch(diary: diary)).finished()
    #expect(store.state.log == ["fetched"])
  }

  @Test("An action in the queue of a released store is dropped before middleware receives it")
  @MainActor
  func storeIsReleased() async {
    var store: Store<Tally>? = makeStore()
    store?.dispatch(Note(text: "a"))
    store = nil
    await drainMainQueue()
    #expect(diary.values == [])
  }

  @Test("A plug-in that was lifted to a part of the state defers all actions too")
  func lifted() async {
    let diary = diary
    let store = Store(
      reducer: { (_: inout Tally, action: any Action) in diary.note("reduced") },
      plugins: [lift(Plugin<Int>.deferredToMain, to: \Tally.sum)], state: Tally())
    await resultOfThread { store.dispatch(Add()) }
    await drainMainQueue()
    #expect(diary.values == ["reduced"])
  }
}
