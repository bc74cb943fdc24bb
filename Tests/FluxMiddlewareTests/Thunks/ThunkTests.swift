import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Thunks")
struct ThunkTests {
  private struct Services: Sendable {
    let name: String
  }

  private protocol Named: Sendable {
    var name: String { get }
  }

  private struct NamedServices: Named {
    let name = "by protocol"
  }

  private let heard = Recorder<String>()

  @Test("a thunk dispatches and reads the state before its dispatch returns")
  func running() {
    let store = makeStore(thunkMiddleware())
    store.dispatch(
      Thunk<Tally> { [heard] dispatch, getState in
        dispatch(Add(amount: 2))
        heard.record("\(getState()?.sum ?? -1)")
        dispatch(Add(amount: 3))
      })
    #expect(heard.values == ["2"])
    #expect(store.state.sum == 5)
  }

  @Test(
    "earlier middleware receives the thunk and its actions; later middleware and the reducer only its actions"
  )
  func chain() {
    let reduced = Recorder<String>()
    let reducer: MutatingReducer<Tally> = { (_: inout Tally, action) in reduced.record("\(type(of: action))")
    }
    let store = Store(
      reducer: reducer,
      middleware: [noting("before", in: heard), thunkMiddleware(), noting("behind", in: heard)],
      state: Tally())
    store.dispatch(Thunk<Tally> { dispatch, _ in dispatch(Add()) })
    #expect(
      heard.values == [
        "before Thunk<Tally>", "before Add", "behind Add", "behind back", "before back", "before back",
      ])
    #expect(reduced.values == ["Add"])
  }

  @Test("the caller of a thunk receives its result")
  func result() {
    let store = makeStore(thunkMiddleware())
    let count = ResultThunk<Tally, Int> { dispatch, getState in
      dispatch(Add(amount: 4))
      return getState()?.sum ?? -1
    }
    #expect(store.dispatch(count) == 4)
    #expect(store.proxy.dispatch(count) == 8)
  }

  @Test("a thunk dispatches other thunks, and receives their results")
  func nested() {
    let store = makeStore(thunkMiddleware())
    let inner = ResultThunk<Tally, Int> { dispatch, getState in
      dispatch(Add())
      return getState()?.sum ?? -1
    }
    let outer = ResultThunk<Tally, [Int?]> { dispatch, _ in
      let results = [dispatch(inner), dispatch(inner)]
      dispatch(Thunk(inner))
      return results
    }
    #expect(store.dispatch(outer) == [1, 2])
    #expect(store.state.sum == 3)
  }

  @Test("a thunk whose condition is false is not run, and returns no result")
  func condition() {
    let store = makeStore(thunkMiddleware())
    let once = ResultThunk<Tally, String>(when: { $0.sum == 0 }) { dispatch, _ in
      dispatch(Add())
      return "ran"
    }
    #expect(store.dispatch(once) == "ran")
    #expect(store.dispatch(once) == nil)
    store.dispatch(Thunk<Tally>(when: { $0.sum == 0 }) { dispatch, _ in dispatch(Add()) })
    #expect(store.state.sum == 1)
  }

  @Test("a thunk receives the dependencies of the middleware")
  func dependencies() {
    let store = makeStore(thunkMiddleware(with: Services(name: "live")))
    store.dispatch(
      Thunk<Tally>(with: Services.self) { dispatch, _, services in dispatch(Note(text: services.name)) })
    let result = store.dispatch(
      ResultThunk<Tally, Int>(with: Services.self) { _, _, services in services.name.count })
    store.dispatch(Thunk<Tally> { dispatch, _ in dispatch(Note(text: "needs nothing")) })
    #expect(store.state.log == ["live", "needs nothing"])
    #expect(result == 4)
  }

  @Test("a thunk can declare a protocol that the dependencies conform to")
  func dependenciesByProtocol() {
    let store = makeStore(thunkMiddleware(with: NamedServices()))
    let name = store.dispatch(
      ResultThunk<Tally, String>(with: (any Named).self) { _, _, named in named.name })
    #expect(name == "by protocol")
  }

  @Test("a thunk that a middleware blocks returns no result")
  func blocked() {
    let store = makeStore(transformActions(of: Thunk<Tally>.self) { _, _ in nil }, thunkMiddleware())
    #expect(store.dispatch(ResultThunk<Tally, Int> { _, _ in 1 }) == nil)
  }

  @Test("a thunk of a part is run by the lifted middleware of that part")
  func lifted() {
    let store = makeStore(
      lift(thunkMiddleware(), to: { (tally: Tally) in tally.log }), thunkMiddleware(),
      state: Tally(log: ["a"]))
    let count = store.proxy(for: \.log).dispatch(
      ResultThunk<[String], Int> { dispatch, getLog in
        dispatch(Note(text: "b"))
        return getLog()?.count ?? -1
      })
    #expect(count == 2)
    #expect(store.dispatch(ResultThunk<Tally, Int> { _, getState in getState()?.log.count ?? -1 }) == 2)
  }

  @Test("a thunk describes where it was made")
  func description() {
    let thunk = Thunk<Tally>(file: "App/Thunks.swift", line: 7) { _, _ in }
    #expect("\(thunk)" == "Thunk(App/Thunks.swift:7)")
  }

  @Test("a thunk that is dispatched after the store is released is not run")
  func gone() {
    var store: Store<Tally>? = makeStore(thunkMiddleware())
    let proxy = store?.proxy
    store = nil
    #expect(proxy?.dispatch(ResultThunk<Tally, Int> { _, _ in 1 }) == .some(nil))
  }
}
