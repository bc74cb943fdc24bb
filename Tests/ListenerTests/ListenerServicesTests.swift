import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Services of listeners", .unlessItHangs)
struct ListenerServicesTests {
  private struct Whole: FluxState {
    var part = Count()
  }

  private let names = EventLog<String>()

  private func record(_ action: any Action, _ listener: ListenerContext<Count>) {
    do {
      names.record(try listener.services(String.self))
    } catch {
      names.record("\(error)")
    }
  }

  @Test("an effect finds the services of its store")
  func found() async {
    let listeners = Listeners<Count>()
    let store = Store(
      reducer: { (_: inout Count, _) in }, plugins: [listeners.plugin], services: Services().with("a"),
      state: Count())
    listeners.start(of: Add.self) { action, listener in record(action, listener) }
    await store.dispatchAsync(Add()).finished()
    #expect(names.values == ["a"])
  }

  @Test("an effect of lifted listeners finds the changed services")
  func lifted() async {
    let listeners = Listeners<Count>()
    let store = Store(
      reducer: { (_: inout Whole, _) in },
      plugins: [lift(listeners.plugin, to: \.part) { $0.with("b") }], services: Services().with("a"),
      state: Whole())
    listeners.start(of: Add.self) { action, listener in record(action, listener) }
    await store.dispatchAsync(Add()).finished()
    #expect(names.values == ["b"])
  }

  @Test("the error of a missing service names the action that started the run")
  func missing() async {
    let scene = Scene()
    scene.listeners.start(of: Add.self) { action, listener in record(action, listener) }
    await scene.settle(Add())
    #expect(names.values.first?.hasPrefix("Add requires a service of type String") == true)
  }

  @Test("after the store is released, a look-up says so")
  func released() async {
    let listeners = Listeners<Count>()
    let kept = Shared<ListenerContext<Count>?>(nil)
    var store: Store<Count>? = Store(
      reducer: { (_: inout Count, _) in }, plugins: [listeners.plugin], services: Services().with("a"),
      state: Count())
    listeners.start(of: Add.self) { _, listener in kept.change { $0 = listener } }
    await store?.dispatchAsync(Add()).finished()
    store = nil
    let error = #expect(throws: MissingService.self) { try kept.value?.services(String.self) }
    #expect(error?.code == .storeReleased)
  }
}
