import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("The actions that a test store receives", .unlessItHangs)
struct TestStoreOriginTests {
  private let reports = Reports()

  @Test("actions of an async action, including those dispatched immediately and before its own reduction")
  func asyncAction() async {
    struct Fetch: AsyncAction {
      func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
        dispatch(Add())
        Task { dispatch(Note(text: "later")) }
      }
    }
    let store = reports.store()
    store.send(Fetch())
    await store.receive(Add.self) { $0.count = 1 }
    await store.receive(Note.self) { $0.notes = ["later"] }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("an action that work dispatches before the sent action is reduced does not count as sent")
  func sameType() async {
    struct Doubling: Action {
      let rounds: Int
      func _startWork(in context: ActionContext) -> WorkStart? {
        if rounds > 0 { context.dispatch(Doubling(rounds: rounds - 1)) }
        return nil
      }
    }
    let handlers = on(Doubling.self) { (state: inout Tally, action) in
      state.notes.append("\(action.rounds)")
    }
    let store = TestStore(reducer: handlers, state: Tally(), reporter: reports.reporter)
    store.send(Doubling(rounds: 2)) { $0.notes = ["0", "1", "2"] }
    await store.receive(Doubling.self) { $0.notes = ["0"] }
    await store.receive(Doubling.self) { $0.notes = ["0", "1"] }
    #expect(reports.failures == [])
  }

  @Test("actions that middleware dispatches")
  func middleware() async {
    let store = reports.store(
      middleware: [observeActions(of: Add.self) { store, _ in store.dispatch(Note(text: "added")) }])
    store.send(Add()) { $0.count = 1 }
    await store.receive(Note.self) { $0.notes = ["added"] }
    #expect(reports.failures == [])
  }

  @Test("actions that thunks dispatch; thunks themselves never reach the reducer")
  func thunks() async {
    let store = reports.store(middleware: [thunkMiddleware()])
    store.send(
      Thunk<Tally> { dispatch, getState in
        dispatch(Add())
        dispatch(Note(text: "\(getState()?.count ?? 0)"))
      })
    await store.receive(Add.self) { $0.count = 1 }
    await store.receive(Note.self) { $0.notes = ["1"] }
    #expect(reports.failures == [])
  }

  @Test("actions that plug-ins dispatch when they receive a transition")
  func plugins() async {
    let dispatch = Shared<DispatchFunction?>(nil)
    let echo = Plugin<Tally>(
      middleware: { send, _ in
        dispatch.value = send
        return { next in
          next
        }
      },
      onTransition: .actions { action, _ in
        if action is Add { dispatch.value?(Note(text: "heard")) }
      })
    let store = reports.store(plugins: [echo])
    store.send(Add()) { $0.count = 1 }
    await store.receive(Note.self) { $0.notes = ["heard"] }
    #expect(reports.failures == [])
  }

  @Test("an action that a middleware held, after it is passed on")
  func held() async {
    let clock = ManualClock()
    let store = reports.store(
      middleware: [debounceActions(of: Add.self, for: .seconds(1), clock: clock)])
    store.send(Add())
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await store.receive(Add.self) { $0.count = 1 }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("actions that other threads dispatch, in the order of their reduction")
  func threads() async {
    let dispatch = Shared<DispatchFunction?>(nil)
    let store = reports.store()
    store.send(Work { dispatch.value = $0.dispatch })
    onThreads(4) { index in
      for _ in 0..<50 { dispatch.value?(Note(text: "\(index)")) }
    }
    let reduced = store.state.notes
    for index in 0..<200 {
      await store.receive(Note(text: reduced[index])) { $0.notes = Array(reduced[...index]) }
    }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("an action that another thread dispatches while an action is sent does not count as the sent one")
  func threadsMeanwhile() async {
    let dispatch = Shared<DispatchFunction?>(nil)
    let store = reports.store(
      middleware: [
        interceptActions(of: Note.self) { _, note, next in
          if note.text == "sent" { onAnotherThread { dispatch.value?(Note(text: "other")) } }
          next(note)
        }
      ])
    store.send(Work { dispatch.value = $0.dispatch })
    store.send(Note(text: "sent")) { $0.notes = ["other", "sent"] }
    await store.receive(Note(text: "other")) { $0.notes = ["other"] }
    #expect(reports.failures == [])
  }

  @Test("each action once, even with a plug-in that reduces one action several times")
  func replaying() async {
    let twice = Plugin<Tally>(wrapReducer: { reducer in
      { state, action in
        reducer(&state, action)
        reducer(&state, action)
      }
    })
    let store = reports.store(plugins: [twice])
    store.send(Add()) { $0.count = 2 }
    await store.finish()
    #expect(reports.failures == [])
  }
}
