import FluxCore
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite("Misuse of connections stops the program with a message that says what to do", .unlessItHangs)
struct UIMisuseTests {
  @Test("a view that requires a state that no store has")
  func notProvided() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = makeStore()
      _ = ProvidedStores().providing(store).store(of: LoginForm.self)
    }
    expect(result, says: "a state of type LoginForm", "have states of types [Notebook]", "Provide a store")
  }

  @Test("a view that requires the state of a released store")
  func hasGone() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let stores = ProvidedStores().providing(makeStore().proxy)
        _ = MappedState<Notebook>(in: stores).wrappedValue
      }
    }
    expect(result, says: "a state of type Notebook, but its store was released", "Retain the store")
  }

  @Test("a dispatch where no store is provided")
  func dispatchedToNobody() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await ProvidedStores().dispatcher(Increment(amount: 7))
    }
    expect(result, says: "Increment(amount: 7) was dispatched by a view to which no store is provided")
    let plain = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ProvidedStores().dispatcher.function(Increment(amount: 8))
    }
    expect(plain, says: "Increment(amount: 8) was dispatched by a view to which no store is provided")
  }

  @Test("a view that maps no state")
  func mapsNothing() async {
    struct Empty: ConnectableMapping {
      typealias Superstate = Notebook
      typealias Props = Int
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = Connection(to: makeStore(), mapping: Empty()) }
    }
    expect(result, says: "Empty has no mapping. Implement map(state:), or map(state:binder:)")
  }
}
