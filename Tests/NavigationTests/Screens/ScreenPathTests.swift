import FluxAsync
import FluxCore
import FluxNavigation
import TestSupport
import Testing

// The end of screens on the less usual ways of an action: guards, batches, and another reducer.
extension ScreenWorkTests {
  @Test("a wait for a pop that a guard allows late includes the cancellation of the work")
  func guardedPop() async throws {
    let allowed = EventLog<Void>()
    let guards = Self.routing.guards { navigation, _ in
      guard !navigation.leaving.isEmpty else { return .allow }
      return .wait { _ in
        await allowed.count(atLeast: 1)
        return .allow
      }
    }
    let store = makeStore(plugins: [guards])
    let screen = try push(.film(7), in: store)
    let loading = screen.dispatchAsync(load)
    await begun.count(atLeast: 1)
    let popping = store.dispatchAsync(Self.routing.pop())
    #expect(!loading.isCancelled)
    allowed.record(())
    await popping.finished()
    #expect(loading.isCancelled)
    #expect(store.state.routes.path.isEmpty)
    // The operation waits for the gate, or for the cancellation of its task.
    await loading.finished()
    #expect(ended.values == [true])
  }

  @Test("in a batch, an action of a screen after its pop is dropped")
  func batch() throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    store.batch {
      screen.dispatch(Arrived(text: "before"))
      screen.dispatch(Self.routing.pop())
      screen.dispatch(Arrived(text: "after"))
    }
    #expect(store.state.texts == ["before"])
    #expect(dropped.values.count == 1)
  }

  @Test("after the reducer is replaced, screens still end, and actions are still refused")
  func replacedReducer() throws {
    let store = makeStore(middleware: [Self.removingScreens(before: Arrived.self)])
    let screen = try push(.film(7), in: store)
    store.replaceReducer { (state: inout App, action: any Action) in
      if action is Arrived { state.texts.append("replaced") }
    }
    screen.dispatch(Arrived(text: "late"))
    #expect(store.state.texts.isEmpty)
    store.dispatch(Arrived(text: "app"))
    #expect(store.state.texts == ["replaced"])
  }
}
