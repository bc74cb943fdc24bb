import FluxCore
import FluxUI
import TestSupport
import Testing

private struct Called: Action {
  let values: [Int]
}

@MainActor
@Suite struct BoundFunctionTests {
  private let calls: Recorder<[Int]>
  private let store: Store<Notebook>
  private let binder: ActionBinder

  init() {
    let calls = Recorder<[Int]>()
    let recording: Middleware<Notebook> = { _, _ in
      { _ in
        { action in
          if let action = action as? Called { calls.record(action.values) }
        }
      }
    }
    self.calls = calls
    store = makeStore(middleware: [recording])
    binder = ActionBinder(ActionDispatcher(store))
  }

  struct Wrapped: Equatable {
    @ActionBinding var none: () -> Void
    @ActionBinding var one: (Int) -> Void
    @ActionBinding var two: (Int, Int) -> Void
    @ActionBinding var three: (Int, Int, Int) -> Void
    @ActionBinding var four: (Int, Int, Int, Int) -> Void
    @ActionBinding var five: (Int, Int, Int, Int, Int) -> Void
    @ActionBinding var six: (Int, Int, Int, Int, Int, Int) -> Void
  }

  private func wrapped(_ binder: ActionBinder) -> Wrapped {
    Wrapped(
      none: binder.bind { Called(values: []) },
      one: binder.bind { Called(values: [$0]) },
      two: binder.bind { Called(values: [$0, $1]) },
      three: binder.bind { Called(values: [$0, $1, $2]) },
      four: binder.bind { Called(values: [$0, $1, $2, $3]) },
      five: binder.bind { Called(values: [$0, $1, $2, $3, $4]) },
      six: binder.bind { Called(values: [$0, $1, $2, $3, $4, $5]) })
  }

  @Test("functions of none to six parameters are bound to the actions that they return")
  func wrappers() {
    let props = wrapped(binder)
    props.none()
    props.one(1)
    props.two(1, 2)
    props.three(1, 2, 3)
    props.four(1, 2, 3, 4)
    props.five(1, 2, 3, 4, 5)
    props.six(1, 2, 3, 4, 5, 6)
    #expect(calls.values == (0...6).map { Array((1...7).prefix($0)) })
    #expect(props == wrapped(binder))
  }

  @Test("a function without parameters may be isolated to the main actor, like the action of a button")
  func mainActor() {
    struct Buttons: Equatable {
      @ActionBinding var fixed: @MainActor () -> Void
      @ActionBinding var made: @MainActor () -> Void
    }
    let buttons = Buttons(
      fixed: binder.bind(Called(values: [1])), made: binder.bind { Called(values: [2]) })
    let press: (@MainActor () -> Void) -> Void = { action in action() }
    press(buttons.fixed)
    press(buttons.made)
    #expect(calls.values == [[1], [2]])
    #expect(buttons == Buttons(fixed: binder.bind(Nothing()), made: binder.bind(Nothing())))
  }

  @Test("functions with any number and types of parameters are bound as action functions")
  func packs() {
    let none: ActionFunction<> = binder.bind { Called(values: []) }
    let one: ActionFunction<Int> = binder.bind { Called(values: [$0]) }
    let mixed: ActionFunction<String, Int?, [Int]> = binder.bind { text, number, more in
      Called(values: [text.count, number ?? 0] + more)
    }
    let seven: ActionFunction<Int, Int, Int, Int, Int, Int, Int> = binder.bind { a, b, c, d, e, f, g in
      Called(values: [a, b, c, d, e, f, g])
    }
    none()
    one(1)
    mixed("ab", nil, [3])
    seven(1, 2, 3, 4, 5, 6, 7)
    #expect(calls.values == [[], [1], [2, 0, 3], [1, 2, 3, 4, 5, 6, 7]])
    #expect(seven == binder.bind { _, _, _, _, _, _, _ in nil })
  }

  @Test("a shown function with many parameters uses the values that newer closures have captured")
  func captured() {
    let store = makeStore()
    let connection = Connection(to: store) {
      state, binder -> ActionFunction<Int, Int, Int, Int, Int, Int, Int> in
      binder.bind { a, _, _, _, _, _, g in Increment(amount: a * g + state.count) }
    }
    let shown = connection.props
    shown?(1, 0, 0, 0, 0, 0, 2)
    shown?(1, 0, 0, 0, 0, 0, 2)
    #expect(store.state.count == 6)
  }
}
