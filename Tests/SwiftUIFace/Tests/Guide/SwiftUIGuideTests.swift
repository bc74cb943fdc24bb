import Flux
import SwiftUI
import Testing

@MainActor
@Suite("Sources/FluxUI/FluxUI.docc/SwiftUIViews.md")
struct SwiftUIGuideTests {
  private let store = Store(
    reducer: todoReducer,
    state: TodoApp(todos: [Todo(id: "1", title: "Milk"), Todo(id: "2", title: "Bread", isDone: true)]))

  @Test("its root view provides the store, and its list shows rows that can be checked, moved, and deleted")
  func list() {
    let screen = Screen { RootView(store: store) }
    #expect(screen.text == ["Milk: off", "Bread: on"])
    screen.toggle("Milk")
    screen.move(from: [1], to: 0)
    #expect(screen.text == ["Bread: on", "Milk: on"])
    screen.delete([0])
    #expect(screen.text == ["Milk: on"])
  }

  @Test("its work loads when the view appears, and its modifier and its property show the login")
  func appearing() {
    let login = store.proxy(for: \.login)
    let screen = Screen {
      VStack {
        LoadedTodos().modifier(Greeting())
        SignOut()
      }
      .provideStore(login)
      .provideStore(store)
    }
    ActionDispatcher(store)(SetEmail(email: "Ada"))
    screen.update()
    #expect(
      screen.text == [
        "Hello, ada", "2 to do", "Milk: off", "Bread: on", "Loaded: off", "Sign out ada",
      ])
    screen.press("Sign out ada")
    #expect(screen.text.first == "Hello, ")
  }

  @Test("its form types, switches, and submits")
  func form() {
    let screen = Screen { LoginView().provideStore(store) }
    #expect(screen.type("Ada", into: "Email") == ["a", "ad", "ada"])
    screen.toggle("Remember me")
    screen.press("Log in")
    #expect(store.state.login == LoginForm(email: "ada", remember: true, isLoggedIn: true))
  }

  @Test("its views use the state, the dispatcher, and the store of the environment")
  func environment() {
    let screen = Screen {
      VStack {
        Email()
        ReloadButton()
        TodoCount()
        LoginView()
      }
      .provideStore(store)
    }
    #expect(screen.text.prefix(4) == ["", "Sign out", "Reload", "2 in all"])
    screen.press("Reload")
    screen.type("ada", into: "Email")
    #expect(screen.text.prefix(4) == ["ada", "Sign out", "Reload", "3 in all"])
    screen.press("Sign out")
    ActionDispatcher(store)(EmptyAction())
    screen.update()
    #expect(screen.text.first == "")
  }

  @Test("its closure blocks actions that move or delete")
  func readOnly() {
    let screen = Screen { ReadOnly().provideStore(store) }
    screen.delete([0])
    screen.move(from: [0], to: 2)
    screen.toggle("Milk")
    #expect(screen.text == ["Milk: on", "Bread: on"])
  }

  @Test("its preview shows a row of its own store, which accepts actions")
  func preview() {
    let screen = Screen { TodoRow_Previews.previews }
    screen.toggle("Get milk")
    #expect(screen.text == ["Get milk: on"])
  }
}
