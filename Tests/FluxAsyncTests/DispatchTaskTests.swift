import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Waiting for a dispatch", .unlessItHangs)
struct DispatchTaskTests {
  private let service = Service()
  private let store = Store(reducer: shelfReducer, state: Shelf())

  /// Dispatches other actions, one after another.
  private struct Each: TaskAction {
    let actions: [any Action]

    func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
      for action in actions { dispatch(action) }
    }
  }

  @Test("an action has been reduced when the dispatch returns, and the dispatch ends with its work")
  func finished() async {
    let work = store.dispatchAsync(Fetch("a", from: service))
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(!work.isRunning)
    #expect(store.state.texts == ["a"])
  }

  @Test("a dispatch of an action without work ends immediately")
  func withoutWork() async {
    let work = store.dispatchAsync(Arrived(text: "a"))
    #expect(store.state.texts == ["a"])
    #expect(!work.isRunning)
    await work.finished()
  }

  @Test("the work of a dispatch includes the work of all actions that its work dispatches")
  func nested() async {
    let work = store.dispatchAsync(Each(actions: [Each(actions: [Fetch("a", from: service)])]))
    await service.calls.count(atLeast: 1)
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["a"])
  }

  @Test("the work of other dispatches is not included")
  func others() async {
    let other = store.dispatchAsync(Fetch("b", from: service))
    let work = store.dispatchAsync(Fetch("a", from: service))
    service.answer("a")
    await work.finished()
    #expect(other.isRunning)
    #expect(store.state.texts == ["a"])
    other.cancel()
    await other.finished()
  }

  @Test(
    "canceling a dispatch stops all its work, including the work that it started, and no more work starts")
  func cancel() async {
    let work = store.dispatchAsync(
      Each(actions: [Fetch("a", from: service), Each(actions: [Fetch("b", from: service)])]))
    await service.calls.count(atLeast: 2)
    work.cancel()
    #expect(work.isCancelled)
    await work.finished()
    #expect(service.cancelled.values.sorted() == ["a", "b"])
    #expect(store.state == Shelf())
    work.cancel()
  }

  @Test("canceling the task that waits cancels the work")
  func cancelledWaiter() async {
    let work = store.dispatchAsync(Fetch("a", from: service))
    let waiter = Task { await work.finished() }
    await service.calls.count(atLeast: 1)
    waiter.cancel()
    await waiter.value
    #expect(work.isCancelled)
    #expect(store.state == Shelf())
  }

  @Test("releasing a dispatch task changes nothing")
  func dropped() async {
    let over = EventLog<String>()
    _ = store.dispatchAsync(Fetch("a", from: service, over: over))
    service.answer("a")
    await over.count(atLeast: 1)
    #expect(store.state.texts == ["a"])
  }

  @Test("releasing the token of a cancellable dispatch cancels its work")
  func token() async {
    var token: SubscriptionToken? = store.sendAsCancellable(Fetch("a", from: service))
    await service.calls.count(atLeast: 1)
    withExtendedLifetime(token) {}
    token = nil
    await service.cancelled.count(atLeast: 1)
    #expect(store.state == Shelf())
  }

  @Test("an action that a callback dispatches later belongs to the dispatch")
  func callback() async {
    struct Callback: AsyncAction {
      let later: Recorder<DispatchFunction>

      func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
        later.record(dispatch)
      }
    }
    let later = Recorder<DispatchFunction>()
    let work = store.dispatchAsync(Callback(later: later))
    #expect(!work.isRunning)
    for dispatch in later.takeAll() { dispatch(Fetch("a", from: service)) }
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["a"])
  }

  @Test("the end of the store cancels the dispatch, which then releases the store")
  func end() async {
    weak var gone: Store<Shelf>?
    let work: DispatchTask
    do {
      let store = Store(reducer: shelfReducer, state: Shelf())
      gone = store
      work = store.dispatchAsync(Fetch("a", from: service))
      await service.calls.count(atLeast: 1)
    }
    #expect(gone == nil)
    await work.finished()
    #expect(service.cancelled.values == ["a"])
  }

  @Test("work in a second store ends with either store, and belongs to the dispatch in the first store")
  func twoStores() async {
    struct Forward: TaskAction {
      let other: Store<Shelf>
      let action: any Action

      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        other.dispatch(action)
      }
    }
    let other = Store(reducer: shelfReducer, state: Shelf())
    let work = store.dispatchAsync(Forward(other: other, action: Fetch("a", from: service)))
    await service.calls.count(atLeast: 1)
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(other.state.texts == ["a"])
    #expect(store.state.texts == [])
  }
}
