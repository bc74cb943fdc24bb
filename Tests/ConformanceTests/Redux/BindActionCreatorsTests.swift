import FluxCore
import FluxUI
import TestSupport
import Testing

private struct MoveTodo: Action, Equatable {
  let from: Int
  let to: Int
  let note: String
}

@MainActor
@Suite(
  "Redux: bindActionCreators",
  .cases(of: "reduxjs/redux", "test/bindActionCreators.spec.ts", at: "3084fc33", count: 7))
struct BindActionCreatorsTests {
  private let store = todoStore()

  private var binder: ActionBinder { ActionBinder(ActionDispatcher(store)) }

  /// The functions that a view receives, to be called.
  private struct Props {
    @ActionBinding var add: (String) -> Void
    @ActionBinding var ignore: () -> Void
  }

  @Test(
    "bound functions dispatch the actions that they make",
    .differs(
      1,
      because: "A bound function of Redux returns the action. A bound function of Flux returns nothing."))
  func several() {
    let props = Props(
      add: binder.bind { (text: String) in AddTodo(text: text) }, ignore: binder.bind(Unknown()))
    props.add("a")
    props.ignore()
    #expect(store.state.texts == ["a"])
  }

  @Test(
    "a bound function makes its action from its arguments, in their order",
    .differs(2, because: "Swift has no `this` to forward, and a bound function returns nothing."))
  func arguments() {
    let dispatched = Recorder<MoveTodo>()
    let store = todoStore { _, _ in
      { _ in
        { action in
          if let action = action as? MoveTodo { dispatched.record(action) }
        }
      }
    }
    let move: ActionFunction<Int, Int, String> = ActionBinder(ActionDispatcher(store))
      .bind { from, to, note in MoveTodo(from: from, to: to, note: note) }
    move(3, 0, "first")
    #expect(dispatched.values == [MoveTodo(from: 3, to: 0, note: "first")])
  }

  @Test(
    "a single function can be bound, too",
    .differs(
      4,
      because: "A bound function of Redux returns the action. A bound function of Flux returns nothing."))
  func single() {
    let add: ActionFunction<String> = binder.bind { AddTodo(text: $0) }
    add("a")
    #expect(store.state.texts == ["a"])
  }

  nonisolated static let meaningless = [
    MeaninglessCase(
      3, "values that are not functions are not bound",
      because: "Functions are bound one at a time, and the compiler rejects other values."),
    MeaninglessCase(
      5, "binding an undefined value is an error", because: "The compiler accepts only a function."),
    MeaninglessCase(6, "binding `null` is an error", because: "The compiler accepts only a function."),
    MeaninglessCase(7, "binding a string is an error", because: "The compiler accepts only a function."),
  ]
}
