import FluxCore
import FluxMiddleware

let featureWorkloads: [Workload] = [
  casting, unused, combined, attachedAction, detachedAction, attaching(0), dispatching(10_000),
  attaching(10_000),
]

private struct Visits: FluxState, Equatable {
  var value = 0
}

private struct App: FluxState {
  var features = FeatureStates()
  var visits = Visits()
  var value = 0
}

private struct Visit: Action {}

private let appReducer: MutatingReducer<App> = { app, action in
  if action is Increment { app.value &+= 1 }
}

private let visitsReducer: MutatingReducer<Visits> = { visits, action in
  if action is Visit { visits.value &+= 1 }
}

private let visits = Feature("visits", state: Visits(), reducer: visitsReducer)

private func makeStore() -> (features: Features<App>, store: Store<App>) {
  let features = Features(at: \App.features)
  return (features, Store(reducer: appReducer, plugins: [features.plugin], state: App()))
}

private let casting = Workload(
  "floor-features", "a dispatch to the same reducer in a store without the plug-in"
) {
  let store = Store(reducer: appReducer, state: App())
  return { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.value == before + times)
  }
}

private let combined = Workload(
  "floor-feature", "a dispatch to two combined reducers, of which one reduces a part of the state"
) {
  let store = Store(reducer: combine(lift(visitsReducer, to: \App.visits), appReducer), state: App())
  return { times in
    for _ in 0..<times { store.dispatch(Visit()) }
    precondition(store.state.visits.value >= times)
  }
}

private let unused = Workload(
  "features-unused", "a dispatch to a store to which no feature was attached", floor: "floor-features"
) {
  let (_, store) = makeStore()
  return { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.value == before + times)
  }
}

private let attachedAction = Workload(
  "features-action", "a dispatch of an action of an attached feature", floor: "floor-feature"
) {
  let (features, store) = makeStore()
  features.attach(visits)
  return { times in
    for _ in 0..<times { store.dispatch(Visit()) }
    precondition(store.state.features[visits].value >= times)
  }
}

private let detachedAction = Workload(
  "features-detached", "a dispatch to a store whose only feature was detached", floor: "floor-features"
) {
  let (features, store) = makeStore()
  features.attach(visits).detach(keepingState: false)
  return { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.value == before + times)
  }
}

/// Dispatches an action beside observers of another part of the state.
private func dispatching(_ observers: Int) -> Workload {
  Workload(
    "floor-features-attach-\(observers)", "a dispatch beside \(grouped(observers)) observers of a part",
    turns: observers > 1_000 ? 100 : 10_000
  ) {
    let (_, store) = makeStore()
    let tokens = (0..<observers).map { _ in store.subscribe(to: \.value) { _ in } }
    return { times in
      for _ in 0..<times { store.dispatch(Visit()) }
      precondition(tokens.count == observers && store.state.value == 0)
    }
  }
}

/// Attaches a feature and detaches it, in a store with observers of another part of the state.
private func attaching(_ observers: Int) -> Workload {
  Workload(
    "features-attach-\(observers)",
    "attaching and detaching a feature beside \(grouped(observers)) observers (two dispatches)",
    turns: observers > 1_000 ? 100 : 10_000
  ) {
    let (features, store) = makeStore()
    let tokens = (0..<observers).map { _ in store.subscribe(to: \.value) { _ in } }
    return { times in
      for _ in 0..<times {
        let attached = features.attach(visits)
        precondition(attached.isAttached)
        attached.detach(keepingState: true)
      }
      precondition(tokens.count == observers && store.state.value == 0)
    }
  }
}
