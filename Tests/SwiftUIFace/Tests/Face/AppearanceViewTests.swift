import FluxAsync
import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Work of visible views", .unlessItHangs) struct AppearanceViewTests {
  private let bodies = Bodies()
  private let events = EventLog<String>()

  /// A plan that adds one, waits until it is canceled, and then reports it.
  private var wait: ActionPlan<Notebook> {
    ActionPlan<Notebook> { [events] store in
      events.record("begins")
      store.dispatch(Increment())
      let never = AsyncStream<Void> { _ in }
      for await _ in never {}
      events.record("ends, cancelled: \(Task.isCancelled)")
    }
  }

  private func show(_ store: Store<Notebook>, cancelOnDisappear: Bool = true) -> Screen {
    Screen {
      Parent(bodies) { [wait] number in
        if number != 2 {
          CountView(bodies: bodies).onAppear(dispatch: wait, cancelOnDisappear: cancelOnDisappear)
        }
      }
      .provideStore(store)
    }
  }

  @Test("an action is dispatched when the view appears, and its change is shown")
  func appearing() {
    let store = makeStore()
    let screen = Screen {
      CountView(bodies: bodies).onAppear(dispatch: Increment(amount: 5)).provideStore(store)
    }
    #expect(screen.text == ["5"])
    ActionDispatcher(store)(Increment())
    screen.update()
    #expect(screen.text == ["6"], "to be drawn again is not to appear")
  }

  @Test("the work is canceled when the view disappears, and starts again when the view appears again")
  func disappearing() async {
    let store = makeStore()
    let screen = show(store)
    await events.count(atLeast: 1)
    screen.press("next")
    #expect(screen.text == ["next"])
    await events.count(atLeast: 2)
    screen.press("next")
    await events.count(atLeast: 3)
    screen.close()
    await events.count(atLeast: 4)
    let turn = ["begins", "ends, cancelled: true"]
    #expect(events.values == turn + turn)
  }

  @Test("a view that is drawn again keeps its work, which ends when the view shows nothing anymore")
  func drawnAgain() async {
    let store = makeStore(state: Notebook(notes: ["1": Note(text: "milk")]))
    let screen = Screen {
      Parent(bodies) { [wait] number in
        Text("\(number)")
        NoteView(bodies: bodies, id: "1").onAppear(dispatch: wait)
      }
      .provideStore(store)
    }
    await events.count(atLeast: 1)
    screen.press("next")
    ActionDispatcher(store)(SetNote(id: "1", note: Note(text: "bread")))
    screen.update()
    #expect(screen.text == ["next", "2", "bread"])
    let fence = store.dispatchAsync(ActionPlan<Notebook> { [events] _ async in events.record("fence") })
    await fence.finished()
    #expect(events.values == ["begins", "fence"])
    ActionDispatcher(store)(SetNote(id: "1", note: nil))
    screen.update()
    await events.count(atLeast: 3)
    #expect(events.values == ["begins", "fence", "ends, cancelled: true"])
    screen.close()
  }

  @Test("work that is not canceled on disappearing continues after the view has disappeared")
  func goingOn() async {
    let store = makeStore()
    let screen = show(store, cancelOnDisappear: false)
    await events.count(atLeast: 1)
    screen.press("next")
    let other = Screen { CountView(bodies: bodies).onAppear(dispatch: wait).provideStore(store) }
    await events.count(atLeast: 2)
    other.close()
    await events.count(atLeast: 3)
    #expect(events.values == ["begins", "begins", "ends, cancelled: true"])
  }

  @Test("work that is bound to a view is canceled when the screen is released")
  func dropping() async {
    let store = makeStore()
    var screen: Screen? = show(store)
    await events.count(atLeast: 1)
    #expect(screen?.text.first == "next")
    screen = nil
    await events.count(atLeast: 2)
    #expect(events.values.last == "ends, cancelled: true")
  }

  @Test("a view that shows nothing does not appear until it shows something")
  func nothing() {
    let store = makeStore()
    let screen = Screen {
      NoteView(bodies: bodies, id: "1").onAppear(dispatch: Increment()).provideStore(store)
    }
    #expect(store.state.count == 0)
    ActionDispatcher(store)(SetNote(id: "1", note: Note(text: "milk")))
    screen.update()
    #expect(store.state.count == 1)
  }

  @Test("an action that is dispatched when a view appears passes through the closures around the view")
  func onAction() {
    let store = makeStore()
    let screen = Screen {
      CountView(bodies: bodies)
        .onAppear(dispatch: Nothing())
        .onAction { action in action is Nothing ? Increment() : action }
        .provideStore(store)
    }
    #expect(screen.text == ["1"])
  }
}
