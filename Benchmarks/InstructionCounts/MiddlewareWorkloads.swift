import FluxCore
import FluxMiddleware

/// What is in the box, each before an action that it does not care about.
let indifferentMiddleware: [String: Middleware<Counter>] = [
  "pass-through": passing,
  "observe-type": observeActions(of: Decrement.self) { _, _ in },
  "transform-type": transformActions(of: Decrement.self) { _, action in action },
  "intercept-type": interceptActions(of: Decrement.self) { _, action, next in next(action) },
  "dynamic-empty": DynamicMiddleware<Counter>().middleware,
  "thunks": thunkMiddleware(),
  "debounce": debounceActions(of: Decrement.self, for: .seconds(1)),
  "throttle": throttleActions(of: Decrement.self, every: .seconds(1)),
  "logging": loggingMiddleware(filter: .only(Decrement.self)) { _ in },
  "logging-two-types": loggingMiddleware(filter: .only(Decrement.self, EmptyAction.self)) { _ in },
  "print-action": printActionMiddleware(printer: { _ in }, filter: .only(Decrement.self)),
  "coalesce": coalesceActions(of: Decrement.self, within: .seconds(1)) { _, new in new },
]

/// Sends actions through eleven of the same middleware, so that ten of them stand behind another one.
func indifferent(_ middleware: @escaping Middleware<Counter>) -> Workload {
  { times in
    let store = Store(
      reducer: chosen(plain), middleware: Array(repeating: middleware, count: 11), state: Counter())
    for _ in 0..<times { store.dispatch(Increment()) }
  }
}
