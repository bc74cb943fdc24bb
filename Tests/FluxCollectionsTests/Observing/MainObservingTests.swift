import FluxCollections
import FluxCore
import TestSupport
import Testing

@MainActor
@Suite("Observing one element on the main actor")
struct MainObservingTests {
  private let scene = BoardScene(0..<100)
  private let observers: MainElementObservers<Entry>

  init() {
    observers = MainElementObservers(of: scene.store) { $0.entries }
  }

  private func change(_ change: @escaping @Sendable (inout Board) -> Void) {
    scene.change(change)
    scene.store.deliverOnMain()
  }

  @Test("the first call is made before subscribing returns, unless told otherwise")
  func initial() {
    var heard: [String] = []
    let tokens = [
      observers.subscribe(to: 7) { heard.append($0?.text ?? "gone") },
      observers.subscribe(to: 999) { heard.append($0?.text ?? "gone") },
      observers.subscribe(to: 8, initial: false) { heard.append($0?.text ?? "gone") },
    ]
    #expect(heard == ["7", "gone"])
    withExtendedLifetime(tokens) {}
  }

  @Test("who subscribes before a change is delivered begins with what the others show, and hears of it then")
  func initialBeforeDelivery() {
    scene.change { $0.entries.update(7) { $0.text = "new" } }
    var heard: [String] = []
    let token = observers.subscribe(to: 7) { heard.append($0?.text ?? "gone") }
    #expect(heard == ["7"])
    scene.store.deliverOnMain()
    #expect(heard == ["7", "new"])
    withExtendedLifetime(token) {}
  }

  @Test("an observer is called when its element changes, goes and comes back, and for no other one's change")
  func changes() {
    var heard: [String] = []
    let token = observers.subscribe(to: 7, initial: false) { heard.append($0?.text ?? "gone") }
    change { $0.entries.update(8) { $0.text = "x" } }
    change { $0.entries.move(from: 7, to: 50) }
    #expect(heard == [])
    change { $0.entries.update(7) { $0.text = "new" } }
    change { $0.entries.remove(id: 7) }
    change { $0.entries.setAll([Entry(7, "back")]) }
    #expect(heard == ["new", "gone", "back"])
    withExtendedLifetime(token) {}
  }

  @Test("after cancelling there is no further call, not even in the same delivery")
  func cancel() {
    var heard: [String] = []
    var second: SubscriptionToken?
    let first = observers.subscribe(to: 7, initial: false) { _ in
      heard.append("first")
      second?.cancel()
    }
    second = observers.subscribe(to: 7, initial: false) { _ in heard.append("second") }
    change { $0.entries.update(7) { $0.text = "a" } }
    first.cancel()
    change { $0.entries.update(7) { $0.text = "b" } }
    #expect(heard == ["first"])
  }

  @Test("what an observer dispatches is told to all, in order, and to nobody twice")
  func nested() {
    var heard: [String] = []
    let first = observers.subscribe(to: 7, initial: false) { entry in
      heard.append("7 \(entry?.text ?? "gone")")
      if entry?.text == "1" {
        change { state in
          state.entries.update(7) { $0.text = "2" }
          state.entries.update(8) { $0.text = "2" }
        }
      }
    }
    let second = observers.subscribe(to: 8, initial: false) { heard.append("8 \($0?.text ?? "gone")") }
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
}
