import FluxCore
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite struct ViewMappingTests {
  /// SwiftDux's form, without bindings.
  struct NoteView: ConnectableMapping {
    var id: String

    func map(state: Notebook) -> Note? {
      state.notes[id]
    }
  }

  /// SwiftDux's form, with bindings.
  struct FormView: ConnectableMapping {
    struct Props: Equatable {
      @ActionBinding var email: String
      @ActionBinding var onSubmit: () -> Void
    }

    func map(state: LoginForm, binder: ActionBinder) -> Props? {
      Props(
        email: binder.bind(state.email) { BindingAction(\LoginForm.email, $0) },
        onSubmit: binder.bind(SetTitle(title: "submitted")))
    }
  }

  /// SwiftUIFlux's form, with props that cannot be compared.
  struct CounterView: ConnectedMapping {
    struct Props {
      let count: Int
      let increment: () -> Void
    }

    let factor: Int

    func map(state: Notebook, dispatch: @escaping DispatchFunction) -> Props {
      Props(count: state.count * factor) { dispatch(Increment()) }
    }
  }

  /// SwiftUIFlux's form, with props that can be compared.
  struct TitleView: ConnectedMapping {
    struct Props: Equatable {
      let title: String
    }

    func map(state: any HasTitle, dispatch: @escaping DispatchFunction) -> Props {
      Props(title: state.title)
    }
  }

  @Test("a connection accepts a mapping that contains external values")
  func mapping() {
    let store = makeStore(state: Notebook(notes: ["1": Note(text: "milk")]))
    #expect(Connection(to: store, mapping: NoteView(id: "1")).props == Note(text: "milk"))
    #expect(Connection(to: store, mapping: NoteView(id: "2")).props == nil)
    #expect(Connection(to: store, mapping: CounterView(factor: 2)).props?.count == 0)
  }

  @Test("a view that is created again is mapped with its new external values, and notified of their changes")
  func externalValues() {
    let store = makeStore(state: Notebook(notes: ["1": Note(text: "milk"), "2": Note(text: "bread")]))
    let stores = ProvidedStores().providing(store)
    let connection = ViewConnection<Notebook, Note>()
    var id = "1"
    let screen = Screen { connection.props(of: NoteView(id: id), in: stores)?.text }
    id = "2"
    #expect(connection.props(of: NoteView(id: id), in: stores)?.text == "bread")
    #expect(!screen.needsToDraw, "who makes it anew draws it anyway")
    stores.dispatcher(SetNote(id: "1", note: nil))
    #expect(!screen.needsToDraw, "nothing is kept of the old values")
    stores.dispatcher(SetNote(id: "2", note: Note(text: "butter")))
    screen.draw()
    #expect(screen.drawn == ["milk", "butter"])
  }

  @Test(
    "a view connects to the store of its state that was provided last, and again when another is provided")
  func otherStore() {
    let stores = ["a", "b"].map { makeStore(state: Notebook(title: $0)) }
    let connection = ViewConnection<any HasTitle, TitleView.Props>()
    let titles = stores.map { connection.props(of: TitleView(), in: ProvidedStores().providing($0))?.title }
    #expect(titles == ["a", "b"])
    let screen = Screen {
      connection.props(of: TitleView(), in: ProvidedStores().providing(stores[1]))?.title
    }
    ActionDispatcher(stores[0])(SetTitle(title: "not b"))
    #expect(!screen.needsToDraw)
    connection.dispatch(SetTitle(title: "c"))
    screen.draw()
    #expect(screen.drawn == ["b", "c"])
  }

  @Test("props that are read while the view is not drawn do not affect its notifications")
  func reading() {
    let store = makeStore(state: Notebook(title: "a"))
    let stores = ProvidedStores().providing(store)
    let connection = ViewConnection<any HasTitle, TitleView.Props>()
    #expect(connection.props == nil)
    let screen = Screen { connection.props(of: TitleView(), in: stores)?.title }
    store.dispatch(SetTitle(title: "b"))
    #expect(connection.props?.title == "a")
    stores.dispatcher(Nothing())
    screen.draw()
    #expect(screen.drawn == ["a", "b"])
  }

  @Test("a view is connected once, however often it is created again")
  func connectsOnce() {
    let store = makeStore()
    let order = Recorder<String>()
    let connection = ViewConnection<Notebook, CounterView.Props>()
    let stores = ProvidedStores().providing(store)
    let screen = Screen { connection.props(of: CounterView(factor: 1), in: stores)?.count }
    let token = store.subscribe(
      initial: false,
      onMain: { _ in
        order.record(screen.needsToDraw ? "after the view" : "before the view")
      })
    for _ in 0..<3 { _ = connection.props(of: CounterView(factor: 1), in: ProvidedStores().providing(store)) }
    stores.dispatcher(Increment())
    #expect(order.values == ["after the view"])
    token.cancel()
  }

  @Test("bindings of a part of the state dispatch to the store of the part")
  func bindings() {
    let store = makeStore()
    let stores = ProvidedStores().providing(store).providing(store.proxy(for: \.form))
    let connection = ViewConnection<LoginForm, FormView.Props>()
    let props = connection.props(of: FormView(), in: stores)
    props?.email = "a@b"
    #expect(connection.props(of: FormView(), in: stores)?.email == "a@b")
    props?.onSubmit()
    #expect(store.state == Notebook(title: "submitted", form: LoginForm(email: "a@b")))
  }

  @Test("an action that a plain function dispatches is shown on the next turn of the main actor")
  func plainFunction() async {
    let store = makeStore()
    let stores = ProvidedStores().providing(store)
    let connection = ViewConnection<Notebook, CounterView.Props>()
    let screen = Screen { connection.props(of: CounterView(factor: 10), in: stores)?.count }
    let fence = Inbox<Int>()
    let token = store.subscribe(to: \.count, onMain: { fence.receive($0) })
    connection.props(of: CounterView(factor: 10), in: stores)?.increment()
    #expect(!screen.needsToDraw)
    await fence.wait { $0 == 1 }
    screen.draw()
    #expect(screen.drawn == [0, 10])
    token.cancel()
  }

  /// A view that records each run of its mapping, and whose external value can be compared.
  struct CountedView: ConnectableMapping, Equatable {
    let maps: Recorder<Int>
    let factor: Int

    func map(state: Notebook) -> Int? {
      maps.record(state.count * factor)
      return state.count * factor
    }

    static func == (left: CountedView, right: CountedView) -> Bool { left.factor == right.factor }
  }

  @Test("a mapping that equals the previous one is not run again for changes of a delivery")
  func mapsOnce() {
    let store = makeStore()
    let stores = ProvidedStores().providing(store)
    let maps = Recorder<Int>()
    let connection = ViewConnection<Notebook, Int>()
    var factor = 1
    let screen = Screen { connection.props(of: CountedView(maps: maps, factor: factor), in: stores) }
    #expect(maps.takeAll() == [0])
    for count in 1...2 {
      stores.dispatcher(Increment())
      screen.draw()
      #expect(maps.takeAll() == [count])
    }
    stores.dispatcher(Increment())
    factor = 2
    screen.draw()
    #expect(maps.takeAll() == [3, 6])
    #expect(screen.drawn == [0, 1, 2, 6])
  }

  @Test("a mapping that equals the previous one is run again for a view with other closures around it")
  func mapsForOtherClosures() {
    let store = makeStore()
    let stores = ProvidedStores().providing(store)
    let maps = Recorder<Int>()
    let connection = ViewConnection<Notebook, Int>()
    _ = connection.props(of: CountedView(maps: maps, factor: 1), in: stores)
    stores.dispatcher(Increment())
    maps.takeAll()
    _ = connection.props(of: CountedView(maps: maps, factor: 1), in: stores.onAction { $0 })
    #expect(maps.takeAll() == [1], "its bindings dispatch in another way")
  }

  @Test("a view without a store has no props until a store is provided")
  func withoutStore() {
    let store = makeStore(state: Notebook(title: "a"))
    let connection = ViewConnection<any HasTitle, TitleView.Props>()
    #expect(connection.props(of: TitleView(), in: ProvidedStores()) == nil)
    #expect(connection.props(of: TitleView(), in: ProvidedStores().providing(store))?.title == "a")
    #expect(connection.props(of: TitleView(), in: ProvidedStores()) == nil)
    #expect(connection.props == nil)
  }

  @Test("a view connection releases the view and its connections")
  func lifetime() {
    let store = makeStore()
    let tracker = LifetimeTracker()
    struct Tracking: ConnectableMapping {
      let captured: LifetimeTracker.Tracked
      func map(state: Notebook) -> Int? { state.count }
    }
    var connection: ViewConnection<Notebook, Int>? = ViewConnection()
    for _ in 0..<2 {
      _ = connection?.props(of: Tracking(captured: tracker.make()), in: ProvidedStores().providing(store))
    }
    #expect(tracker.alive == 1, "only the newest is kept")
    connection = nil
    #expect(tracker.alive == 0)
  }
}

/// A protocol to which the state of a store may conform.
protocol HasTitle: Sendable {
  var title: String { get }
}

extension Notebook: HasTitle {}
