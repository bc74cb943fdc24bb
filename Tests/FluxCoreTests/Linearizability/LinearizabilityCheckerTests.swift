import TestSupport
import Testing

@Suite("The checker of linearizability")
struct LinearizabilityCheckerTests {
  @Test("an empty history, and the history of a single thread, have an order")
  func sequential() {
    expectOrder([], of: [])
    let history = [
      operation(0, .read([]), 1, 2), operation(0, .dispatch(1), 3, 4), operation(0, .read([1]), 5, 6),
      operation(0, .replaceReducer(2), 7, 8), operation(0, .dispatch(3), 9, 10),
      operation(0, .read([1, 203]), 11, 12),
    ]
    expectOrder(history.map(\.kind), of: history)
  }

  @Test("a read that overlaps a dispatch may return the state before or after it")
  func overlap() {
    for seen in [[], [1]] {
      expectOrder(
        seen.isEmpty ? [.read([]), .dispatch(1)] : [.dispatch(1), .read([1])],
        of: [operation(0, .dispatch(1), 1, 4), operation(1, .read(seen), 2, 3)])
    }
  }

  @Test("overlapping dispatches have the order that a later read shows, not that of their beginnings")
  func orderByALaterRead() {
    expectOrder(
      [.dispatch(2), .dispatch(1), .read([2, 1])],
      of: [
        operation(0, .dispatch(1), 1, 4), operation(1, .dispatch(2), 2, 3),
        operation(1, .read([2, 1]), 5, 6),
      ])
  }

  @Test("the checker takes back a first choice that leads nowhere")
  func takesBack() {
    expectOrder(
      [.replaceReducer(1), .dispatch(3), .dispatch(2), .read([103, 102])],
      of: [
        operation(0, .dispatch(2), 1, 8), operation(1, .dispatch(3), 2, 7),
        operation(2, .replaceReducer(1), 3, 6), operation(3, .read([103, 102]), 4, 9),
      ])
  }

  @Test("a stale read is found: the dispatch returned before the read began")
  func staleRead() {
    expectNoOrder([operation(0, .dispatch(1), 1, 2), operation(1, .read([]), 3, 4)])
  }

  @Test("a lost update is found: both dispatches returned, and one is missing")
  func lostUpdate() {
    expectNoOrder([
      operation(0, .dispatch(1), 1, 3), operation(1, .dispatch(2), 2, 4), operation(0, .read([2]), 5, 6),
    ])
  }

  @Test("a read of the future is found: the read returned before the dispatch began")
  func readOfTheFuture() {
    expectNoOrder([operation(0, .read([1]), 1, 2), operation(1, .dispatch(1), 3, 4)])
  }

  @Test("two readers that observe two dispatches in different orders are found")
  func twoOrders() {
    expectNoOrder([
      operation(0, .dispatch(1), 1, 10), operation(1, .dispatch(2), 2, 9), operation(2, .read([1]), 3, 4),
      operation(3, .read([2]), 5, 6),
    ])
  }

  @Test("a reader that returns to an older state is found")
  func goesBack() {
    expectNoOrder([
      operation(0, .dispatch(1), 1, 6), operation(1, .read([1]), 2, 3), operation(1, .read([]), 4, 5),
    ])
  }

  @Test("an action reduced by a reducer that had been replaced is found")
  func replacedReducer() {
    expectNoOrder([
      operation(0, .replaceReducer(1), 1, 2), operation(1, .dispatch(2), 3, 4),
      operation(1, .read([2]), 5, 6),
    ])
  }

  private func operation(
    _ thread: Int, _ kind: SequentialStore.Operation, _ invoked: Int, _ returned: Int
  ) -> StoreOperation {
    StoreOperation(thread: thread, kind: kind, invoked: invoked, returned: returned)
  }

  private func expectOrder(
    _ order: [SequentialStore.Operation], of history: [StoreOperation],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = LinearizabilityChecker<SequentialStore>.order(of: history.reversed())
    #expect(found?.map(\.kind) == order, sourceLocation: sourceLocation)
  }

  private func expectNoOrder(
    _ history: [StoreOperation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(LinearizabilityChecker<SequentialStore>.order(of: history) == nil, sourceLocation: sourceLocation)
  }
}
