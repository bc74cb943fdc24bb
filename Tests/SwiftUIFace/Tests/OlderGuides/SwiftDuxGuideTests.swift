import Flux
import FluxTesting
import SwiftUI
import TestSupport
import Testing

private func makeStore() -> Store<AppState> {
  Store(
    reducer: appReducer,
    state: AppState(
      todoList: TodoList(todos: [Todo(id: "a", text: "milk"), Todo(id: "b", text: "bread")])))
}

@MainActor
@Suite("Views written to SwiftDux's guides", .unlessItHangs)
struct SwiftDuxGuideTests {
  private let store = makeStore()

  @Test("a connected view shows an ordered state, and dispatches its moves and deletions")
  func todos() {
    let screen = Screen { RootView().provideStore(store) }
    #expect(screen.text == ["milk", "bread", "Add two"])
    screen.move(from: [1], to: 0)
    #expect(screen.text == ["bread", "milk", "Add two"])
    screen.delete([0])
    #expect(screen.text == ["milk", "Add two"])
  }

  @Test("an action plan is dispatched by a view like any other action")
  func plans() {
    let screen = Screen { RootView().provideStore(store) }
    screen.press("Add two")
    #expect(screen.text == ["milk", "bread", "first", "second", "Add two"])
  }

  @Test("a view with external information maps a part of the state with it, and nil shows nothing")
  func details() {
    let part = store.proxy(for: \.todoList)
    let screen = Screen {
      VStack {
        TodoDetailsView(id: "b")
        TodoDetailsView(id: "123")
      }
      .provideStore(part)
    }
    #expect(screen.text == ["details of bread"])
  }

  @Test("a form shows and changes a value by a binding, and submits by a bound function")
  func form() {
    let screen = Screen { LoginFormView().provideStore(store) }
    #expect(screen.type("a@b", into: "Email") == ["a", "a@", "a@b"])
    screen.press("Submit")
    #expect(store.state.loginForm == LoginForm(email: "a@b", submitted: "a@b"))
  }

  @Test("a mapped state and a dispatcher connect a list with callbacks")
  func callbacks() {
    let screen = Screen { BookListContainer().provideStore(store) }
    screen.move(from: [1], to: 0)
    #expect(screen.text == ["bread", "milk"])
    screen.delete([1])
    #expect(screen.text == ["bread"])
  }

  @Test("a mapped state and a mapped dispatch connect a list without callbacks")
  func properties() {
    let screen = Screen { ConnectedBookListView().provideStore(store) }
    screen.move(from: [0], to: 2)
    #expect(screen.text == ["bread", "milk"])
    screen.delete([0])
    #expect(screen.text == ["milk"])
  }

  @Test(
    "a plan queries while its view is visible, again after a new filter and a quiet interval, and then ends")
  func querying() async {
    let services = TodoServices()
    let shown = EventLog<[String]>()
    let token = store.subscribe(
      to: { $0.todoList.todos.map(\.text) }, initial: false, onMain: { shown.record($0) })
    let screen = Screen { TodoListView(services: services).provideStore(store) }
    for (number, filter) in ["m", "milk", "refused"].enumerated() {
      ActionDispatcher(store)(FilterAction.filter(filter))
      await services.clock.sleepers(atLeast: 1)
      services.clock.advance(by: .milliseconds(300))
      await shown.count(atLeast: number + 1)
      screen.update()
      #expect(screen.text == (filter == "refused" ? ["0 todos"] : ["1 todos", "found \(filter)"]))
    }
    screen.close()
    await services.events.count(atLeast: 2)
    #expect(services.events.values == ["begins", "ends"])
    token.cancel()
  }

  @Test("a preview shows a connected view with its own store")
  func preview() {
    let screen = Screen { TodoDetails_Previews.previews }
    #expect(screen.text == ["details of Get milk"])
  }
}
