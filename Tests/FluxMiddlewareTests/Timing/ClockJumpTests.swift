import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Held actions on a clock that jumps", .unlessItHangs)
struct ClockJumpTests {
  private let clock = JumpingClock()
  private let reduced = EventLog<String>()

  private func makeStore(_ middleware: @escaping Middleware<Tally>) -> Store<Tally> {
    let reduced = reduced
    return Store(
      reducer: { (_: inout Tally, action: any Action) in
        if let note = action as? Note { reduced.record(note.text) }
      }, middleware: [middleware], state: Tally())
  }

  @Test("debounced, on a clock set forward by a day: the newest action is passed on once")
  func debounceForwards() async {
    let store = makeStore(debounceActions(of: Note.self, for: .seconds(3), clock: clock))
    store.dispatch(Note(text: "a"))
    store.dispatch(Note(text: "b"))
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(86_400))
    await reduced.count(atLeast: 1)
    store.dispatch(Note(text: "c"))
    await clock.naps.count(atLeast: 2)
    clock.set(to: .seconds(86_403))
    await reduced.count(atLeast: 2)
    #expect(reduced.values == ["b", "c"])
  }

  @Test("debounced, on a clock set back: the newest action is passed on when the clock reaches its time")
  func debounceBackwards() async {
    let store = makeStore(debounceActions(of: Note.self, for: .seconds(3), clock: clock))
    store.dispatch(Note(text: "a"))
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-86_400))
    store.dispatch(Note(text: "b"))
    #expect(reduced.values == [])
    clock.set(to: .seconds(3))
    await reduced.count(atLeast: 1)
    #expect(reduced.values == ["b"])
  }

  @Test("throttled, on a clock set forward and back: the held action is passed on once, and in order")
  func throttle() async {
    let store = makeStore(throttleActions(of: Note.self, every: .seconds(3), clock: clock))
    store.dispatch(Note(text: "a"))
    store.dispatch(Note(text: "b"))
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-86_400))
    store.dispatch(Note(text: "c"))
    #expect(reduced.values == ["a"])
    clock.set(to: .seconds(86_400))
    await reduced.count(atLeast: 2)
    clock.set(to: .seconds(86_403))
    // No action is held anymore, so this one passes immediately.
    store.dispatch(Note(text: "d"))
    #expect(reduced.values == ["a", "c", "d"])
  }
}
