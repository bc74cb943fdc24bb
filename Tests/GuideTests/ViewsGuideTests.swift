import Flux
import Observation
import TestSupport
import Testing

@Suite("Sources/FluxUI/FluxUI.docc/Views.md")
@MainActor
struct ViewsGuideTests {
  private var shown: [String] = []

  @Test("its connections show the present state before a dispatch returns")
  mutating func connections() {
    let store = Store(reducer: todoReducer, state: TodoApp(todos: ["1": Todo(title: "Milk")]))

    let title = Connection(to: store) { state in state.todos["1"]?.title }
    title.dispatch(AddTodo(id: "1", title: "Bread"))
    shown.append(title.props ?? "nothing")

    #expect(shown == ["Bread"])

    let filter = Connection(to: store) { state, binder in
      binder.bind(state.filter) { text in SetFilter(text: text) }
    }
    filter.props?.wrappedValue = "done"

    #expect(store.state.filter == "done")
  }

  @Test("a reader that draws props is notified when the drawn values have changed")
  func observing() {
    let store = Store(reducer: todoReducer, state: TodoApp())
    let connection = Connection(to: store) { state in state.todos.count }
    let screen = GuideScreen()

    withObservationTracking {
      screen.draw("\(connection.props ?? 0) to do")
    } onChange: {
      Task { @MainActor in screen.setNeedsToDraw() }
    }

    connection.dispatch(SetFilter(text: "milk"))
    connection.dispatch(AddTodo(id: "1", title: "Milk"))
    #expect(screen.drawn == ["0 to do"])
  }

  @Test("its views map the state to their props")
  func mappings() {
    let store = Store(reducer: todoReducer, state: TodoApp())

    let stores = ProvidedStores().providing(store)
    let row = ViewConnection<TodoApp, TodoRow.Props>()

    var props = row.props(of: TodoRow(id: "1"), in: stores)
    stores.dispatcher(AddTodo(id: "1", title: "Milk"))
    props = row.props(of: TodoRow(id: "1"), in: stores)
    props?.onCheck()

    #expect(props?.title == "Milk")
    #expect(row.props(of: TodoRow(id: "1"), in: stores)?.isDone == true)
    #expect(ViewConnection<TodoApp, OpenTodos.Props>().props(of: OpenTodos(), in: stores)?.count == 0)
  }

  @Test("its form sets fields without separate actions")
  func form() {
    let store = Store(reducer: todoReducer, state: TodoApp())

    let login = Connection(to: store, mapping: LoginView())
    login.props?.email = "ada@example.com"
    login.props?.remember = true

    #expect(store.state.login == LoginForm(email: "ada@example.com", remember: true))
    #expect("\(BindingAction(\LoginForm.email, "ada"))" == #"LoginForm.email = "ada""#)
  }

  @Test("its observable store is observed property by property")
  mutating func observableStore() {
    let todos = ObservableStore(Store(reducer: todoReducer, state: TodoApp()))
    todos.dispatch(SetFilter(text: "milk"))
    shown += [todos.filter, todos[\.login.email]]

    let filter = todos.binding(\.filter) { text in SetFilter(text: text) }
    filter.wrappedValue = "bread"

    #expect(shown == ["milk", ""])
    #expect(todos.filter == "bread")
  }

  @Test("its work is bound to a view, and the actions of views can be changed on their way")
  func appearing() {
    let store = Store(reducer: todoReducer, state: TodoApp())
    let load = ActionPlan<TodoApp> { store in store.dispatch(AddTodo(id: "1", title: "Milk")) }

    let work = AppearanceWork()
    work.appear(dispatching: load, by: ActionDispatcher(store))
    work.disappear()

    #expect(store.state.todos.count == 1)

    let readOnly = ProvidedStores().providing(store).onAction { action in
      action is Check ? nil : action
    }

    readOnly.dispatcher(Check(id: "1"))
    #expect(store.state.todos["1"]?.isDone == false)
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxUI/FluxUI.docc/Views.md").expectTested(
      in: "Tests/GuideTests/ViewsExample.swift", "Tests/GuideTests/ViewsGuideTests.swift", atLeast: 9)
  }
}

/// A screen on which the page's examples draw.
@MainActor
private final class GuideScreen {
  var drawn: [String] = []

  func draw(_ line: String) {
    drawn.append(line)
  }

  func setNeedsToDraw() {}
}
