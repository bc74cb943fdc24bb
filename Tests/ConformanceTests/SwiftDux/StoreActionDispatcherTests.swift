import FluxCollections
import FluxCore
import FluxUI
import Testing

@MainActor
@Suite(
  "SwiftDux: StoreActionDispatcher",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/StoreActionDispatcherTests.swift", at: "99cb24da",
    count: 1))
struct StoreActionDispatcherTests {
  @Test("an action that a view dispatches changes the state of the store", .holds(1))
  func dispatching() {
    let store = todoListsStore()
    let dispatcher = ActionDispatcher(store)
    dispatcher.send(ToList(list: "123", action: .add(id: "4", text: "Bread")))
    #expect(store.todos.filter { $0.text == "Bread" }.count == 1)
  }
}
