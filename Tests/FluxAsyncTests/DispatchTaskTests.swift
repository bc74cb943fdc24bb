import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("A dispatch that is waited for")
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

  @Test("it has been reduced when the dispatch returns, and is over once its work is")
  func finished() async {
    let work = store.dispatchAsync(Fetch("a", from: service))
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(!work.isRunning)
    #expect(store.state.texts == ["a"])
  }

  @Test("an action without work is over at once")
  func withoutWork() async {
    let work = store.dispatchAsync(Arrived(text: "a"))
    #expect(store.state.texts == ["a"])
    #expect(!work.isRunning)
    await work.finished()
  }

  @Test("the work of the actions that its work dispatches belongs to it, however deep")
  func nested() async {
    let work = store.dispatchAsync(Each(actions: [Each(actions: [Fetch("a", from: service)])]))
    await service.calls.count(atLeast: 1)
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["a"])
  }

  @Test("the work of other dispatches does not belong to it")
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

  @Test("cancelling stops all of it, what it has started included, and lets no more start")
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

  @Test("when who waits is cancelled, so is the work")
  func cancelledWaiter() async {
    let work = store.dispatchAsync(Fetch("a", from: service))
    let waiter = Task { await work.finished() }
    await service.calls.count(atLeast: 1)
    waiter.cancel()
    await waiter.value
    #expect(work.isCancelled)
    #expect(store.state == Shelf())
  }

  @Test("letting go of it changes nothing")
  func dropped() async {
    let over = EventLog<String>()
    _ = store.dispatchAsync(Fetch("a", from: service, over: over))
    service.answer("a")
    await over.count(atLeast: 1)
    #expect(store.state.texts == ["a"])
  }

  @Test("a dropped token cancels the work that was sent as cancellable")
  func token() async {
    var token: SubscriptionToken? = store.sendAsCancellable(Fetch("a", from: service))
    await service.calls.count(atLeast: 1)
    withExtendedLifetime(token) {}
    token = nil
    await service.cancelled.count(atLeast: 1)
    #expect(store.state == Shelf())
  }

  @Test("what a callback dispatches later belongs to it")
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

  @Test("the end of the store cancels it, and lets go of the store")
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

  @Test("work in a second store ends with either store, and belongs to the dispatch in the first")
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
