import FluxCore

/// The state of most tests: each `Increment` by one increases both the count and the store's
/// version.
struct Counter: FluxState, Equatable {
  var count = 0
  var name = ""
  var log: [Int] = []
}

struct Increment: Action {
  var amount = 1
}

struct Rename: Action {
  var name: String
}

struct Append: Action {
  var element: Int
}

/// An action that no reducer handles.
struct Nothing: Action {}

@Sendable func countingReducer(_ state: inout Counter, _ action: any Action) {
  switch action {
  case let action as Increment: state.count += action.amount
  case let action as Rename: state.name = action.name
  case let action as Append: state.log.append(action.element)
  default: break
  }
}

func makeStore(
  middleware: [Middleware<Counter>]? = nil, plugins: [Plugin<Counter>] = [], state: Counter = Counter()
) -> Store<Counter> {
  Store(reducer: countingReducer, middleware: middleware, plugins: plugins, state: state)
}
