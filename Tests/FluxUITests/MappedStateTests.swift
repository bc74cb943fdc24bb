import FluxCore
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite struct MappedStateTests {
  /// An object with a mapped form, and with a mapped state that cannot be compared.
  @MainActor
  final class Pane {
    @MappedState var form: LoginForm
    @MappedState var any: any HasTitle
    @MappedDispatch var dispatch: ActionDispatcher
    @Dispatcher var alias: ActionDispatcher

    init(_ stores: ProvidedStores) {
      _form = MappedState(in: stores)
      _any = MappedState(in: stores)
      _dispatch = MappedDispatch(in: stores)
      _alias = MappedDispatch(in: stores)
    }
  }

  private func makePane(_ store: Store<Notebook>) -> Pane {
    Pane(ProvidedStores().providing(store.proxy(for: \.form)).providing(store))
  }

  @Test("a mapped state is up to date before a mapped dispatch returns")
  func upToDate() {
    let store = makeStore()
    let pane = makePane(store)
    pane.dispatch(BindingAction(\LoginForm.email, "a@b"))
    #expect(pane.form.email == "a@b")
    pane.alias(SetTitle(title: "a"))
    #expect(pane.any.title == "a")
    #expect(store.state == Notebook(title: "a", form: LoginForm(email: "a@b")))
  }

  @Test(
    "a reader of a mapped state is notified when it changes, or on each delivery if it cannot be compared")
  func counting() {
    let store = makeStore()
    let pane = makePane(store)
    let form = Screen { pane.form.email }
    let title = Screen { pane.any.title }
    pane.dispatch(Increment())
    #expect([form.needsToDraw, title.needsToDraw] == [false, true])
    pane.dispatch(BindingAction(\LoginForm.email, "a@b"))
    form.draw()
    #expect(form.drawn == ["", "a@b"])
    #expect(store.state.count == 1)
  }

  @Test("a mapped state that is read between two deliveries is still notified of the second one")
  func reading() {
    let store = makeStore()
    let pane = makePane(store)
    let screens = [Screen { pane.form.email }, Screen { pane.any.title }]
    store.dispatch(SetTitle(title: "a"))
    store.dispatch(BindingAction(\LoginForm.email, "a@b"))
    _ = (pane.form, pane.any)
    pane.dispatch(Nothing())
    for screen in screens { screen.draw() }
    #expect(screens.map(\.drawn) == [["", "a@b"], ["", "a"]])
  }

  @Test("a mapped state keeps its value after the store is released")
  func storeGone() {
    var store: Store<Notebook>? = makeStore()
    let pane = store.map(makePane)
    #expect(pane?.form.email == "")
    pane?.dispatch(BindingAction(\LoginForm.email, "a@b"))
    #expect(pane?.form.email == "a@b")
    store = nil
    #expect(pane?.form.email == "a@b")
  }
}
