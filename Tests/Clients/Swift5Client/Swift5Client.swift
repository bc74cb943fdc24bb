// A client in Swift 5 mode: functions and closures without `@Sendable`, bare existentials, and no
// warnings.
import Flux
import Testing

struct State: FluxState, Equatable {
  var count = 0
}

struct Increment: Action {}
struct Load: AsyncAction {
  func execute(state: FluxState?, dispatch: @escaping DispatchFunction) { dispatch(Increment()) }
}

class LegacyView {
  var text = ""
  var seen: [Int] = []
}

func reducer(state: State, action: Action) -> State {
  var state = state
  switch action {
  case _ as Increment: state.count += 1
  default: break
  }
  return state
}

func mutatingReducer(state: inout State, action: Action) {
  if action is Increment { state.count += 1 }
}

// A handler that is passed by name must be declared Sendable; a closure need not be.
@Sendable func handle(state: inout State, action: Increment) { state.count += 1 }
@Sendable func handleReturning(state: State, action: Increment) -> State { State(count: state.count + 1) }

let counting: Middleware<State> = { dispatch, getState in { next in { action in next(action) } } }

func makeMiddleware() -> Middleware<State> {
  return { dispatch, getState in
    return { next in
      return { action in
        if getState()?.count == 100 { dispatch(Increment()) }
        next(action)
      }
    }
  }
}

// Outside of actor-isolated code, where Swift 5 does not require key paths to be Sendable.
func setCount(_ count: Int) -> BindingAction<State> { BindingAction(\State.count, count) }
func makeStore() -> Store<State> { Store(reducer: reducer, state: State()) }

var globalStore = Store<State>(reducer: reducer, middleware: [counting, makeMiddleware()], state: State())

@Suite("A client in Swift 5 mode")
struct Swift5Client {
  @Test("makes stores of plain functions, closures and handlers")
  func stores() {
    let handlers: ActionHandlers<State> = on(Increment.self, handle)
    let returning: ActionHandlers<State> = onReturning(Increment.self, handleReturning)
    let stores = [
      globalStore,
      Store(reducer: mutatingReducer, state: State()),
      Store(reducer: handlers, state: State()),
      Store(reducer: returning, state: State()),
      Store<State>(reducer: on(Increment.self) { state, _ in state.count += 1 }, state: State()),
      Store<State>(
        reducer: onReturning(Increment.self) { state, _ in State(count: state.count + 1) }, state: State()),
      Store<State>(reducer: { state, action in reducer(state: state, action: action) }, state: State()),
      Store<State>(
        reducer: { state, action in mutatingReducer(state: &state, action: action) }, state: State()),
      Store(reducer: combine(reducer, reducer), state: State(count: -1)),
    ]
    for store in stores {
      store.dispatch(action: Load())
      store.replaceReducer(reducer)
      let dispatch: DispatchFunction = store.dispatch
      dispatch(Increment())
      #expect(store.state.count == 2)
    }
  }

  @Test("subscribes with plain closures")
  func subscribes() {
    let store = Store<State>(reducer: reducer, state: State())
    let view = LegacyView()
    let whole = store.subscribe { state in view.seen.append(state.count) }
    let slice = store.subscribe(to: \.count) { count in view.text = "\(count)" }
    store.dispatch(Increment())
    #expect(view.seen == [0, 1])
    #expect(view.text == "1")
    whole.cancel()
    slice.cancel()
  }

  @Test("plugs in with plain closures")
  func plugsIn() {
    let view = LegacyView()
    let plugin = Plugin<State>(
      wrapReducer: { inner in { state, action in inner(&state, action) } },
      onTransition: .actions { _, version in view.seen.append(Int(version)) })
    let store = Store<State>(reducer: reducer, plugins: [plugin], state: State())
    store.dispatch(Increment())
    #expect(view.seen == [1])
  }

  @Test("connects views with plain closures, and with types that have no isolation") @MainActor
  func connects() {
    let store = makeStore()
    let view = LegacyView()
    let connection = Connection(to: store) { state, binder in
      LegacyProps(
        count: state.count, add: binder.bind { Increment() }, addMany: binder.bind { _ in Increment() })
    }
    connection.props?.add()
    connection.props?.addMany(2)
    view.text = "\(connection.props?.count ?? 0)"
    #expect(view.text == "2")
    let familiar = Connection(to: store, mapping: LegacyConnected(factor: 10))
    familiar.props?.add()
    familiar.dispatch(Increment())
    #expect(familiar.props?.count == 40)
    let observable = ObservableStore(store)
    observable.dispatch(setCount(7))
    #expect(observable.count == 4, "no reducer of this store knows the action")
  }
}

struct LegacyProps: Equatable {
  var count: Int
  @ActionBinding var add: () -> Void
  @ActionBinding var addMany: (Int) -> Void
}

struct LegacyConnected: ConnectedMapping {
  struct Props {
    let count: Int
    let add: () -> Void
  }

  let factor: Int

  func map(state: State, dispatch: @escaping DispatchFunction) -> Props {
    Props(count: state.count * factor) { dispatch(Increment()) }
  }
}
