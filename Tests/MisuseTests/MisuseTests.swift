import FluxCore
import Synchronization
import TestSupport
import Testing

// Each misuse of a store that stops the program, with its message. The tests run in debug and in
// release builds.

@Suite("Misuse stops the program with a message that names the action and the correction")
struct MisuseTests {
  @Test("a dispatch from inside a reducer")
  func dispatchInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TouchingReducer { $0.dispatch(Increment(amount: 7)) }.run()
    }
    expect(
      result, says: "Increment(amount: 7) was dispatched while the reducer was handling", "handling Touch().",
      "A reducer must not access its store.",
      "Dispatch the action from a middleware, an async action, or a subscription")
  }

  @Test(
    "a dispatch from inside a reducer, before a middleware reads the state or holds the action"
  )
  func dispatchInReducerBeforeMiddleware() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      // The middleware holds every action except `Touch`, so that the action never reaches the
      // reducer.
      let holding: Middleware<Counter> = { _, getState in
        { next in
          { action in
            if action is Touch { next(action) } else { _ = getState() }
          }
        }
      }
      let box = Box<Store<Counter>>()
      let store = Store<Counter>(
        reducer: { (_: inout Counter, _) in box.peek()?.dispatch(Increment(amount: 7)) },
        middleware: [holding], state: Counter())
      box.put(store)
      store.dispatch(Touch())
    }
    expect(
      result, says: "Increment(amount: 7) was dispatched while the reducer was handling", "handling Touch().")
  }

  @Test("a read of the state from inside a reducer")
  func readInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TouchingReducer { _ = $0.state }.run()
    }
    expect(
      result, says: "the store's state was read while the reducer was handling", "handling Touch().",
      "Use the state parameter instead.")
  }

  @Test("withState from inside a reducer")
  func withStateInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TouchingReducer { $0.withState { _ in } }.run()
    }
    expect(
      result, says: "withState was called while the reducer was handling", "handling Touch().",
      "Use the state parameter instead.")
  }

  @Test("subscribe from inside a reducer")
  func subscribeInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TouchingReducer { _ = $0.subscribe { _ in } }.run()
    }
    expect(
      result, says: "subscribe was called while the reducer was handling", "handling Touch().",
      "Do this before or afterward, or in a middleware or a subscription.")
  }

  @Test("cancel from inside a reducer")
  func cancelInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = Box<SubscriptionToken>()
      let reducer = TouchingReducer { _ in box.take()?.cancel() }
      box.put(reducer.store.subscribe { _ in })
      reducer.run()
    }
    expect(
      result, says: "a subscription was canceled, or its token was released, while the reducer was handling",
      "handling Touch().", "Do this before or afterward")
  }

  @Test("a token released inside a reducer")
  func tokenDroppedInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = Box<SubscriptionToken>()
      let reducer = TouchingReducer { _ in _ = box.take() }
      box.put(reducer.store.subscribe { _ in })
      reducer.run()
    }
    expect(result, says: "or its token was released, while the reducer was handling", "handling Touch().")
  }

  @Test("batch from inside a reducer")
  func batchInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TouchingReducer { $0.batch {} }.run()
    }
    expect(result, says: "batch was called while the reducer was handling", "handling Touch().")
  }

  @Test("replaceReducer from inside a reducer")
  func replaceReducerInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TouchingReducer { $0.replaceReducer { state, _ in state } }.run()
    }
    expect(result, says: "replaceReducer was called while the reducer was handling", "handling Touch().")
  }

  @Test("a store released inside its own reducer")
  func releaseInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = Box<Store<Counter>>()
      let next = Box<DispatchFunction>()
      // A late `next` passes the action on, so that the box holds the only reference to the store.
      box.put(
        Store<Counter>(
          reducer: { _, _ in _ = box.take() },
          middleware: [{ _, _ in { link in { _ in next.put(link) } } }], state: Counter()))
      box.peek()?.dispatch(Touch())
      next.take()?(Touch())
    }
    expect(
      result, says: "the store was released while the reducer was handling", "handling Touch().",
      "Do not keep the store in its own state or actions.")
  }

  @Test("a dispatch from inside a withState closure")
  func dispatchInWithState() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store<Counter>(reducer: { _, _ in }, state: Counter())
      store.withState { _ in store.dispatch(Increment(amount: 7)) }
    }
    expect(
      result, says: "Increment(amount: 7) was dispatched inside a withState closure.",
      "Copy the values that you need out of the closure first.")
  }

  @Test("a read of the state from inside a withState closure")
  func readInWithState() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store<Counter>(reducer: { _, _ in }, state: Counter())
      store.withState { _ in _ = store.state }
    }
    expect(result, says: "the store's state was read inside a withState closure.")
  }

  @Test("a delivery on the main actor from inside a withState closure")
  func deliverOnMainInWithState() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = Store<Counter>(reducer: { (_: inout Counter, _) in }, state: Counter())
        store.withState { _ in store.deliverOnMain() }
      }
    }
    expect(
      result, says: "the observers on the main actor were about to be called inside a withState closure.",
      "Do this before or afterward")
  }

  @Test("a dispatch while the chain is being built")
  func dispatchWhileBuilding() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hasty: Middleware<Counter> = { dispatch, _ in
        dispatch(Increment(amount: 7))
        return { next in next }
      }
      _ = Store<Counter>(reducer: { _, _ in }, middleware: [hasty], state: Counter())
    }
    expect(
      result, says: "Increment(amount: 7) was dispatched while the middleware chain was being built.",
      "Dispatch the action from the innermost closure of the middleware, or after the store has been created."
    )
  }

  @Test("after a withState closure has thrown, the store can be used again")
  func withStateThrows() {
    struct Trouble: Error {}
    let store = Store<Counter>(reducer: { state, _ in state.value += 1 }, state: Counter())
    #expect(throws: Trouble.self) { try store.withState { _ in throw Trouble() } }
    store.dispatch(Touch())
    #expect(store.state.value == 1)
  }
}

private struct Counter: FluxState {
  var value = 0
}

struct Touch: Action {}
struct Increment: Action { let amount: Int }

/// A store whose reducer misuses the store.
private struct TouchingReducer {
  let store: Store<Counter>

  init(_ touch: @escaping @Sendable (Store<Counter>) -> Void) {
    let box = Box<Store<Counter>>()
    store = Store<Counter>(
      reducer: { (_: inout Counter, _) in
        if let store = box.peek() { touch(store) }
      }, state: Counter())
    box.put(store)
  }

  func run() {
    store.dispatch(Touch())
  }
}

/// A box for a value that a closure needs before the value exists.
private final class Box<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func put(_ new: Value) { value.withLock { $0 = new } }
  func peek() -> Value? { value.withLock { $0 } }

  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}
