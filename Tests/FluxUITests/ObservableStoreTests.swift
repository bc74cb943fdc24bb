import FluxCore
import FluxUI
import TestSupport
import Testing

/// A state with a property that cannot be compared.
private struct Drawing: FluxState {
  struct Line: Sendable { var length = 0 }
  var line = Line()
  var name = ""
}

private struct Rename: Action {
  var name: String
}

/// A key whose release can be observed.
private struct TrackedKey: Hashable {
  let id: String
  let tracked: LifetimeTracker.Tracked

  static func == (left: TrackedKey, right: TrackedKey) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Notebook {
  fileprivate subscript(_ key: TrackedKey) -> Note? { notes[key.id] }
}

@MainActor
@Suite struct ObservableStoreTests {
  @Test("a reader of one property is notified when that property has changed, and of no other")
  func propertyByProperty() {
    let store = ObservableStore(makeStore())
    let title = Screen { store.title }
    let count = Screen { store.count }
    let both = Screen { "\(store.title) \(store.count)" }
    let actions: [any Action] = [
      SetTitle(title: "a"), Increment(), Nothing(), SetTitle(title: "a"), Increment(),
    ]
    for action in actions {
      store.dispatch(action)
      title.draw()
      count.draw()
      both.draw()
    }
    #expect(title.drawn == ["", "a"])
    #expect(count.drawn == [0, 1, 2])
    #expect(both.drawn == [" 0", "a 0", "a 1", "a 2"])
  }

  @Test("all readers of one property are notified")
  func readers() {
    let store = ObservableStore(makeStore())
    let screens = (0..<3).map { _ in Screen { store.count } }
    store.dispatch(Increment())
    #expect(screens.map(\.needsToDraw) == [true, true, true])
    screens[0].draw()
    store.dispatch(Increment())
    for screen in screens { screen.draw() }
    #expect(screens.map(\.drawn) == [[0, 1, 2], [0, 2], [0, 2]])
  }

  @Test("a nested property is notified of any change of the outer property, a key path only of its own value")
  func keyPaths() {
    let store = ObservableStore(makeStore())
    let outer = Screen { store.form.email }
    let inner = Screen { store[\.form.email] }
    let city = Screen { store[\.form.address.city] }
    store.dispatch(BindingAction(\LoginForm.remember, true))
    #expect([outer.needsToDraw, inner.needsToDraw, city.needsToDraw] == [true, false, false])
    store.dispatch(BindingAction(\LoginForm.address.city, "Paris"))
    #expect([inner.needsToDraw, city.needsToDraw] == [false, true])
  }

  @Test("each element is a separate property with its own notifications")
  func elements() {
    let store = ObservableStore(makeStore(state: Notebook(notes: ["1": Note(), "2": Note()])))
    let screens = ["1", "2", "3"].map { id in Screen { store[\.notes[id]] } }
    store.dispatch(SetNote(id: "2", note: Note(text: "milk")))
    #expect(screens.map(\.needsToDraw) == [false, true, false])
    store.dispatch(SetNote(id: "3", note: Note()))
    #expect(screens.map(\.needsToDraw) == [false, true, true])
  }

  @Test("the whole state, and a property that cannot be compared, change with each delivery")
  func notComparable() {
    let rename = on(Rename.self) { (state: inout Drawing, action) in state.name = action.name }
    let store = ObservableStore(Store(reducer: rename, state: Drawing()))
    let whole = Screen { store.state }
    let line = Screen { store.line.length }
    let name = Screen { store.name }
    store.dispatch(Rename(name: ""))
    #expect([whole.needsToDraw, line.needsToDraw, name.needsToDraw] == [true, true, false])
  }

  @Test("all readers receive the same state, which was delivered last, whatever has been reduced since")
  func oneState() {
    let store = makeStore()
    let observable = ObservableStore(store)
    let early = Screen { observable.count }
    store.dispatch(Increment())
    let late = Screen { observable.count }
    store.dispatch(Increment(amount: -1))
    observable.dispatch(Nothing())
    #expect(![early.needsToDraw, late.needsToDraw].contains(true))
    #expect(early.drawn + late.drawn == [0, 0])
    #expect(observable.state == store.state)
  }

  @Test("actions of other threads are shown on the main actor")
  func otherThreads() async {
    let store = makeStore()
    let observable = ObservableStore(store)
    let fence = Inbox<Int>()
    let token = store.subscribe(to: \.count, onMain: { fence.receive($0) })
    onAnotherThread { for _ in 0..<20 { store.dispatch(Increment()) } }
    await fence.wait { $0 == 20 }
    #expect(observable.count == 20)
    token.cancel()
  }

  @Test(
    "while another thread notifies plug-ins, a dispatch through it is shown before the dispatch returns")
  func plugins() {
    let telling = HeldTelling()
    let store = makeStore(plugins: [telling.plugin])
    let observable = ObservableStore(store)
    let worker = telling.hold { store.dispatch(Increment()) }
    observable.dispatch(SetTitle(title: "a"))
    #expect(observable.title == "a")
    telling.release(worker)
  }

  @Test("a property is bound to the action that changes it, either a separate one or one for all fields")
  func bindings() {
    let rename = combine(
      BindingAction<Notebook>.reducer, on(SetTitle.self) { state, action in state.title = action.title })
    let store = ObservableStore(Store(reducer: rename, state: Notebook()))
    let title = store.binding(\.title) { SetTitle(title: $0) }
    let city = store.binding(\.form.address.city)
    title.wrappedValue = "a"
    city.wrappedValue = "Paris"
    #expect([title.current, city.current] == ["a", "Paris"])
    #expect(store.state == Notebook(title: "a", form: LoginForm(address: Address(city: "Paris"))))
  }

  @Test("an observable store keeps its store alive, and nothing keeps the observable store alive")
  func lifetime() {
    var store: Store<Notebook>? = makeStore()
    let releasedStore = WeakReference(store)
    var observable = store.map { ObservableStore($0) }
    let released = WeakReference(observable)
    store = nil
    observable?.dispatch(Increment())
    #expect(observable?.count == 1)
    observable = nil
    #expect(released.object == nil)
    #expect(releasedStore.object == nil)
  }

  @Test("a property that has changed is not tracked until it is read again")
  func forgetting() {
    let tracker = LifetimeTracker()
    let store = ObservableStore(makeStore())
    var screen: Screen<Note?>?
    do {
      let key = TrackedKey(id: "1", tracked: tracker.make())
      screen = Screen { [store] in store[\.[key]] }
    }
    store.dispatch(Increment())
    #expect(screen?.needsToDraw == false)
    screen = nil
    #expect(tracker.alive == 1)
    store.dispatch(SetNote(id: "1", note: Note()))
    #expect(tracker.alive == 0)
  }

  @Test(
    "an observable proxy keeps no store alive, keeps its last state, and needs a store when it is made")
  func proxies() {
    var store: Store<Notebook>? = makeStore(state: Notebook(title: "a"))
    let proxy = store?.proxy(for: \.form)
    let form = proxy.flatMap { ObservableStore($0) }
    form?.dispatch(BindingAction(\LoginForm.email, "a@b"))
    #expect(form?.email == "a@b")
    store = nil
    form?.dispatch(BindingAction(\LoginForm.email, "c@d"))
    #expect(form?.email == "a@b")
    #expect(proxy.flatMap { ObservableStore($0) } == nil)
  }
}
