import FluxCore
import FluxNavigation

let navigationWorkloads: [Workload] = [push, pushAlone, unrelated]

private enum Screen: Hashable {
  case list
  case film(Int)
}

private struct App: FluxState {
  var routes = RouteStack(root: Screen.list)
  var value = 0
}

private let routing = RouteSlice(at: \App.routes)

private func makeStore() -> Store<App> {
  Store(
    reducer: on(Increment.self) { app, _ in app.value &+= 1 }, plugins: [routing.plugin], state: App())
}

private let push = Workload("navigation-push", "a push and a pop of a screen (two dispatches)") {
  let store = makeStore()
  store.dispatch(routing.push(.film(0)))
  // Another push makes room for the screens.
  store.dispatch(routing.push(.film(1)))
  store.dispatch(routing.pop())
  return { times in
    for number in 0..<times {
      store.dispatch(routing.push(.film(number)))
      store.dispatch(routing.pop())
    }
    precondition(store.state.routes.top.route == .film(0))
  }
}

private let pushAlone = Workload("navigation-push-alone", "a push of a screen onto a growing stack") {
  let store = makeStore()
  return { times in
    let before = store.state.routes.path.count
    for number in 0..<times { store.dispatch(routing.push(.film(number))) }
    precondition(store.state.routes.path.count == before + times)
  }
}

private let unrelated = Workload(
  "navigation-unrelated", "a dispatch of another action to a store with a stack of screens",
  floor: "handlers-1"
) {
  let store = makeStore()
  return { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.value == before + times)
  }
}
