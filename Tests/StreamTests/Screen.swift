import FluxCore

/// The state of the tests.
struct Screen: FluxState, Equatable {
  var count = 0
  var title = ""
}

struct SetCount: Action {
  let count: Int
}

struct Increment: Action {}

struct SetTitle: Action {
  let title: String
}

let screenReducer: ActionHandlers<Screen> = combine(
  on(SetCount.self) { screen, action in screen.count = action.count },
  on(Increment.self) { screen, _ in screen.count += 1 },
  on(SetTitle.self) { screen, action in screen.title = action.title }
)

func makeStore(_ state: Screen = Screen()) -> Store<Screen> {
  Store(reducer: screenReducer, state: state)
}

extension Store<Screen> {
  func set(_ counts: Int...) {
    for count in counts { dispatch(SetCount(count: count)) }
  }
}
