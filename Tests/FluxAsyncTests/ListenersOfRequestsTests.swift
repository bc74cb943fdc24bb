import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Listeners and cancellation", .unlessItHangs)
struct ListenersOfRequestsTests: AskingSuite {
  private let service = Service()
  let clock = ManualClock()

  @Test(
    "a one-time listener is not used up by an action for which its effect cannot run",
    arguments: [false, true])
  func onceAfterCancel(again: Bool) async {
    let listeners = Listeners<Shelf>(clock: clock)
    let heard = EventLog<String>()
    let store = Store(reducer: askingReducer, plugins: [listeners.plugin], state: Shelf())
    listeners.start(of: Asking.Rejected.self, taking: .once) { action, _ in heard.record(action.request.name)
    }
    let work = store.dispatchAsync(Asking(name: "a", service: service))
    await service.calls.count(atLeast: 1)
    // Causes a rejection, which is reduced and which the listener takes.
    work.cancel()
    await work.finished()
    await heard.count(atLeast: 1)
    guard again else {
      #expect(heard.values == ["a"])
      return
    }
    service.fail("b")
    await store.dispatchAsync(Asking(name: "b", service: service)).finished()
    await othersRun()
    #expect(heard.values.count == 1)
  }

  @Test("the run of a listener is not superseded by one that cannot start")
  func latestAfterCancel() async {
    let listeners = Listeners<Shelf>(clock: clock)
    let superseded = EventLog<Bool>()
    let begun = EventLog<Int>()
    let store = Store(
      reducer: askingReducer, middleware: [debounceActions(of: Note.self, for: .seconds(1), clock: clock)],
      plugins: [listeners.plugin], state: Shelf())
    let (service, clock) = (service, clock)
    listeners.start(of: Note.self, taking: .latest) { action, listener in
      begun.record(action.number)
      do { try await listener.pause { _ = try await service.call("\(action.number)") } } catch {
        superseded.record(true)
        throw error
      }
    }
    store.dispatch(Note(number: 1))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await begun.count(atLeast: 1)
    store.dispatchAsync(Note(number: 2)).cancel()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await othersRun()
    if !superseded.values.isEmpty { await begun.count(atLeast: 2) }
    // The run either starts, since its action was reduced, or does not affect the previous run.
    #expect(begun.values == [1, 2] || superseded.values == [])
    listeners.clear()
  }
}
