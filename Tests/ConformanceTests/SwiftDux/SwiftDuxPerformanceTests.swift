import FluxCollections
import FluxCore
import Foundation
import TestSupport
import Testing

@Suite(
  "SwiftDux: Performance",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/PerformanceTests.swift", at: "99cb24da", count: 2))
struct SwiftDuxPerformanceTests {
  private let store = todoListsStore()

  @Test(
    "10,000 elements are added, moved by the thousand, and removed by the thousand, within a budget",
    .differs(
      1,
      because: """
        SwiftDux measures time. Flux counts instructions with `Benchmarks`, and compares them with \
        budgets.
        """))
  func orderedState() throws {
    for number in 0...10_000 { store.send(.add(id: "todo \(number)", text: "")) }
    #expect(store.todos.count == 10_004)
    let moved = store.todos[300].id
    store.send(.move(from: IndexSet(300...5_000), to: 8_000))
    #expect(store.todos[3_299].id == moved)
    let kept = store.todos[3_001].id
    store.send(.remove(at: IndexSet(100...3_000)))
    #expect(store.todos[100].id == kept)
    #expect(store.todos.count == 10_004 - 2_901)
    let budgets = try Budgets()
    budgets.expect("list_1000000 / list_1000")
    budgets.expect("replace_1000000")
  }

  @Test(
    "each of 1,000 observers is called once for an action that changes nothing, within a budget",
    .differs(
      2,
      because: """
        SwiftDux measures time. Flux counts instructions with `Benchmarks`, and compares them with \
        budgets.
        """))
  func updates() throws {
    let calls = Shared(0)
    let tokens = (1...1_000).map { _ in
      store.subscribe(initial: false) { (_: TodoListsState) in calls.increment() }
    }
    for _ in 1...10 { store.send(.nothing) }
    #expect(calls.value == 10_000)
    try Budgets().expect("(observers_10000 - observers_1) / 9999")
    for token in tokens { token.cancel() }
  }
}
