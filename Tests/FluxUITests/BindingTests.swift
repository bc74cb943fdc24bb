import FluxCore
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite struct BindingTests {
  struct Props: Equatable {
    @ActionBinding var title: String
    @ActionBinding var onReset: () -> Void
  }

  private func connect(to store: Store<Notebook>) -> Connection<Props> {
    Connection(to: store) { state, binder in
      Props(
        title: binder.bind(state.title) { SetTitle(title: $0) }, onReset: binder.bind(SetTitle(title: "")))
    }
  }

  /// A field of a view layer: it writes to the binding with which it was drawn, and reads it
  /// immediately afterwards.
  private func type(
    _ text: String, into binding: @autoclosure () -> ActionBinding<String>?, drawnAgain: Bool
  ) -> [String?] {
    let drawn = binding()
    var typed = ""
    return text.map { letter in
      typed.append(letter)
      let field = drawnAgain ? binding() : drawn
      field?.wrappedValue = typed
      return field?.current
    }
  }

  @Test(
    "a text field never lags behind fast typing, whether or not it is drawn again", arguments: [true, false])
  func typing(drawnAgain: Bool) {
    let store = makeStore()
    let field = Connection(to: store) { state, binder in
      binder.bind(state.title) { SetTitle(title: $0) }
    }
    let shown = type("playtime", into: field.props, drawnAgain: drawnAgain)
    #expect(shown == ["p", "pl", "pla", "play", "playt", "playti", "playtim", "playtime"])
    #expect(field.props?.wrappedValue == "playtime")
  }

  @Test(
    "a text field never lags while other threads dispatch to plug-ins, and no shown value goes back"
  )
  func typingAmongThreads() {
    let heard = Shared(0)
    let store = makeStore(plugins: [Plugin(onTransition: .actions { _, _ in heard.increment() })])
    let field = Connection(to: store) { state, binder in
      binder.bind(state.title) { SetTitle(title: $0) }
    }
    let counts = Connection(to: store) { state in state.count }
    let count = Screen { counts.props ?? -1 }
    let workers = (0..<2).map { _ in Worker { for _ in 0..<2_000 { store.dispatch(Increment()) } } }
    var typed = ""
    for letter in String(repeating: "abcdefgh", count: 50) {
      typed.append(letter)
      let binding = field.props
      binding?.wrappedValue = typed
      #expect(binding?.current == typed)
      #expect(field.props?.wrappedValue == typed)
      count.draw()
    }
    for worker in workers { worker.join() }
    counts.dispatch(Nothing())
    count.draw()
    #expect(zip(count.drawn, count.drawn.dropFirst()).allSatisfy { $0 < $1 })
    #expect(count.drawn.last == 4_000)
    #expect(heard.value == 4_401)
  }

  @Test("a text field immediately shows the reducer's version of the typed text")
  func reducerDecides() {
    let store = Store<Notebook>(
      reducer: on(SetTitle.self) { state, action in state.title = String(action.title.uppercased().prefix(3))
      },
      state: Notebook())
    let field = Connection(to: store) { state, binder in
      binder.bind(state.title) { SetTitle(title: $0) }
    }
    let binding = field.props
    binding?.wrappedValue = "abcd"
    #expect(binding?.current == "ABC")
    #expect(binding?.wrappedValue == "", "it is a snapshot")
    #expect(field.props?.wrappedValue == "ABC")
  }

  @Test(
    "setting a property of the props dispatches, and the connection's props are updated before that returns")
  func setting() {
    let store = makeStore()
    let connection = connect(to: store)
    let props = connection.props
    props?.title = "a"
    #expect(connection.props?.title == "a")
    #expect(props?.title == "")
    connection.props?.onReset()
    #expect(connection.props?.title == "")
    #expect(store.state == Notebook())
  }

  @Test("props with bindings are equal if their values are equal, whatever the bindings dispatch")
  func equality() {
    let store = makeStore(state: Notebook(title: "a"))
    let other = makeStore(state: Notebook(title: "a"))
    #expect(connect(to: store).props == connect(to: other).props)
    other.dispatch(SetTitle(title: "b"))
    #expect(connect(to: store).props != connect(to: other).props)
  }

  @Test("an observer of the props is notified when a value has changed, and of no other changes")
  func counting() {
    let store = makeStore()
    let connection = connect(to: store)
    let screen = Screen { connection.props?.title }
    connection.dispatch(Increment())
    #expect(!screen.needsToDraw)
    connection.props?.title = "a"
    screen.draw()
    #expect(screen.drawn == ["", "a"])
    #expect(store.state == Notebook(title: "a", count: 1))
  }

  @Test("shown props that are still equal use the values that newer closures have captured")
  func captured() {
    let store = makeStore()
    let sent = Recorder<Int>()
    let connection = Connection(to: store) { state, binder in
      binder.bind {
        sent.record(state.count)
        return Increment()
      }
    }
    let screen = Screen { connection.props }
    let shown = connection.props
    for _ in 0..<3 { shown?.wrappedValue() }
    #expect(sent.values == [0, 1, 2])
    #expect(!screen.needsToDraw)
  }

  @Test("shown props that are no longer equal keep their behavior until they are drawn again")
  func capturedByOthers() {
    let store = makeStore(state: Notebook(notes: ["1": Note(), "2": Note()]))
    struct Row: Equatable {
      let id: String
      @ActionBinding var onDelete: () -> Void
    }
    let connection = Connection(to: store) { state, binder in
      state.notes.keys.sorted().map { id in Row(id: id, onDelete: binder.bind(SetNote(id: id, note: nil))) }
    }
    let shown = connection.props
    shown?[0].onDelete()
    #expect(connection.props?.map(\.id) == ["2"])
    shown?[0].onDelete()
    #expect(connection.props?.map(\.id) == ["2"])
  }

  @Test("shown props that are still equal use the bindings that the mapping now creates, in any order")
  func chosen() {
    struct Buttons: Equatable {
      @ActionBinding var first: () -> Void
      @ActionBinding var second: () -> Void
      @ActionBinding var choice: () -> Void
    }
    let store = makeStore()
    let connection = Connection(to: store) { state, binder -> Buttons in
      let toggle =
        state.count.isMultiple(of: 2)
        ? binder.bind(SetTitle(title: "even")) : binder.bind(SetTitle(title: "odd"))
      @MainActor func first() -> ActionBinding<() -> Void> {
        binder.bind(SetTitle(title: "first \(state.count)"))
      }
      @MainActor func second() -> ActionBinding<() -> Void> {
        binder.bind(SetTitle(title: "second \(state.count)"))
      }
      if state.count == 0 { return Buttons(first: first(), second: second(), choice: toggle) }
      let last = second()
      return Buttons(first: first(), second: last, choice: toggle)
    }
    let shown = connection.props
    let screen = Screen { connection.props }
    connection.dispatch(Increment())
    #expect(!screen.needsToDraw)
    var titles: [String] = []
    for press in [shown?.first, shown?.second, shown?.choice] {
      press?()
      titles.append(store.state.title)
    }
    #expect(titles == ["first 1", "second 1", "odd"])
  }

  @Test("a value that is read back never belongs to another row, even after rows are removed")
  func rowsThatGo() {
    let store = makeStore(state: Notebook(notes: ["1": Note(text: "milk"), "2": Note(text: "bread")]))
    let rows = Connection(to: store) { state, binder in
      state.notes.keys.sorted().map { id in
        binder.bind(state.notes[id]?.text ?? "") { SetNote(id: id, note: Note(text: $0)) }
      }
    }
    let first = rows.props?.first
    rows.dispatch(SetNote(id: "1", note: nil))
    #expect(rows.props?.first?.wrappedValue == "bread")
    #expect(first?.current == "milk")
  }

  @Test("a value is read back from the same binding of newer props, or else from the old props")
  func placesThatMove() {
    let store = makeStore()
    let connection = Connection(to: store) { state, binder in
      state.count == 0
        ? [binder.bind(state.title) { SetTitle(title: $0) }]
        : [
          binder.bind("other") { SetTitle(title: $0) },
          binder.bind(state.title) { SetTitle(title: $0) },
        ]
    }
    let first = connection.props?.first
    first?.wrappedValue = "a"
    #expect(first?.current == "a")
    let second = connection.props?.first
    connection.dispatch(Increment())
    #expect(second?.current == "a")
    let third = connection.props?.last
    third?.wrappedValue = "b"
    #expect(third?.current == "b")
  }

  @Test("a binding that returns no action dispatches nothing")
  func noAction() {
    let passed = Shared(0)
    let counting: Middleware<Notebook> = { _, _ in { _ in { _ in passed.increment() } } }
    let store = makeStore(middleware: [counting])
    let binder = ActionBinder(ActionDispatcher(store))
    binder.bind("a") { _ in nil }.wrappedValue = "b"
    binder.bind { nil }.wrappedValue()
    #expect(passed.value == 0)
    binder.bind("a") { SetTitle(title: $0) }.wrappedValue = "b"
    #expect(passed.value == 1)
    #expect(store.state == Notebook(), "the middleware has passed nothing on")
  }

  @Test("a constant binding keeps its value, for previews and tests")
  func constant() {
    let constant = ActionBinding.constant("a")
    constant.wrappedValue = "b"
    #expect(constant.wrappedValue == "a")
    #expect(constant.current == "a")
    #expect(constant == .constant("a"))
    #expect(constant != .constant("b"))
  }

  @Test("a field can be bound without a separate action")
  func fields() {
    let store = makeStore()
    let form = Connection(to: store) { state, binder in
      [binder.bind(\.email, of: state.form), binder.bind(\.address.city, of: state.form)]
    }
    form.props?[0].wrappedValue = "a@b"
    form.props?[1].wrappedValue = "Paris"
    #expect(store.state.form == LoginForm(email: "a@b", address: Address(city: "Paris")))
    #expect(form.props?.map(\.wrappedValue) == ["a@b", "Paris"])
  }
}
