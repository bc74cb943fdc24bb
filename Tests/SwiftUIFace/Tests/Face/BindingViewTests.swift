import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Bindings in views") struct BindingViewTests {
  private struct LoginView: ConnectableView {
    struct Props: Equatable {
      @ActionBinding var email: String
      @ActionBinding var remember: Bool
      @ActionBinding var onSubmit: @MainActor () -> Void
    }

    let bodies: Bodies

    func map(state: Notebook, binder: ActionBinder) -> Props? {
      Props(
        email: binder.bind(state.form.email) { BindingAction(\LoginForm.email, $0.lowercased()) },
        remember: binder.bind(\.remember, of: state.form),
        onSubmit: binder.bind(SetTitle(title: state.form.email)))
    }

    func body(props: Props) -> some View {
      let _ = bodies.record("login")
      TextField("Email", text: props.$email)
      Toggle("Remember", isOn: props.$remember)
      Button("Submit", action: props.onSubmit)
    }
  }

  @Test(
    "typed text is reduced and read back before the setter returns, and the body runs once for each letter")
  func typing() {
    let bodies = Bodies()
    let store = makeStore()
    let screen = Screen { LoginView(bodies: bodies).provideStore(store) }
    #expect(screen.text == ["Email: ", "Remember: off", "Submit"])
    #expect(screen.type("A@b", into: "Email") == ["a", "a@", "a@b"])
    #expect(store.state.form.email == "a@b")
    #expect(bodies.count == 4)
  }

  @Test("a binding is converted to one of SwiftUI by name, too")
  func toBinding() {
    let store = makeStore()
    let binding = ActionBinder(ActionDispatcher(store)).bind(store.state.title) { SetTitle(title: $0) }
    binding.toBinding().wrappedValue = "a"
    #expect(store.state.title == "a")
    #expect(ActionBinding.constant(3).toBinding().wrappedValue == 3)
  }

  @Test("a field that is not drawn again between two letters does not lag, either")
  func typingUndrawn() {
    let store = makeStore()
    let connection = Connection(to: store, mapping: LoginView(bodies: Bodies()))
    let field = connection.props?.$email
    for letter in "play" { field?.wrappedValue.append(letter) }
    #expect(field?.wrappedValue == "play")
    #expect(store.state.form.email == "play")
  }

  @Test("switches and buttons dispatch, and use the newest state")
  func controls() {
    let store = makeStore()
    let screen = Screen { LoginView(bodies: Bodies()).provideStore(store) }
    screen.toggle("Remember")
    #expect(screen.text[1] == "Remember: on")
    screen.type("a", into: "Email")
    screen.press("Submit")
    #expect(store.state == Notebook(title: "a", form: LoginForm(email: "a", remember: true)))
    screen.toggle("Remember")
    #expect(!store.state.form.remember)
  }

  @Test("a binding that is not a property of props is converted to one of SwiftUI, too")
  func observableStore() {
    struct TitleField: View {
      let store: ObservableStore<Notebook>
      let bodies: Bodies

      var body: some View {
        let _ = bodies.record("field")
        TextField("Title", text: Binding(store.binding(\.title) { SetTitle(title: $0) }))
      }
    }
    let bodies = Bodies()
    let store = ObservableStore(makeStore())
    let screen = Screen { TitleField(store: store, bodies: bodies) }
    #expect(screen.type("ab", into: "Title") == ["a", "ab"])
    store.dispatch(Increment())
    screen.update()
    #expect(store.title == "ab")
    #expect(bodies.count == 3)
  }

  @Test("if a closure refuses typed text, the field shows the state")
  func refused() {
    let store = makeStore(state: Notebook(form: LoginForm(email: "a")))
    let screen = Screen {
      LoginView(bodies: Bodies()).onAction { $0 is BindingAction<LoginForm> ? nil : $0 }.provideStore(store)
    }
    #expect(screen.type("b", into: "Email") == ["a"])
    screen.press("Submit")
    #expect(store.state.title == "a")
  }
}
