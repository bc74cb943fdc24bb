import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Several actions as one")
struct CompositeActionTests {
  private let service = Service()
  private let store = Store(reducer: shelfReducer, state: Shelf())

  @Test("actions that nothing has to be waited for are dispatched before dispatch returns")
  func atOnce() {
    store.dispatch(Arrived(text: "a") + Arrived(text: "b").then(Arrived(text: "c")))
    #expect(store.state.texts == ["a", "b", "c"])
  }

  @Test("each is dispatched when the one before, and all that it started, is done")
  func order() async {
    struct Outer: TaskAction {
      let inner: Fetch

      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        dispatch(inner)
      }
    }
    let work = store.dispatchAsync(
      CompositeAction(Arrived(text: "first"), Outer(inner: Fetch("a", from: service)), Arrived(text: "last")))
    #expect(store.state.texts == ["first"])
    await service.calls.count(atLeast: 1)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["first", "a", "last"])
  }

  @Test("one that fails does not keep the next from being dispatched")
  func failing() async {
    service.fail("a")
    await store.dispatchAsync(Fetch("a", from: service) + Arrived(text: "b")).finished()
    #expect(store.state == Shelf(texts: ["b"], failures: ["trouble"]))
  }

  @Test("cancelling ends the one that runs, and leaves out the rest")
  func cancelling() async {
    let work = store.dispatchAsync(Fetch("a", from: service) + Arrived(text: "b"))
    await service.calls.count(atLeast: 1)
    work.cancel()
    await work.finished()
    #expect(service.cancelled.values == ["a"])
    #expect(store.state == Shelf())
  }

  @Test("composites of composites are flat, and tell what they consist of")
  func flat() {
    let composite = (Arrived(text: "a") + Arrived(text: "b")).then(Arrived(text: "c") + Arrived(text: "d"))
    #expect(composite.actions.count == 4)
    #expect("\(Arrived(text: "a") + Arrived(text: "b"))" == "Arrived(text: \"a\") + Arrived(text: \"b\")")
  }

  @Test("an empty one does nothing")
  func empty() async {
    await store.dispatchAsync(CompositeAction([])).finished()
    await store.dispatchAsync(RaceAction([])).finished()
    #expect(store.state == Shelf())
  }

  @Test("a hundred thousand actions in one need no deep stack")
  func many() {
    store.dispatch(CompositeAction(Array(repeating: Arrived(text: "a"), count: 100_000)))
    #expect(store.state.texts.count == 100_000)
  }
}
