import FluxCore
import FluxUI
import TestSupport
import Testing

private struct Count: FluxState {
  var value = 0
}

private struct Add: Action {
  let amount: Int
}

private let counting: ActionHandlers<Count> = on(Add.self) { count, action in count.value += action.amount }

/// The values that an observer on the main actor receives, and the two ways to dispatch there.
@MainActor
private final class Observation {
  private let store = Store(reducer: counting, state: Count())
  private let inbox = Inbox<Int>()
  private let dispatcher: ActionDispatcher
  private var token: SubscriptionToken?

  /// Observes the whole state, or a slice of it.
  init(slice: Bool) {
    dispatcher = ActionDispatcher(store)
    token =
      slice
      ? store.subscribe(to: \.value, initial: false, onMain: { [inbox] in inbox.receive($0) })
      : store.subscribe(initial: false, onMain: { [inbox] in inbox.receive($0.value) })
  }

  /// The values received so far.
  var heard: [Int] { inbox.values }

  /// Dispatches like code outside a view: the change is shown on the main actor's next turn.
  func addSometime(_ amount: Int) {
    store.dispatch(Add(amount: amount))
  }

  /// Dispatches like a view: the change is shown before this method returns.
  func addAtOnce(_ amount: Int) {
    dispatcher(Add(amount: amount))
  }

  /// Waits until a value has been received, and long enough for a late value.
  func wait(for value: Int) async {
    await inbox.wait { $0 == value }
  }

  /// Waits for the pending work of the main actor by dispatching another value, and returns the
  /// values received before it.
  func heardInTheEnd() async -> [Int] {
    let last = 1_000
    addSometime(last - store.state.value)
    await wait(for: last)
    return Array(heard.prefix { $0 != last })
  }

  // MARK: The rules

  func showsEachAtOnce() async {
    for count in 1...4 {
      addAtOnce(1)
      #expect(heard == Array(1...count))
    }
    #expect(await heardInTheEnd() == [1, 2, 3, 4])
  }

  func showsSeveralOnce() async {
    for _ in 1...4 {
      addSometime(1)
      #expect(heard.isEmpty)
    }
    await wait(for: 4)
    #expect(await heardInTheEnd() == [4])
  }

  func showsWhatWaitsWithNext() async {
    addSometime(1)
    addSometime(1)
    #expect(heard.isEmpty)
    addAtOnce(10)
    #expect(heard == [12])
    addSometime(1)
    await wait(for: 13)
    #expect(await heardInTheEnd() == [12, 13])
  }

  func showsNothingTwice() async {
    addSometime(1)
    addSometime(1)
    #expect(heard.isEmpty)
    addAtOnce(10)
    #expect(heard == [12])
    addSometime(1)
    addAtOnce(10)
    #expect(heard == [12, 23])
    addAtOnce(10)
    #expect(heard == [12, 23, 33])
    #expect(await heardInTheEnd() == [12, 23, 33])
  }
}

@MainActor
@Suite(
  "Redux Toolkit: autoBatchEnhancer",
  .cases(
    of: "reduxjs/redux-toolkit", "packages/toolkit/src/tests/autoBatchEnhancer.test.ts", at: "74200d87",
    count: 10),
  .unlessItHangs)
struct AutoBatchTests {
  @Test(
    "an action that a view dispatches is shown before the call returns, separately from others",
    .differs(
      1,
      because: """
        Redux Toolkit marks actions whose notification can be delayed. In Flux, the source of the \
        dispatch matters: the result of a view's action is shown immediately, and all other results are \
        shown when the main actor runs its next job.
        """))
  func eachAtOnce() async {
    await Observation(slice: false).showsEachAtOnce()
  }

  @Test(
    "several actions that no view dispatched are shown once, on the main actor's next turn",
    .differs(
      2,
      because: """
        Flux does not need marks on actions, and uses the next job of the main actor instead of a \
        timer.
        """))
  func severalOnce() async {
    await Observation(slice: false).showsSeveralOnce()
  }

  @Test(
    "waiting changes are shown immediately with an action that a view dispatches",
    .differs(
      3,
      because: """
        In Redux Toolkit, the action without a mark causes the notification. In Flux, the dispatch by a \
        view causes it.
        """))
  func withNext() async {
    await Observation(slice: false).showsWhatWaitsWithNext()
  }

  @Test(
    "a change that was shown with a view's action is not shown again on the main actor's next turn",
    .differs(
      4,
      because: """
        In Redux Toolkit, the action without a mark causes the notification. In Flux, the dispatch by a \
        view causes it.
        """))
  func nothingTwice() async {
    await Observation(slice: false).showsNothingTwice()
  }

  // The same four cases again. Redux Toolkit uses a clock that a test advances; here no clock is
  // needed.

  @Test(
    "a change of a slice is shown before a view's dispatch returns, separately from other changes",
    .differs(
      5,
      because: """
        The same rule applies to a slice as to the whole state. Flux uses jobs of the main actor \
        instead of timers, so the test needs no clock.
        """))
  func eachAtOnceOfSlice() async {
    await Observation(slice: true).showsEachAtOnce()
  }

  @Test(
    "several changes of a slice that no view dispatched are shown once",
    .differs(
      6,
      because: """
        The same rule applies to a slice as to the whole state. Flux uses jobs of the main actor \
        instead of timers, so the test needs no clock.
        """))
  func severalOnceOfSlice() async {
    await Observation(slice: true).showsSeveralOnce()
  }

  @Test(
    "waiting changes of a slice are shown immediately with an action that a view dispatches",
    .differs(
      7,
      because: """
        The same rule applies to a slice as to the whole state. Flux uses jobs of the main actor \
        instead of timers, so the test needs no clock.
        """))
  func withNextOfSlice() async {
    await Observation(slice: true).showsWhatWaitsWithNext()
  }

  @Test(
    "changes of a slice that were shown with a view's action are not shown again",
    .differs(
      8,
      because: """
        The same rule applies to a slice as to the whole state. Flux uses jobs of the main actor \
        instead of timers, so the test needs no clock.
        """))
  func nothingTwiceOfSlice() async {
    await Observation(slice: true).showsNothingTwice()
  }

  @Test(
    "a change that was waiting for the main actor's next turn, and is shown earlier, is shown once",
    .differs(
      10,
      because: """
        In Redux Toolkit, a frame and a timer are both scheduled. In Flux, a job of the main actor is \
        scheduled, and a view dispatches an action before the job runs.
        """))
  func bothDue() async {
    let observation = Observation(slice: true)
    observation.addSometime(1)
    #expect(observation.heard.isEmpty)
    observation.addAtOnce(0)
    #expect(observation.heard == [1])
    #expect(await observation.heardInTheEnd() == [1])
  }

  nonisolated static let meaningless = [
    MeaninglessCase(
      9, "if no frame is drawn, a timer shows waiting changes",
      because: """
        Waiting changes are shown when the main actor runs its next job, which does not depend on whether \
        a frame is drawn.
        """)
  ]
}
