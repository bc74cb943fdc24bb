// A client whose module is isolated to the main actor by default, like new projects of Xcode.
import Flux
import Testing

struct State: FluxState, Equatable {
  var count = 0
  var title = ""
}

struct Increment: Action {}
struct Rename: Action { let title: String }
struct Load: AsyncAction {
  nonisolated func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    dispatch(Rename(title: "loaded"))
  }
}

nonisolated func reducer(state: State, action: any Action) -> State {
  var state = state
  switch action {
  case is Increment: state.count += 1
  case let action as Rename: state.title = action.title
  default: break
  }
  return state
}

nonisolated let passing: Middleware<State> = { _, _ in { next in { action in next(action) } } }

final class ViewModel {
  var text = ""
  private var tokens: Set<SubscriptionToken> = []

  init(_ store: Store<State>) {
    store.subscribe(to: \.title, onMain: { [weak self] title in self?.text = title }).store(in: &tokens)
    store.subscribe(owner: self, to: { $0.count }, onMain: { model, count in model.text += "\(count)" })
  }
}

@Suite("A client with main-actor isolation by default")
struct MainActorClient {
  @Test("the client makes a store, dispatches, and shows the states of its subscription")
  func works() async {
    let store = Store(reducer: reducer, middleware: [passing], state: State())
    let model = ViewModel(store)
    #expect(model.text == "0")
    store.dispatch(Load())
    store.dispatch(Increment())
    while model.text != "loaded1" { await Task.yield() }
    #expect(store.state == State(count: 1, title: "loaded"))
  }

  @Test("uses handlers, selectors and proxies")
  func uses() {
    let handlers: ActionHandlers<State> = combine(
      on(Increment.self) { state, _ in state.count += 1 },
      onReturning(Rename.self) { state, action in State(count: state.count, title: action.title) })
    let store = Store(reducer: handlers, state: State())
    let doubled = StateSelector(\State.count) { $0 * 2 }
    let proxy = store.proxy(for: \.title)
    proxy.dispatch(Rename(title: "by proxy"))
    store.dispatch(Increment())
    #expect(doubled(store.state) == 2)
    #expect(proxy.state == "by proxy")
  }

  @Test("the client connects views, whose props are isolated to the main actor")
  func connects() {
    let reducer = combine(BindingAction<State>.reducer, on(Increment.self) { state, _ in state.count += 1 })
    let store = Store(reducer: reducer, state: State())
    let form = Connection(to: store, mapping: TitleForm(prefix: "My "))
    form.props?.title = "title"
    form.props?.onSubmit()
    #expect(form.props?.heading == "My title")
    #expect(store.state == State(count: 1, title: "title"))
    let connection = Connection(to: store) { state in Heading(text: state.title) }
    #expect(connection.props == Heading(text: "title"))
    let observable = ObservableStore(store)
    observable.binding(\.title).wrappedValue = "other"
    #expect(observable.title == "other")
    let row = ViewConnection<State, TitleForm.Props>()
    #expect(row.props(of: TitleForm(prefix: ""), in: ProvidedStores().providing(store))?.heading == "other")
  }
}

struct Heading: Equatable {
  var text: String
}

struct TitleForm: ConnectableMapping {
  struct Props: Equatable {
    let heading: String
    @ActionBinding var title: String
    @ActionBinding var onSubmit: () -> Void
  }

  let prefix: String

  func map(state: State, binder: ActionBinder) -> Props? {
    Props(
      heading: prefix + state.title, title: binder.bind(\.title, of: state),
      onSubmit: binder.bind(Increment()))
  }
}
