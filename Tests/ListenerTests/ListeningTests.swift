import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Starting and stopping listeners", .unlessItHangs)
struct ListeningTests {
  private let scene = Scene()
  private var listeners: Listeners<Count> { scene.listeners }
  private var store: Store<Count> { scene.store }
  private var journal: Journal { scene.journal }

  /// A listener for `Note` that records the text.
  private func noting(taking: ListenerTaking = .every) -> Listener<Count> {
    Listener(of: Note.self, taking: taking) { [journal] note, _ in journal.note(note.text) }
  }

  @Test("without listeners, actions pass and are reduced")
  func noListeners() async {
    await scene.settle(Add())
    #expect(store.state.count == 1)
    #expect(scene.reduced.values == ["Add"])
  }

  @Test("a listener for a type receives each action of that type, and no other")
  func byType() async {
    listeners.start(noting())
    await scene.settle(Note(text: "a"))
    await scene.settle(Other())
    await scene.settle(Note(text: "c"))
    #expect(journal.entries == ["a", "c"])
  }

  @Test("an action that a listener receives is reduced once, as usual")
  func reduced() async {
    listeners.start(noting())
    await scene.settle(Note(text: "a"))
    #expect(scene.reduced.values == ["Note"])
  }

  @Test("a listener for a type does not receive actions of its subclasses")
  func exactType() async {
    class Base: Action, @unchecked Sendable {}
    final class Derived: Base, @unchecked Sendable {}
    listeners.start(of: Base.self) { [journal] action, _ in journal.note("\(type(of: action))") }
    await scene.settle(Derived())
    await scene.settle(Base())
    #expect(journal.entries == ["Base"])
  }

  @Test("a listener for several types receives each action once, even if a type is listed twice")
  func byTypes() async {
    let started = listeners.start(of: [Add.self, Note.self, Add.self]) { [journal] action, _ in
      journal.note("\(type(of: action))")
    }
    for action in [Add(), Note(), Other()] as [any Action] { await scene.settle(action) }
    #expect(journal.entries == ["Add", "Note"])
    started.stop()
    await scene.settle(Note())
    #expect(journal.entries == ["Add", "Note"])
  }

  @Test("a listener for no types receives nothing")
  func noTypes() async {
    listeners.start(of: []) { [journal] action, _ in journal.note("heard") }
    await scene.settle(Add())
    #expect(journal.entries == [])
  }

  @Test("a predicate receives the action, and the states after and before it")
  func byPredicate() async {
    listeners.start(when: { _, current, _ in current.count > 1 }) { [journal] _, _ in journal.note("first") }
    listeners.start(when: { _, current, previous in current.count > 1 && previous.count % 2 == 0 }) {
      [journal] _, _ in journal.note("second")
    }
    listeners.start(when: { action, _, _ in action is Note }) { [journal] _, _ in journal.note("third") }
    for _ in 1...4 { await scene.settle(Add()) }
    #expect(journal.count(of: "first") == 3)
    #expect(journal.count(of: "second") == 1)
    #expect(journal.count(of: "third") == 0)
  }

  @Test("predicates are called in the order in which listeners were started, also among listeners for types")
  func order() async {
    for name in ["a", "b", "c"] {
      listeners.start(when: { [journal] _, _, _ in
        journal.note(name)
        return false
      }) { _, _ in }
      listeners.start(noting())
    }
    await scene.settle(Other())
    #expect(journal.entries == ["a", "b", "c"])
  }

  @Test("a listener that is started twice runs once")
  func startedTwice() async {
    let listener = noting()
    listeners.start(listener)
    let again = listeners.start(listener)
    await scene.settle(Note(text: "a"))
    await scene.settle(Other())
    await scene.settle(Note(text: "c"))
    #expect(journal.entries == ["a", "c"])
    #expect(again.stop())
    await scene.settle(Note(text: "d"))
    #expect(journal.entries == ["a", "c"])
  }

  @Test("two listeners with the same effect are different")
  func sameEffect() async {
    let effect: @Sendable (any Action, ListenerContext<Count>) async throws -> Void = { [journal] action, _ in
      journal.note("\(type(of: action))")
    }
    listeners.start(of: [Note.self], effect: effect)
    listeners.start(of: [Add.self], effect: effect)
    listeners.start(of: [Add.self], effect: effect)
    await scene.settle(Note())
    await scene.settle(Add())
    #expect(journal.entries == ["Note", "Add", "Add"])
  }

  @Test("one listener value may listen in several stores")
  func severalStores() async {
    let other = Scene()
    let listener = noting()
    listeners.start(listener)
    other.listeners.start(listener)
    listeners.stop(listener.id)
    await scene.settle(Note(text: "here"))
    await other.settle(Note(text: "there"))
    #expect(journal.entries == ["there"])
  }

  enum Way: String, CaseIterable { case type, types, predicate }

  @Test("a stopped listener receives nothing more, whatever its condition", arguments: Way.allCases)
  func stop(_ way: Way) async {
    let listener =
      switch way {
      case .type: noting()
      case .types: Listener<Count>(of: [Note.self, Add.self]) { [journal] _, _ in journal.note("a") }
      case .predicate: Listener<Count>(when: { _, _, _ in true }) { [journal] _, _ in journal.note("a") }
      }
    let started = listeners.start(listener)
    await scene.settle(Note(text: "a"))
    #expect(started.isListening)
    #expect(started.stop())
    #expect(!started.isListening)
    await scene.settle(Note(text: "b"))
    #expect(journal.entries == ["a"])
  }

  @Test("stopping returns whether a listener was stopped")
  func stopTells() {
    let listener = noting()
    #expect(!listeners.stop(listener.id))
    listeners.start(listener)
    #expect(!listeners.stop(noting().id))
    #expect(listeners.stop(listener.id))
    #expect(!listeners.stop(listener.id))
  }

  @Test("a stopped listener may be started again")
  func startAgain() async {
    let listener = noting()
    listeners.start(listener).stop()
    listeners.start(listener)
    await scene.settle(Note(text: "a"))
    #expect(journal.entries == ["a"])
  }

  @Test("stopping is final: a listener that an earlier predicate stops does not receive that action")
  func stopMeanwhile() async {
    let last = noting()
    listeners.start(when: { [listeners] _, _, _ in
      listeners.stop(last.id)
      return false
    }) { _, _ in }
    listeners.start(last)
    await scene.settle(Note(text: "a"))
    #expect(journal.entries == [])
  }

  @Test("a listener that is started during a delivery receives the next action")
  func startMeanwhile() async {
    let late = noting()
    listeners.start(when: { [listeners] _, _, _ in
      listeners.start(late)
      return false
    }) { _, _ in }
    await scene.settle(Note(text: "a"))
    await scene.settle(Note(text: "b"))
    #expect(journal.entries == ["b"])
  }

  @Test("listeners may be started before the store exists")
  func beforeStore() async {
    let listeners = Listeners<Count>()
    listeners.start(noting())
    let store = makeStore(plugins: [listeners.plugin])
    await store.dispatchAsync(Note(text: "a")).finished()
    #expect(journal.entries == ["a"])
  }

  // MARK: By actions

  @Test("an action starts a listener, and another action stops it")
  func byAction() async {
    let listener = noting()
    store.dispatch(ListenerAction.start(listener))
    await scene.settle(Note(text: "a"))
    store.dispatch(ListenerAction<Count>.stop(listener.id))
    await scene.settle(Note(text: "b"))
    #expect(journal.entries == ["a"])
  }

  @Test("a listener that an action started twice is stopped by one action")
  func byActionTwice() async {
    let listener = noting()
    store.dispatch(ListenerAction.start(listener))
    store.dispatch(ListenerAction.start(listener))
    await scene.settle(Note(text: "a"))
    #expect(listeners.isListening(listener.id))
    #expect(listeners.stop(listener.id))
    await scene.settle(Note(text: "b"))
    #expect(journal.entries == ["a"])
  }

  @Test("actions for the listeners do not reach the reducer")
  func notReduced() {
    let listener = noting()
    store.dispatch(Add())
    store.dispatch(ListenerAction.start(listener))
    store.dispatch(ListenerAction<Count>.stop(listener.id))
    store.dispatch(ListenerAction<Count>.clear)
    store.dispatch(Other())
    #expect(scene.reduced.values == ["Add", "Other"])
  }

  @Test("listeners of a part receive every action, with the states of the part")
  func lifted() async {
    struct Whole: FluxState { var part = Count() }
    let listeners = Listeners<Count>()
    let store = Store<Whole>(
      reducer: { (state: inout Whole, action: any Action) in if action is Add { state.part.count += 1 } },
      plugins: [lift(listeners.plugin, to: \.part)], state: Whole())
    listeners.start(of: Add.self) { [journal] _, listener in
      journal.note("\(listener.originalState.count) then \(listener.state?.count ?? -1)")
      journal.note("has store: \(listener.store != nil)")
    }
    await store.dispatchAsync(Add()).finished()
    #expect(journal.entries == ["0 then 1", "has store: false"])
  }

  @Test("the description of a listener action contains the operation, without the listener")
  func described() {
    let listener = noting()
    #expect("\(ListenerAction.start(listener))" == "ListenerAction.start")
    #expect("\(ListenerAction<Count>.stop(listener.id))" == "ListenerAction.stop")
    #expect(
      "\(ListenerAction<Count>.stop(listener.id, cancellingActive: true))"
        == "ListenerAction.stop(cancellingActive)")
    #expect("\(ListenerAction<Count>.clear)" == "ListenerAction.clear")
  }
}
