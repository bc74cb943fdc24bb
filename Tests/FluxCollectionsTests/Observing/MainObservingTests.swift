import FluxCollections
import FluxCore
import TestSupport
import Testing

@MainActor
@Suite("Observing one element on the main actor")
struct MainObservingTests {
  private let scene = BoardScene(0..<100)
  private let observers: ElementObservers<Entry>

  init() {
    observers = ElementObservers(of: scene.store) { $0.entries }
  }

  private func subscribe(
    to id: Int, initial: Bool = true, _ receive: @escaping @MainActor (Entry?) -> Void
  ) -> SubscriptionToken {
    observers.subscribe(to: id, initial: initial, onMain: receive)
  }

  private func change(_ change: @escaping @Sendable (inout Board) -> Void) {
    scene.change(change)
    scene.store.deliverOnMain()
  }

  @Test("the first call is made before `subscribe` returns, unless `initial` is false")
  func initial() {
    var heard: [String] = []
    let tokens = [
      subscribe(to: 7) { heard.append($0?.text ?? "gone") },
      subscribe(to: 999) { heard.append($0?.text ?? "gone") },
      subscribe(to: 8, initial: false) { heard.append($0?.text ?? "gone") },
    ]
    #expect(heard == ["7", "gone"])
    withExtendedLifetime(tokens) {}
  }

  @Test("an observer that is added before a delivery starts with the version that others show")
  func initialBeforeDelivery() {
    let other = subscribe(to: 7) { _ in }
    scene.change { $0.entries.update(7) { $0.text = "new" } }
    var heard: [String] = []
    let token = subscribe(to: 7) { heard.append($0?.text ?? "gone") }
    #expect(heard == ["7"])
    scene.store.deliverOnMain()
    #expect(heard == ["7", "new"])
    withExtendedLifetime((other, token)) {}
  }

  @Test("an observer is called only when its element is changed, removed, or inserted again")
  func changes() {
    var heard: [String] = []
    let token = subscribe(to: 7, initial: false) { heard.append($0?.text ?? "gone") }
    change { $0.entries.update(8) { $0.text = "x" } }
    change { $0.entries.move(from: 7, to: 50) }
    #expect(heard == [])
    change { $0.entries.update(7) { $0.text = "new" } }
    change { $0.entries.remove(id: 7) }
    change { $0.entries.setAll([Entry(7, "back")]) }
    #expect(heard == ["new", "gone", "back"])
    withExtendedLifetime(token) {}
  }

  @Test("a canceled observer is not called again, not even in the current delivery")
  func cancel() {
    var heard: [String] = []
    var second: SubscriptionToken?
    let first = subscribe(to: 7, initial: false) { _ in
      heard.append("first")
      second?.cancel()
    }
    second = subscribe(to: 7, initial: false) { _ in heard.append("second") }
    change { $0.entries.update(7) { $0.text = "a" } }
    first.cancel()
    change { $0.entries.update(7) { $0.text = "b" } }
    #expect(heard == ["first"])
  }

  @Test("a change that an observer makes reaches every observer once, in order")
  func nested() {
    var heard: [String] = []
    let first = subscribe(to: 7, initial: false) { entry in
      heard.append("7 \(entry?.text ?? "gone")")
      if entry?.text == "1" {
        change { state in
          state.entries.update(7) { $0.text = "2" }
          state.entries.update(8) { $0.text = "2" }
        }
      }
    }
    let second = subscribe(to: 8, initial: false) { heard.append("8 \($0?.text ?? "gone")") }
    change { state in
      state.entries.update(7) { $0.text = "1" }
      state.entries.update(8) { $0.text = "1" }
    }
    scene.store.deliverOnMain()
    #expect(heard.filter { $0.hasPrefix("7") } == ["7 1", "7 2"])
    #expect(heard.last { $0.hasPrefix("8") } == "8 2")
    #expect(Set(heard).count == heard.count)
    withExtendedLifetime((first, second)) {}
  }

  @Test("the first observer after the release of the store starts with the last delivered version")
  func afterStore() {
    var heard: [String] = []
    let observers: ElementObservers<Entry>
    do {
      let store = BoardScene(0..<3).store
      observers = ElementObservers(of: store) { $0.entries }
    }
    let token = observers.subscribe(to: 2, onMain: { heard.append($0?.text ?? "gone") })
    #expect(heard == ["2"])
    withExtendedLifetime(token) {}
  }
}
