// A client in Swift 6 mode, with a plain import, that uses each type of declaration.
import Flux
import Testing

struct State: FluxState, Equatable {
  var count = 0
  var names = ["one"]
  var detail: Detail? = Detail()
  var screen = Screen.list
  var rows = [Row(id: 1), Row(id: 2)]
}

struct Detail: Equatable { var visits = 0 }
struct Row: Identifiable, Equatable {
  let id: Int
  var taps = 0
}
enum Screen: Equatable {
  case list
  case open(Detail)
}

struct Increment: Action { var amount = 1 }
struct Rename: Action { let name: String }
struct Load: AsyncAction {
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    dispatch(Increment(amount: 10))
  }
}

func returning(state: State, action: any Action) -> State {
  var state = state
  if let action = action as? Increment { state.count += action.amount }
  return state
}

func inPlace(state: inout State, action: any Action) {
  if let action = action as? Increment { state.count += action.amount }
}

let handlers: ActionHandlers<State> = combine(
  on(Increment.self) { state, action in state.count += action.amount },
  onReturning(Rename.self) { state, action in
    var state = state
    state.names.append(action.name)
    return state
  },
  lift(on(Increment.self) { detail, _ in detail.visits += 1 }, to: .optional(\State.detail)),
  lift(
    on(Increment.self) { (detail: inout Detail, _) in detail.visits += 1 },
    to: .appending(
      \State.screen, .case({ if case .open(let detail) = $0 { detail } else { nil } }, Screen.open))),
  lift(on(Increment.self) { (row: inout Row, _) in row.taps += 1 }, to: .each(\State.rows))
)

extension Substate {
  /// A user's own shorthand.
  static func appending<Middle>(
    _ path: any WritableKeyPath<State, Middle> & Sendable, _ inner: Substate<Middle, Part>
  ) -> Substate {
    Substate<State, Middle>.keyPath(path).appending(inner)
  }
}

@Suite("A client in Swift 6 mode")
struct Swift6Client {
  @Test("makes stores of all types of reducers")
  func reducers() {
    let stores = [
      Store(reducer: returning, state: State()),
      Store(reducer: inPlace, state: State()),
      Store(reducer: handlers, state: State()),
      Store(reducer: handlers, middleware: nil, plugins: [], state: State()),
      Store<State>(reducer: { state, action in returning(state: state, action: action) }, state: State()),
      Store<State>(reducer: { state, action in inPlace(state: &state, action: action) }, state: State()),
      Store<State>(
        reducer: { state, action in
          var state = state
          switch action {
          case let action as Increment: state.count += action.amount
          default: break
          }
          return state
        }, state: State()),
      Store<State>(
        reducer: { state, action in
          switch action {
          case let action as Increment: state.count += action.amount
          default: break
          }
        }, state: State()),
      Store(reducer: combine(inPlace), state: State()),
      Store(reducer: combine(returning), state: State()),
      Store(reducer: combine(handlers), state: State()),
    ]
    for store in stores {
      store.dispatch(Increment())
      store.dispatch(Load())
      #expect(store.state.count == 11)
    }
  }

  @Test("passes dispatch as a function value, under either spelling")
  func functionValues() {
    let store = Store(reducer: handlers, state: State())
    let dispatch: DispatchFunction = store.dispatch
    let spelledOut: DispatchFunction = store.dispatch(action:)
    dispatch(Increment())
    spelledOut(Increment())
    store.dispatch(action: Increment())
    #expect(store.withState { $0.count } == 3)
  }

  @Test("lifts handlers through an optional, a case and every element")
  func lifting() {
    let store = Store(reducer: handlers, state: State(screen: .open(Detail())))
    store.dispatch(Increment())
    #expect(store.state.detail?.visits == 1)
    #expect(store.state.screen == .open(Detail(visits: 1)))
    #expect(store.state.rows.map(\.taps) == [1, 1])
  }

  @Test("subscribes with closures that capture what is not Sendable, on the main actor")
  @MainActor
  func onMain() {
    final class Label { var text = "" }
    let label = Label()
    let store = Store(reducer: handlers, state: State())
    let token = store.subscribe(to: \.count, onMain: { count in label.text = "\(count)" })
    #expect(label.text == "0")
    token.cancel()
  }

  @Test("keeps tokens in a set")
  func tokens() {
    var tokens: Set<SubscriptionToken> = []
    let store = Store(reducer: handlers, state: State())
    store.subscribe { _ in }.store(in: &tokens)
    store.subscribe(to: \.names) { names in _ = names.count }.store(in: &tokens)
    store.subscribe(to: { $0.count }) { old, new in _ = (old, new) }.store(in: &tokens)
    #expect(tokens.count == 3)
  }
}
