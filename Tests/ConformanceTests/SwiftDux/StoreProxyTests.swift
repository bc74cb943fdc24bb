import FluxCollections
import FluxCore
import Testing

@Suite(
  "SwiftDux: StoreProxy",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/Store/StoreProxyTests.swift", at: "99cb24da", count: 3)
)
struct StoreProxyTests {
  private let store = todoListsStore()

  @Test("a proxy has the state of its store", .holds(1))
  func state() {
    #expect(store.proxy.state?.todoLists["123"]?.name == "Shopping")
  }

  @Test("a proxy sends actions to its store", .holds(2))
  func sending() {
    store.proxy.dispatch(AddTodoList(id: "124", name: "test"))
    #expect(store.proxy.state?.todoLists[1].name == "test")
  }

  @Test("a proxy can have the type of a protocol that the state conforms to", .holds(3))
  func ofProtocol() {
    let proxy = store.proxy(as: (any HasTodoLists).self)
    #expect(proxy?.state?.todoLists.ids == ["123"])
    #expect(store.proxy(as: Person.self) == nil)
  }
}
