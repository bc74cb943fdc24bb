import FluxCollections
import FluxCore
import TestSupport
import Testing

@Suite("Observing one element")
struct ObservingTests {
  private let scene = BoardScene(0..<200)

  @Test(
    "an observer is called with the present element before subscribing returns, unless that is disabled")
  func initial() {
    let tokens = [
      scene.observe(7, initial: true), scene.observe(999, initial: true), scene.observe(8, initial: false),
    ]
    #expect(scene.heard.values == ["7 7", "999 gone"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "an observer that subscribes in a batch starts with the delivered state, and gets the newer one later")
  func initialInBatch() {
    let scene = BoardScene(0..<10)
    let other = scene.observe(7, as: "other")
    let token = scene.store.batch {
      scene.change { $0.entries.update(7) { $0.text = "new" } }
      let token = scene.observe(7, initial: true)
      #expect(scene.heard.values == ["7 7"])
      return token
    }
    #expect(scene.heard.values == ["7 7", "other new", "7 new"])
    withExtendedLifetime((other, token)) {}
  }

  @Test("an observer is called when its element has changed, and not for changes of other elements")
  func changes() {
    let token = scene.observe(7)
    scene.change { $0.entries.update(8) { $0.text = "x" } }
    scene.change { $0.other += 1 }
    #expect(scene.heard.values == [])
    scene.change { $0.entries.update(7) { $0.text = "new" } }
    #expect(scene.heard.values == ["7 new"])
    withExtendedLifetime(token) {}
  }

  @Test("an observer is called when its element is removed, and when it is inserted again")
  func comings() {
    let token = scene.observe(7)
    scene.change { $0.entries.remove(id: 7) }
    scene.change { $0.entries.append(Entry(7, "back")) }
    scene.change { $0.entries.update(7) { $0.id = 300 } }
    scene.change { $0.entries.update(8) { $0 = Entry(7, "another") } }
    #expect(scene.heard.values == ["7 gone", "7 back", "7 gone", "7 another"])
    withExtendedLifetime(token) {}
  }

  @Test("a move, or a change to an equal value, calls no observer")
  func noChange() {
    let token = scene.observe(7)
    scene.change { $0.entries.move(from: 7, to: 100) }
    scene.change { $0.entries.update(7) { $0.text = "7" } }
    scene.change { state in
      state.entries.remove(id: 7)
      state.entries.append(Entry(7, "7"))
    }
    scene.change { $0.entries.sort { $0.id > $1.id } }
    #expect(scene.heard.values == [])
    withExtendedLifetime(token) {}
  }

  @Test("beyond the reach of the journal, observed elements are compared")
  func unknown() {
    let tokens = [scene.observe(7), scene.observe(8), scene.observe(9)]
    scene.change { $0.entries.setAll([Entry(7, "7"), Entry(8, "new")]) }
    #expect(Set(scene.heard.takeAll()) == ["8 new", "9 gone"])
    scene.change { $0.entries = OrderedState(Entry(9, "9"), Entry(7, "new")) }
    #expect(Set(scene.heard.takeAll()) == ["7 new", "8 gone", "9 9"])
    scene.change { $0.entries.removeAll() }
    #expect(Set(scene.heard.takeAll()) == ["7 gone", "9 gone"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "after changes of several elements at once, few or many, observers and new subscribers show them",
    arguments: [3, 150])
  func severalAtOnce(count: Int) {
    let tokens = [1, 2, 199, 300].map { scene.observe($0) }
    scene.change { state in
      state.entries.update(1..<count) { $0.text = "new" }
      state.entries.remove(id: 199)
      state.entries.append(Entry(300, "300"))
      state.entries.update(2) { $0.text = "2" }
    }
    #expect(Set(scene.heard.takeAll()) == ["1 new", "199 gone", "300 300"])
    let late = [1, 2, 199, 300].map { scene.observe($0, initial: true) }
    #expect(scene.heard.takeAll() == ["1 new", "2 2", "199 gone", "300 300"])
    scene.change { $0.entries.update(300) { $0.text = "newer" } }
    #expect(scene.heard.values == ["300 newer", "300 newer"])
    withExtendedLifetime((tokens, late)) {}
  }

  @Test("going back to an earlier version calls those whose elements differ from it")
  func undo() {
    let token = scene.observe(7)
    let before = scene.store.state.entries
    scene.change { $0.entries.update(7) { $0.text = "new" } }
    scene.change { $0.entries.update(8) { $0.text = "new" } }
    scene.change { $0.entries = before }
    scene.change { $0.entries.update(7) { $0.text = "newer" } }
    #expect(scene.heard.values == ["7 new", "7 7", "7 newer"])
    withExtendedLifetime(token) {}
  }

  @Test("several observers of one element are called in the order in which they subscribed")
  func order() {
    let tokens = ["a", "b", "c"].map { scene.observe(7, as: $0) }
    scene.change { $0.entries.update(7) { $0.text = "x" } }
    #expect(scene.heard.values == ["a x", "b x", "c x"])
    withExtendedLifetime(tokens) {}
  }

  @Test("after canceling or releasing the token there is no further call")
  func cancel() {
    let cancelled = scene.observe(7, as: "cancelled")
    let kept = scene.observe(7, as: "kept")
    _ = scene.observe(7, as: "dropped")
    cancelled.cancel()
    cancelled.cancel()
    scene.change { $0.entries.update(7) { $0.text = "x" } }
    #expect(scene.heard.values == ["kept x"])
    withExtendedLifetime(kept) {}
  }

  @Test("an observer that is canceled by an earlier one in the same delivery is not called")
  func cancelInside() {
    let second = Shared<SubscriptionToken?>(nil)
    let first = scene.observers.subscribe(to: 7, initial: false) { [heard = scene.heard] _ in
      heard.record("first")
      second.value?.cancel()
    }
    second.value = scene.observe(7, as: "second")
    scene.change { $0.entries.update(7) { $0.text = "x" } }
    #expect(scene.heard.values == ["first"])
    withExtendedLifetime(first) {}
  }

  @Test("an observer may dispatch, and is called again for the change after it returns")
  func nested() {
    let depth = Shared(0)
    let token = scene.observers.subscribe(to: 7, initial: false) {
      [heard = scene.heard, proxy = scene.store.proxy] entry in
      #expect(depth.increment() == 1)
      heard.record(entry?.text ?? "gone")
      if entry?.text == "1" { proxy.dispatch(Change { $0.entries.update(7) { $0.text = "2" } }) }
      depth.value = 0
    }
    scene.change { $0.entries.update(7) { $0.text = "1" } }
    #expect(scene.heard.values == ["1", "2"])
    withExtendedLifetime(token) {}
  }

  @Test("an observer may subscribe another observer, which receives later changes only")
  func subscribeInside() {
    let tokens = Shared<[SubscriptionToken]>([])
    let first = scene.observers.subscribe(to: 7, initial: false) { [scene] entry in
      let count = tokens.change { $0.count }
      if count == 0 {
        let token = scene.observe(7, as: "inner", initial: true)
        tokens.change { $0.append(token) }
      }
    }
    scene.change { $0.entries.update(7) { $0.text = "x" } }
    #expect(scene.heard.values == ["inner x"])
    scene.change { $0.entries.update(7) { $0.text = "y" } }
    #expect(scene.heard.values == ["inner x", "inner y"])
    withExtendedLifetime(first) {}
    tokens.value = []
  }

  @Test("after a batch an observer is called once, with the last version")
  func batch() {
    let token = scene.observe(7)
    scene.store.batch {
      scene.change { $0.entries.update(7) { $0.text = "1" } }
      scene.change { $0.entries.update(7) { $0.text = "2" } }
      #expect(scene.heard.values == [])
    }
    #expect(scene.heard.values == ["7 2"])
    withExtendedLifetime(token) {}
  }

  @Test("a list behind a proxy is observed in the same way")
  func proxy() {
    let observers = ElementObservers(of: scene.store.proxy(for: { $0.entries })) { $0 }
    let token = observers.subscribe(to: 3, initial: false) { [heard = scene.heard] in
      heard.record($0?.text ?? "gone")
    }
    scene.change { $0.entries.update(3) { $0.text = "x" } }
    #expect(scene.heard.values == ["x"])
    withExtendedLifetime(token) {}
  }

  @Test("elements without equality are compared by a closure")
  func comparison() {
    let observers = ElementObservers(
      of: scene.store, list: { $0.entries }, by: { $0.text.count == $1.text.count })
    let token = observers.subscribe(to: 3, initial: false) { [heard = scene.heard] in
      heard.record($0?.text ?? "gone")
    }
    scene.change { $0.entries.update(3) { $0.text = "x" } }
    scene.change { $0.entries.update(3) { $0.text = "xyz" } }
    #expect(scene.heard.values == ["xyz"])
    withExtendedLifetime(token) {}
  }
}
