import FluxCollections
import FluxCore
import Testing

@Suite(
  "SwiftDux: TodoExample",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/TodoExampleTests.swift", at: "99cb24da", count: 3))
struct TodoExampleTests {
  private let store = todoListsStore()

  @Test("a list inside a list exists from the beginning, with its elements", .holds(1))
  func first() {
    #expect(store.state.todoLists.count == 1)
    #expect(store.todos.count == 3)
  }

  @Test("an element is added to a list inside a list", .holds(2))
  func adding() {
    store.send(.add(id: "4", text: "Bread"))
    #expect(store.todos.map(\.text) == ["Bread", "Eggs", "Milk", "Coffee"])
  }

  @Test("elements are removed from a list inside a list", .holds(3))
  func removing() {
    store.send(.remove(at: [0, 1]))
    #expect(store.todos.map(\.text) == ["Coffee"])
  }
}
