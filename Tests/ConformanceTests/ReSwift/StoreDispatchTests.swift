import FluxAsync
import FluxCore
import FluxMiddleware
import TestSupport
import Testing

/// Requests a name from a service, which calls back.
private struct AskName: AsyncAction {
  let service: CallingBack

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    service.ask { name in dispatch(SetName(name: name)) }
  }
}

/// A service that calls back when a test answers it.
private final class CallingBack: Sendable {
  private let asking = Shared<(@Sendable (String) -> Void)?>(nil)

  func ask(_ completed: @escaping @Sendable (String) -> Void) {
    asking.value = completed
  }

  func answer(_ name: String) {
    asking.exchange(nil)?(name)
  }
}

/// Waits for a service's answer.
private struct AwaitName: TaskAction {
  let service: Service

  func execute(state: Person, dispatch: @escaping DispatchFunction) async throws {
    dispatch(SetName(name: try await service.call("Grace")))
  }
}

@Suite(
  "ReSwift: StoreDispatch",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/StoreDispatchTests.swift", at: "11f0a2e4", count: 4))
struct StoreDispatchTests {
  @Test("a reducer that dispatches stops the program with a message", .holds(1))
  func dispatchInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      reduceTouching { $0.dispatch(AddTodo(text: "b")) }
    }
    expect(result, says: "AddTodo(text: \"b\") was dispatched while the reducer was handling Unknown()")
  }

  @Test("a thunk is dispatched as a function that reads the state to make its action", .holds(2))
  func actionCreator() {
    let store = personStore(thunkMiddleware())
    store.dispatch(SetAge(age: 5))
    store.dispatch(
      Thunk<Person> { dispatch, getState in
        if let age = getState()?.age { dispatch(SetAge(age: age * 2)) }
      })
    #expect(store.state.age == 10)
  }

  @Test(
    "an action may call back later, and observers receive the state that its callback dispatches", .holds(3))
  func calledBack() {
    let store = personStore()
    let (service, heard) = (CallingBack(), Recorder<String>())
    let token = store.subscribe(to: \.name, heard.record)
    store.dispatch(AskName(service: service))
    #expect(heard.values == ["Ada"])
    onAnotherThread { service.answer("Grace") }
    #expect(heard.values == ["Ada", "Grace"])
    token.cancel()
  }

  @Test(
    "a caller can wait until the state contains the result of an asynchronous action",
    .differs(
      4,
      because: """
        ReSwift calls a closure with the state. In Flux, the caller awaits or cancels the work, and then \
        reads the state.
        """))
  func waitedFor() async {
    let (store, service) = (personStore(), Service())
    let work = store.dispatchAsync(AwaitName(service: service))
    #expect(work.isRunning)
    #expect(store.state.name == "Ada")
    service.answer("Grace")
    await work.finished()
    #expect(store.state.name == "Grace")
  }
}
