import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Connected views", .unlessItHangs) struct ConnectedViewTests {
  private let bodies = Bodies()
  private let milk = Notebook(notes: ["1": Note(text: "milk"), "2": Note(text: "bread")])

  @Test("a body runs again when its own props have changed, and no other body does")
  func counting() {
    let store = makeStore(state: milk)
    let screen = Screen {
      VStack {
        NoteView(bodies: bodies, id: "1")
        NoteView(bodies: bodies, id: "2")
        CountView(bodies: bodies)
      }
      .provideStore(store)
    }
    #expect(screen.text == ["milk", "bread", "0"])
    #expect(bodies.takeAll() == ["note 1", "note 2", "count"])
    let dispatch = ActionDispatcher(store)
    dispatch(SetNote(id: "2", note: Note(text: "butter")))
    dispatch(SetTitle(title: "nobody shows it"))
    screen.update()
    #expect(screen.text == ["milk", "butter", "0"])
    #expect(bodies.takeAll() == ["note 2"])
    dispatch(Increment())
    dispatch(Increment())
    screen.update()
    #expect(screen.text == ["milk", "butter", "2"])
    #expect(bodies.takeAll() == ["count"], "once for all that has happened before it is drawn")
  }

  @Test("props that cannot be compared run only their own body with each delivery")
  func withoutComparison() {
    let store = makeStore(state: Notebook(title: "a"))
    let screen = Screen {
      VStack {
        TitleView(bodies: bodies)
        CountView(bodies: bodies)
      }
      .provideStore(store)
    }
    bodies.takeAll()
    ActionDispatcher(store)(Nothing())
    screen.update()
    #expect(bodies.takeAll() == ["title"])
    screen.press("clear")
    #expect(store.state.title == "")
    ActionDispatcher(store)(Nothing())
    screen.update()
    #expect(screen.text == ["", "clear", "0"])
  }

  @Test("nil props show nothing until there are props again")
  func nothing() {
    let store = makeStore()
    let screen = Screen { NoteView(bodies: bodies, id: "1").provideStore(store) }
    #expect(screen.text == [])
    #expect(bodies.count == 0)
    for text in ["milk", nil, "bread"] {
      ActionDispatcher(store)(SetNote(id: "1", note: text.map { Note(text: $0) }))
      screen.update()
      #expect(screen.text == (text.map { [$0] } ?? []))
    }
    #expect(bodies.values == ["note 1", "note 1"])
  }

  /// Subscribes after a screen, and is called before the screen only if the screen subscribes
  /// again.
  private func listen(
    to store: Store<Notebook>, beside screen: Screen
  ) -> (order: Recorder<String>, token: SubscriptionToken) {
    let order = Recorder<String>()
    let token = store.subscribe(
      initial: false,
      onMain: { _ in order.record(screen.isWaiting ? "after the view" : "before the view") })
    return (order, token)
  }

  @Test("drawing an enclosing view again keeps a connected view and its connection")
  func parentDrawnAgain() {
    let store = makeStore(state: milk)
    let screen = Screen {
      Parent(bodies) { number in
        Text("\(number)")
        NoteView(bodies: bodies, id: "1")
      }
      .provideStore(store)
    }
    let (order, token) = listen(to: store, beside: screen)
    bodies.takeAll()
    screen.press("next")
    screen.press("next")
    #expect(screen.text == ["next", "3", "milk"])
    #expect(bodies.takeAll() == ["parent", "parent"])
    ActionDispatcher(store)(SetNote(id: "1", note: Note(text: "butter")))
    screen.update()
    #expect(order.values == ["after the view"], "it has not subscribed again")
    #expect(bodies.takeAll() == ["note 1"])
    token.cancel()
  }

  @Test("another external value produces other props, and replaces the old ones on the screen")
  func externalValues() {
    let store = makeStore(state: milk)
    let screen = Screen {
      Parent(bodies) { NoteView(bodies: bodies, id: "\($0)") }.provideStore(store)
    }
    #expect(screen.text == ["next", "milk"])
    screen.press("next")
    #expect(screen.text == ["next", "bread"])
    #expect(bodies.takeAll() == ["parent", "note 1", "parent", "note 2"])
    ActionDispatcher(store)(SetNote(id: "1", note: nil))
    screen.update()
    #expect(bodies.takeAll() == [])
    screen.press("next")
    #expect(screen.text == ["next"], "there is no third note")
  }

  @Test("a view that receives other external values keeps its connection")
  func connectsOnce() {
    let store = makeStore(state: milk)
    let screen = Screen {
      Parent(bodies) { NoteView(bodies: bodies, id: "\($0)") }.provideStore(store)
    }
    let (order, token) = listen(to: store, beside: screen)
    screen.press("next")
    ActionDispatcher(store)(SetNote(id: "2", note: Note(text: "butter")))
    #expect(order.values == ["after the view"])
    token.cancel()
  }

  @Test("a view connects to another store, and receives nothing more from the previous one")
  func otherStore() {
    let stores = [makeStore(state: Notebook(count: 1)), makeStore(state: Notebook(count: 2))]
    let screen = Screen {
      Parent(bodies) { CountView(bodies: bodies).provideStore(stores[$0 - 1]) }
    }
    #expect(screen.text == ["next", "1"])
    screen.press("next")
    #expect(screen.text == ["next", "2"])
    bodies.takeAll()
    ActionDispatcher(stores[0])(Increment(amount: 10))
    screen.update()
    #expect(bodies.takeAll() == [])
    ActionDispatcher(stores[1])(Increment(amount: 10))
    screen.update()
    #expect(screen.text == ["next", "12"])
  }

  @Test("a view's own state can be an external value, too")
  func ownState() {
    struct Doubled: ConnectableView {
      @State private var factor = 1

      func map(state: Notebook) -> Int? {
        state.count * factor
      }

      func body(props: Int) -> some View {
        Text("\(props) at \(factor)")
        Button("double") { factor *= 2 }
      }
    }
    let store = makeStore(state: Notebook(count: 3))
    let screen = Screen { Doubled().provideStore(store) }
    screen.press("double")
    screen.press("double")
    ActionDispatcher(store)(Increment())
    screen.update()
    #expect(screen.text == ["16 at 4", "double"])
  }

  @Test("actions of other threads are shown on the main actor's next turn")
  func otherThreads() async {
    let store = makeStore()
    let screen = Screen { CountView(bodies: bodies).provideStore(store) }
    let fence = EventLog<Int>()
    let token = store.subscribe(to: \.count, initial: false, onMain: { fence.record($0) })
    onAnotherThread { for _ in 0..<20 { store.dispatch(Increment()) } }
    #expect(!screen.isWaiting)
    await fence.count(atLeast: 1)
    #expect(fence.values == [20])
    screen.update()
    #expect(screen.text == ["20"])
    token.cancel()
  }

  @Test("removing a view ends its connection")
  func lifetime() {
    struct Tracking: ConnectableView {
      let tracked: LifetimeTracker.Tracked

      func map(state: Notebook) -> Int? { state.count }

      func body(props: Int) -> some View { Text("\(props)") }
    }
    let store = makeStore()
    let tracker = LifetimeTracker()
    let screen = Screen {
      Parent(bodies) { number in
        if number == 1 { Tracking(tracked: tracker.make()) }
      }
      .provideStore(store)
    }
    #expect(screen.text == ["next", "0"])
    #expect(tracker.alive == 1)
    screen.press("next")
    #expect(screen.text == ["next"])
    #expect(tracker.alive == 0)
  }
}
