import Flux
import TestSupport
import Testing

@Suite("Migrating.md: ReSwift behaves differently")
struct MigratingFromReSwiftTests {
  /// A store of this package and a model of ReSwift's that append the names of actions.
  private let here = Store(reducer: reduced, state: Reduced())
  private let there = PreviousStateStore<[String]>(state: []) { names, action in
    names + [(action as? Named)?.name].compactMap(\.self)
  }

  private func dispatch(_ names: String...) {
    for name in names {
      here.dispatch(Named(name))
      there.dispatch(Named(name))
    }
  }

  @Test("A comparison that is passed as `by:` receives the last delivered value, not the previous state.")
  func comparingWithLast() {
    let subscriber = Subscriber()
    let (thereCounts, hereCounts, replacement) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    there.subscribe(subscriber, skippingRepeats: { $1.count - $0.count < 3 }) { thereCounts.record($0.count) }
    let tokens = [
      here.subscribe(to: { $0.actions.count }, by: { $1 - $0 < 3 }) { hereCounts.record($0) },
      // The replacement for `skipRepeats(_:)`, `skip(when:)`, and `only(when:)`.
      here.subscribe { old, new in
        if let old, new.actions.count - old.actions.count < 3 { return }
        replacement.record(new.actions.count)
      },
    ]
    dispatch("1", "2", "3", "4", "5", "6", "7")
    #expect(thereCounts.values == [0])
    #expect(hereCounts.values == [0, 3, 6])
    #expect(replacement.values == [0])
    withExtendedLifetime(tokens) {}
  }

  @Test("An object that subscribes twice has two subscriptions.")
  func twice() {
    let subscriber = Subscriber()
    let (thereCounts, hereCounts) = (Recorder<Int>(), Recorder<Int>())
    for _ in 1...2 {
      there.subscribe(subscriber) { thereCounts.record($0.count) }
      here.subscribe(owner: subscriber, initial: false) { _, state in hereCounts.record(state.actions.count) }
    }
    thereCounts.takeAll()
    dispatch("A")
    #expect(thereCounts.values == [1])
    #expect(hereCounts.values == [1, 1])
  }

  @Test("An observer of the whole state is called after each action, even if the state is `Equatable`.")
  func wholeState() {
    let subscriber = Subscriber()
    let (thereCounts, hereCounts) = (Recorder<Int>(), Recorder<Int>())
    // ReSwift skips repeats of an `Equatable` state unless the store says otherwise.
    there.subscribe(subscriber, skippingRepeats: ==) { thereCounts.record($0.count) }
    let token = here.subscribe { hereCounts.record($0.actions.count) }
    here.dispatch(EmptyAction())
    there.dispatch(EmptyAction())
    #expect(thereCounts.values == [0])
    #expect(hereCounts.values == [0, 0])
    token.cancel()
  }

  @Test("An observer that dispatches is called again after all other observers.")
  func nesting() {
    let (first, second) = (Subscriber(), Subscriber())
    let (thereCounts, hereCounts) = (Recorder<Int>(), Recorder<Int>())
    there.subscribe(first) { [there] in
      if $0 == ["A"] { there.dispatch(Named("B")) }
      thereCounts.record($0.count)
    }
    there.subscribe(second) { _ in }
    let token = here.subscribe { [proxy = here.proxy] state in
      if state.actions == ["A"] { proxy.dispatch(Named("B")) }
      hereCounts.record(state.actions.count)
    }
    dispatch("A")
    // ReSwift's observer receives the newer state inside the call with the older one.
    #expect(thereCounts.values == [0, 2, 1])
    #expect(hereCounts.values == [0, 1, 2])
    token.cancel()
  }

  @Test("The store dispatches no action of its own.")
  func noInitialAction() {
    let actions = Recorder<String>()
    let reducer: MutatingReducer<Reduced> = { _, action in actions.record("\(type(of: action))") }
    let store = Store(reducer: reducer, state: Reduced())
    #expect(actions.values == [])
    store.dispatch(Named("A"))
    #expect(actions.values == ["Named"])
  }

  @Test("Any thread may dispatch at any time.")
  func threads() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        group.addTask { [here] in
          for _ in 1...100 { here.dispatch(Named("\(number)")) }
        }
      }
    }
    #expect(here.state.actions.count == 800)
  }

  @Test("A chain cannot be replaced; `DynamicMiddleware` adds links to it and removes them.")
  func dynamicChain() {
    let names = Recorder<String>()
    let dynamic = DynamicMiddleware<Reduced>()
    let store = Store(reducer: reduced, middleware: [dynamic.middleware], state: Reduced())
    let link = dynamic.add(observeActions { _, action in names.record("\(action)") })
    store.dispatch(Named("A"))
    dynamic.remove(link)
    store.dispatch(Named("B"))
    #expect(names.count == 1)
  }
}

/// An object that subscribes.
private final class Subscriber: Sendable {}
