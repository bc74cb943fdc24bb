import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("A test store, sending", .unlessItHangs)
struct TestStoreSendTests {
  private let reports = Reports()

  @Test("an action that makes the expected change passes")
  func expected() {
    let store = reports.store()
    store.send(Add(amount: 2)) { $0.count = 2 }
    store.send(Note(text: "a")) { $0.notes = ["a"] }
    store.send(Nothing())
    #expect(reports.failures == [])
    #expect(store.state == Tally(count: 2, notes: ["a"]))
  }

  @Test("the closure receives the state before the action")
  func before() {
    let store = reports.store()
    store.send(Add(amount: 2)) { $0.count += 2 }
    store.send(Add(amount: 3)) { $0.count += 3 }
    #expect(reports.failures == [])
  }

  @Test("all three forms of a reducer can be tested")
  func forms() {
    let returning: Reducer<Tally> = { state, action in
      var state = state
      reduce(&state, action)
      return state
    }
    let handlers: ActionHandlers<Tally> = on(Add.self) { state, action in state.count += action.amount }
    for store in [
      TestStore(reducer: returning, state: Tally(), reporter: reports.reporter),
      TestStore(reducer: reduce, state: Tally(), reporter: reports.reporter),
      TestStore(reducer: handlers, state: Tally(), reporter: reports.reporter),
    ] {
      store.send(Add()) { $0.count = 1 }
      #expect(store.state.count == 1)
    }
    #expect(reports.failures == [])
  }

  @Test("a change other than the expected one fails, with both differences")
  func wrong() {
    let store = reports.store()
    store.send(Add(amount: 2)) { $0.count = 3 }
    #expect(
      reports.failures == [
        """
        Add(amount: 2) was sent, but the new state is not the expected state.
          expected → actual: count: 3 → 2
          before → after: count: 0 → 2
        """
      ])
  }

  @Test("a change without a closure fails")
  func unexpected() {
    let store = reports.store()
    store.send(Add(amount: 2))
    #expect(
      reports.failures == [
        """
        Add(amount: 2) was sent and changed the state unexpectedly.
          before → after: count: 0 → 2
        """
      ])
  }

  @Test("a change that is expected but not made fails")
  func missing() {
    let store = reports.store()
    store.send(Nothing()) { $0.count = 1 }
    #expect(
      reports.failures == [
        """
        Nothing() was sent, but the new state is not the expected state.
          expected → actual: count: 1 → 0
          before → after: changed nothing
        """
      ])
  }

  @Test("a change that is only partly expected fails")
  func partly() {
    let both = TestStore(
      reducer: { (state: inout Tally, action) in state = Tally(count: 1, notes: ["a"]) }, state: Tally(),
      reporter: reports.reporter)
    both.send(Nothing()) { $0.count = 1 }
    #expect(
      reports.failures == [
        """
        Nothing() was sent, but the new state is not the expected state.
          expected → actual: notes: + "a"
          before → after: count: 0 → 1, notes: + "a"
        """
      ])
  }

  @Test("after a failure the test continues with the actual state")
  func goingOn() {
    let store = reports.store()
    store.send(Add(amount: 2))
    store.send(Add(amount: 2)) { $0.count = 4 }
    #expect(reports.failures.count == 1)
  }

  @Test("an error in the closure fails, and is reported")
  func throwing() {
    let store = reports.store()
    store.send(Add()) { _ in throw CancellationError() }
    #expect(
      reports.failures == [
        "Add(amount: 1) was sent, and the `expecting` closure threw CancellationError()."
      ])
  }

  @Test("states that differ invisibly fail, too")
  func invisible() {
    let store = TestStore(
      reducer: { (state: inout Unequal, _) in state.isChanged = true }, state: Unequal(),
      reporter: reports.reporter)
    store.send(Nothing()) { _ in }
    #expect(
      reports.failures == [
        """
        Nothing() was sent, but the new state is not the expected state.
          expected → actual: the states are not equal, but no difference can be shown
          before → after: changed nothing
        """
      ])
  }

  /// A state whose description does not show the unequal value.
  private struct Unequal: FluxState, Equatable, CustomReflectable {
    var isChanged = false
    var customMirror: Mirror { Mirror(self, children: ["shown": 1]) }
  }

  @Test("a state that contains NaN can remain unchanged")
  func notANumber() {
    let store = TestStore(
      reducer: { (state: inout Measure, action) in if action is Add { state.count += 1 } }, state: Measure(),
      reporter: reports.reporter)
    store.send(Nothing())
    store.send(Add()) { $0.count = 1 }
    #expect(reports.failures == [])
    store.send(Add())
    #expect(reports.failures.count == 1)
  }

  private struct Measure: FluxState, Equatable {
    var value = Double.nan
    var count = 0
  }

  @Test("a failure is reported at the line of the call")
  func line() throws {
    let store = reports.store()
    store.send(Add())
    let line = #line - 1
    let location = try #require(reports.all.first).location
    #expect("\(location.fileID)" == #fileID)
    #expect("\(location.filePath)" == #filePath)
    #expect(location.line == UInt(line))
    #expect(location.column == 15)
  }

  // MARK: Middleware

  @Test("an action that a middleware holds changes nothing")
  func kept() {
    let store = reports.store(middleware: [transformActions(of: Add.self) { _, _ in nil }])
    store.send(Add())
    #expect(reports.failures == [])
    store.send(Add()) { $0.count = 1 }
    #expect(
      reports.failures == [
        """
        Add(amount: 1) was sent but did not reach the reducer. A change was expected.
          expected → actual: count: 1 → 0
        """
      ])
  }

  @Test("an error in the closure fails even if a middleware holds the action")
  func keptThrowing() {
    let store = reports.store(middleware: [transformActions(of: Add.self) { _, _ in nil }])
    store.send(Add()) { _ in throw CancellationError() }
    #expect(
      reports.failures == [
        """
        Add(amount: 1) was sent but did not reach the reducer, and the `expecting` closure threw \
        CancellationError().
        """
      ])
  }

  @Test("an action that a middleware makes from the sent action counts as sent")
  func transformed() {
    let store = reports.store(
      middleware: [transformActions(of: Add.self) { _, add in Note(text: "\(add.amount)") }])
    store.send(Add(amount: 5)) { $0.notes = ["5"] }
    #expect(reports.failures == [])
  }

  @Test(
    "if a middleware passes on several actions, the first of the type was sent, and the others are received")
  func several() async {
    let store = reports.store(
      middleware: [
        interceptActions { _, action, next in
          next(Note(text: "a"))
          next(action)
          next(action)
        }
      ])
    store.send(Add()) { $0.count = 1 }
    await store.receive(Note.self) { $0.notes = ["a"] }
    await store.receive(Add.self) { $0.count = 2 }
    await store.finish()
    #expect(reports.failures == [])
  }
}
