import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("A test store, receiving", .unlessItHangs)
struct TestStoreReceiveTests {
  private let reports = Reports()

  @Test("an action that the work of another action dispatches is received, and its change asserted")
  func effect() async {
    let store = reports.store()
    store.send(Run { dispatch in dispatch(Add(amount: 2)) })
    await store.receive(Add.self) { $0.count = 2 }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("an action that has not arrived yet is awaited")
  func waiting() async {
    let clock = ManualClock()
    let timeouts = ManualClock()
    let store = reports.store(timeoutClock: timeouts)
    store.send(
      Run { [clock] dispatch in
        try? await clock.sleep(for: .seconds(1))
        dispatch(Add())
      })
    await clock.sleepers(atLeast: 1)
    let coming = Task {
      // The test is waiting now.
      await timeouts.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    await store.receive(Add.self) { $0.count = 1 }
    await coming.value
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("actions are received in the order of their reduction")
  func order() async {
    let store = reports.store()
    store.send(
      Run { dispatch in
        dispatch(Note(text: "a"))
        dispatch(Add())
        dispatch(Note(text: "b"))
      })
    await store.receive(Note(text: "a")) { $0.notes = ["a"] }
    await store.receive(Add()) { $0.count = 1 }
    await store.receive(Note(text: "b")) { $0.notes = ["a", "b"] }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("an equal action is received")
  func equal() async {
    let store = reports.store()
    store.send(Run { dispatch in dispatch(Add(amount: 2)) })
    await store.receive(Add(amount: 2)) { $0.count = 2 }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("a matching action is received")
  func matching() async {
    let store = reports.store()
    store.send(Run { dispatch in dispatch(Add(amount: 2)) })
    await store.receive(where: { (add: Add) in add.amount > 1 }) { $0.count = 2 }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("each of many effects' actions is received once")
  func many() async {
    let store = reports.store()
    for _ in 0..<100 { store.send(Run { dispatch in dispatch(Add()) }) }
    for _ in 0..<100 { await store.receive(Add.self) { $0.count += 1 } }
    await store.finish()
    #expect(reports.failures == [])
    #expect(store.state.count == 100)
  }

  @Test("an action may be sent while others wait to be received, and each is asserted separately")
  func sendingMeanwhile() async {
    let store = reports.store()
    store.send(Work { context in context.dispatch(Add(amount: 2)) })
    store.send(Add(amount: 3)) { $0.count = 5 }
    await store.receive(Add.self) { $0.count = 2 }
    #expect(reports.failures == [])
  }

  @Test("a test on the main actor may capture values that are not Sendable, in all closures")
  @MainActor
  func mainActor() async {
    final class Expected { var count = 2 }
    let expected = Expected()
    let store = reports.store()
    store.send(Add(amount: 2)) { $0.count = expected.count }
    store.send(Run { dispatch in for _ in 0..<2 { dispatch(Add(amount: 2)) } })
    await store.receive(Add.self) {
      expected.count += 2
      $0.count = expected.count
    }
    await store.receive(where: { (add: Add) in add.amount < expected.count }) { $0.count = 6 }
    await store.finish()
    #expect(reports.failures == [])
  }

  // MARK: Failures

  @Test("a change other than the expected one fails")
  func wrong() async {
    let store = reports.store()
    store.send(Work { context in context.dispatch(Add(amount: 2)) })
    await store.receive(Add.self)
    store.send(Work { context in context.dispatch(Add(amount: 2)) })
    await store.receive(Add.self) { $0.count = 5 }
    #expect(
      reports.failures == [
        """
        Add(amount: 2) was received and changed the state unexpectedly.
          before → after: count: 0 → 2
        """,
        """
        Add(amount: 2) was received, but the new state is not the expected state.
          expected → actual: count: 5 → 4
          before → after: count: 2 → 4
        """,
      ])
  }

  @Test("an action of another type fails, and counts as received")
  func otherType() async {
    let store = reports.store()
    store.send(
      Work { context in
        context.dispatch(Note(text: "a"))
        context.dispatch(Add())
      })
    await store.receive(Add.self) { $0.count = 1 }
    await store.receive(Add.self) { $0.count = 1 }
    await store.finish()
    #expect(
      reports.failures == [
        """
        Expected to receive Add, but received Note(text: "a").
          before → after: notes: + "a"
        """
      ])
  }

  @Test("an action that is not equal fails, with the difference of the two")
  func unequal() async {
    let store = reports.store()
    store.send(
      Work { context in
        context.dispatch(Add(amount: 3))
        context.dispatch(Nothing())
      })
    await store.receive(Add(amount: 2)) { $0.count = 2 }
    await store.receive(Add(amount: 2)) { $0.count = 2 }
    #expect(
      reports.failures == [
        """
        Expected to receive Add(amount: 2), but received Add(amount: 3).
          expected → actual: amount: 2 → 3
          before → after: count: 0 → 3
        """,
        """
        Expected to receive Add(amount: 2), but received Nothing().
          before → after: changed nothing
        """,
      ])
  }

  @Test("an action that does not match fails")
  func notMatching() async {
    let store = reports.store()
    store.send(Work { context in context.dispatch(Add()) })
    await store.receive(where: { (add: Add) in add.amount > 1 }) { $0.count = 2 }
    #expect(
      reports.failures == [
        """
        Expected to receive a matching Add, but received Add(amount: 1).
          before → after: count: 0 → 1
        """
      ])
  }

  @Test("a failure is reported at the line of the call")
  func lines() async {
    let store = reports.store()
    let actions: [any Action] = [Nothing(), Nothing(), Nothing()]
    store.send(Work { context in actions.forEach(context.dispatch) })
    let line: UInt = #line
    await store.receive(Add.self)
    await store.receive(Add())
    await store.receive(where: { (_: Add) in true })
    #expect(reports.all.map(\.location.line) == [line + 1, line + 2, line + 3])
    #expect(Set(reports.all.map { "\($0.location.filePath)" }) == [#filePath])
  }
}
