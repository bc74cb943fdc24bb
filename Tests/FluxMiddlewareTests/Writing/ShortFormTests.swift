import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("The short forms of middleware")
struct ShortFormTests {
  private let heard = Recorder<String>()

  // MARK: Observing

  @Test("an observer of actions is called with every action after it has been reduced")
  func observing() {
    let store = makeStore(
      observeActions { [heard] store, action in
        heard.record("\(type(of: action)) at \(store.state?.sum ?? -1)")
      })
    store.dispatch(Add(amount: 2))
    store.dispatch(Unhandled())
    #expect(heard.values == ["Add at 2", "Unhandled at 2"])
  }

  @Test("an observer of one type is called with actions of exactly that type, as values of the type")
  func observingType() {
    let store = makeStore(
      observeActions(of: Add.self) { [heard] store, add in
        heard.record("+\(add.amount) is \(store.state?.sum ?? -1)")
      })
    store.dispatch(Add(amount: 2))
    store.dispatch(Note(text: "no"))
    store.dispatch(Add(amount: 3))
    #expect(heard.values == ["+2 is 2", "+3 is 5"])
    #expect(store.state.log == ["no"])
  }

  @Test("an observer of actions may dispatch")
  func observingAndDispatching() {
    let store = makeStore(
      observeActions(of: Add.self) { store, add in
        if add.amount > 0 { store.dispatch(Add(amount: add.amount - 1)) }
      })
    store.dispatch(Add(amount: 3))
    #expect(store.state.sum == 6)
  }

  // MARK: Transforming

  @Test("the action that a transforming closure returns is passed on, and nothing is if it returns nil")
  func transforming() {
    let store = makeStore(
      transformActions { store, action in
        switch action {
        case let add as Add: store.state?.log.isEmpty == true ? Add(amount: 10 * add.amount) : nil
        default: action
        }
      })
    store.dispatch(Add(amount: 2))
    store.dispatch(Note(text: "closed"))
    store.dispatch(Add(amount: 2))
    #expect(store.state == Tally(sum: 20, log: ["closed"]))
  }

  @Test("actions of one type are transformed or blocked, and all others pass unchanged")
  func transformingType() {
    let store = makeStore(
      transformActions(of: Note.self) { _, note in
        note.text.isEmpty ? nil : Note(text: note.text.uppercased())
      }
    )
    store.dispatch(Note(text: "a"))
    store.dispatch(Note(text: ""))
    store.dispatch(Add())
    #expect(store.state == Tally(sum: 1, log: ["A"]))
  }

  @Test("an action can be replaced by an action of another type")
  func transformingIntoAnother() {
    let store = makeStore(transformActions(of: Add.self) { _, add in Note(text: "\(add.amount)") })
    store.dispatch(Add(amount: 7))
    #expect(store.state == Tally(sum: 0, log: ["7"]))
  }

  // MARK: Intercepting

  @Test("an intercepting closure may call next any number of times, now or later")
  func intercepting() {
    let later = Recorder<@Sendable () -> Void>()
    let store = makeStore(
      interceptActions { _, action, next in
        next(action)
        next(action)
        later.record { next(action) }
      })
    store.dispatch(Add())
    #expect(store.state.sum == 2)
    for call in later.values { call() }
    #expect(store.state.sum == 3)
  }

  @Test("a closure that intercepts one type receives no other type")
  func interceptingType() {
    let held = Recorder<Add>()
    let store = makeStore(interceptActions(of: Add.self) { _, add, _ in held.record(add) })
    store.dispatch(Add(amount: 4))
    store.dispatch(Note(text: "passes"))
    #expect(held.values == [Add(amount: 4)])
    #expect(store.state == Tally(sum: 0, log: ["passes"]))
  }

  // MARK: Exact types

  @Test("an object is matched by its own class, even if it is dispatched as another class")
  func classes() {
    let store = makeStore(
      observeActions(of: Thing.self) { [heard] _, _ in heard.record("thing") },
      observeActions(of: SpecialThing.self) { [heard] _, _ in heard.record("special") })
    let disguised: Thing = SpecialThing()
    store.dispatch(Thing())
    store.dispatch(SpecialThing())
    store.dispatch(disguised)
    #expect(heard.values == ["thing", "special", "special"])
  }

  // MARK: The end

  @Test("after the release of the store, the context has no state and dispatches nothing")
  func end() {
    let kept = Recorder<MiddlewareContext<Tally>>()
    var store: Store<Tally>? = makeStore(observeActions { context, _ in kept.record(context) })
    store?.dispatch(Add())
    #expect(kept.values.first?.state?.sum == 1)
    store = nil
    #expect(kept.values.first?.state == nil)
    kept.values.first?.dispatch(Add())
    #expect(kept.count == 1)
  }
}
