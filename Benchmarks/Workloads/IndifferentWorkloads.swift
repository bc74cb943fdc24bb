import FluxCore
import FluxMiddleware

/// Workloads in which eleven equal middleware of the package receive an action that they do not
/// handle, so that ten of them follow another middleware.
let indifferentWorkloads: [Workload] = [
  indifferent("pass-through", "pass-through closures", passing),
  indifferent("observe-type", "`observeActions(of:)`", observeActions(of: Decrement.self) { _, _ in }),
  indifferent(
    "transform-type", "`transformActions(of:)`", transformActions(of: Decrement.self) { _, action in action }),
  indifferent(
    "intercept-type", "`interceptActions(of:)`",
    interceptActions(of: Decrement.self) { _, action, next in next(action) }),
  indifferent("dynamic-empty", "empty `DynamicMiddleware`", DynamicMiddleware<Counter>().middleware),
  indifferent("thunks", "`thunkMiddleware`", thunkMiddleware()),
  indifferent("debounce", "`debounceActions`", debounceActions(of: Decrement.self, for: .seconds(1))),
  indifferent("throttle", "`throttleActions`", throttleActions(of: Decrement.self, every: .seconds(1))),
  indifferent(
    "coalesce", "`coalesceActions`",
    coalesceActions(of: Decrement.self, within: .seconds(1)) { _, new in new }),
  indifferent(
    "logging", "`loggingMiddleware` for another type of action",
    loggingMiddleware(filter: .only(Decrement.self)) { _ in }),
  indifferent(
    "logging-two-types", "`loggingMiddleware` for two other types of action",
    loggingMiddleware(filter: .only(Decrement.self, EmptyAction.self)) { _ in }),
  indifferent(
    "print-action", "`printActionMiddleware`",
    printActionMiddleware(printer: { _ in }, filter: .only(Decrement.self))),
]

private func indifferent(_ name: String, _ title: String, _ middleware: @escaping Middleware<Counter>)
  -> Workload
{
  Workload("indifferent-\(name)", "eleven \(title)") {
    counting(countingStore(middleware: Array(repeating: middleware, count: 11)))
  }
}
