import FluxCore
import TestSupport
import Testing

@Suite("Services of stores")
struct StoreServicesTests {
  /// Passes its context on when it arrives.
  private struct Use: Action {
    let body: @Sendable (ActionContext) -> Void

    func _startWork(in context: ActionContext) -> WorkStart? {
      body
    }
  }

  private let services = Services().with(Prefixed(prefix: "a"), as: (any Naming).self).with(1)
  private let heard = Recorder<String>()

  private func store(
    _ middleware: Middleware<Counter>..., plugins: [Plugin<Counter>] = []
  ) -> Store<Counter> {
    Store(
      reducer: countingReducer, middleware: middleware, plugins: plugins, services: services, state: Counter()
    )
  }

  private static func name(_ services: Services) -> String {
    do { return try services((any Naming).self).name(of: 1) } catch { return "none" }
  }

  @Test("a store without services has none")
  func none() {
    #expect(throws: MissingService.self) { try makeStore().services(Int.self) }
  }

  @Test("the store, its proxies, and the contexts of actions and plug-ins have the services of the store")
  func contexts() {
    let plugin = Plugin<Counter>(onStoreStart: { [heard] in heard.record("start \(Self.name($0.services))") })
    let store = store(plugins: [plugin])
    store.dispatch(Use { [heard] in heard.record("work \(Self.name($0.services))") })
    store.dispatch(
      Use { [heard] in heard.record("of \($0.store(of: Counter.self).map { Self.name($0.services) } ?? "")") }
    )
    #expect(heard.values == ["start a1", "work a1", "of a1"])
    #expect(Self.name(store.services) == "a1")
    #expect(Self.name(store.proxy.services) == "a1")
    #expect(Self.name(store.proxy(for: \.count).services) == "a1")
  }

  @Test("each reducer form takes services", arguments: 0..<3)
  func initializers(form: Int) throws {
    let store =
      switch form {
      case 0: Store(reducer: { (state: Counter, _) in state }, services: services, state: Counter())
      case 1: Store(reducer: countingReducer, services: services, state: Counter())
      default: Store(reducer: ActionHandlers<Counter> {}, services: services, state: Counter())
      }
    #expect(try store.services(Int.self) == 1)
  }

  @Test("stores do not share services")
  func twoStores() throws {
    let other = Store(reducer: countingReducer, services: Services().with(2), state: Counter())
    #expect(try store().services(Int.self) == 1)
    #expect(try other.services(Int.self) == 2)
  }

  @Test("a released store has released its services, and a look-up says so")
  func released() {
    let tracker = LifetimeTracker()
    var store: Store<Counter>? = Store(
      reducer: countingReducer, services: Services().with(tracker.make()), state: Counter())
    let proxy = store?.proxy
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    let error = #expect(throws: MissingService.self) { try proxy?.services(LifetimeTracker.Tracked.self) }
    #expect(error?.code == .storeReleased)
  }

  // MARK: Lifting

  private struct Whole: FluxState {
    var part = Counter()
  }

  private func lifted(
    _ plugin: Plugin<Counter>, _ change: @escaping @Sendable (Services) -> Services
  ) -> Store<Whole> {
    Store(
      reducer: { (_: inout Whole, _) in }, plugins: [lift(plugin, to: \.part, services: change)],
      services: services, state: Whole())
  }

  private func recording(in kept: Shared<ActionContext?>) -> Plugin<Counter> {
    Plugin(onStoreStart: { context in kept.change { $0 = context } })
  }

  @Test("a plug-in that is lifted without services has the services of the store")
  func liftedPlainly() {
    let kept = Shared<ActionContext?>(nil)
    let store = Store(
      reducer: { (_: inout Whole, _) in }, plugins: [lift(recording(in: kept), to: \.part)],
      services: services, state: Whole())
    #expect(kept.value.map { Self.name($0.services) } == "a1")
    withExtendedLifetime(store) {}
  }

  @Test("lifting overrides the services of a plug-in, and not the services of the store")
  func liftedOverride() {
    let kept = Shared<ActionContext?>(nil)
    let store = lifted(recording(in: kept)) { $0.with(Prefixed(prefix: "b"), as: (any Naming).self) }
    #expect(kept.value.map { Self.name($0.services) } == "b1")
    #expect(Self.name(store.services) == "a1")
  }

  @Test("lifting with closures overrides the services of a plug-in")
  func liftedByClosures() {
    let kept = Shared<ActionContext?>(nil)
    let plugin = lift(
      recording(in: kept), get: { (whole: Whole) in whole.part }, set: { $0.part = $1 },
      services: { $0.with(Prefixed(prefix: "b"), as: (any Naming).self) })
    let store = Store(reducer: { (_: inout Whole, _) in }, plugins: [plugin], state: Whole())
    #expect(kept.value.map { Self.name($0.services) } == "b1")
    withExtendedLifetime(store) {}
  }

  @Test("lifting restricts the services of a plug-in")
  func liftedRestriction() {
    let kept = Shared<ActionContext?>(nil)
    let store = lifted(recording(in: kept)) { $0.restricted(to: [Int.self]) }
    #expect((try? kept.value?.services(Int.self)) == 1)
    let error = #expect(throws: MissingService.self) { try kept.value?.services((any Naming).self) }
    #expect(error?.code == .restricted)
    withExtendedLifetime(store) {}
  }

  @Test("if a plug-in is lifted twice, the outer change is made first")
  func liftedTwice() {
    let kept = Shared<ActionContext?>(nil)
    let inner = lift(recording(in: kept), to: \Whole.part) { services in
      services.with((try? services(Int.self)).map { $0 + 1 } ?? 0)
    }
    let store = Store(
      reducer: { (_: inout Outer, _) in },
      plugins: [
        lift(inner, to: \.whole) { services in services.with((try? services(Int.self)).map { $0 * 10 } ?? 0) }
      ],
      services: services, state: Outer())
    #expect((try? kept.value?.services(Int.self)) == 11)
    withExtendedLifetime(store) {}
  }

  private struct Outer: FluxState {
    var whole = Whole()
  }

  @Test("the services of a lifted plug-in are made once for all its components")
  func madeOnce() {
    let calls = Shared(0)
    var plugin = recording(in: Shared(nil))
    plugin.middleware = { _, _ in { next in next } }
    plugin.deferral = { _, next in next }
    let store = lifted(plugin) { services in
      calls.increment()
      return services
    }
    #expect(calls.value == 1)
    withExtendedLifetime(store) {}
  }

  @Test("a released store releases the services of its lifted plug-ins, also if a context is kept")
  func liftedLifetime() {
    let (tracker, kept) = (LifetimeTracker(), Shared<ActionContext?>(nil))
    var store: Store<Whole>? = lifted(recording(in: kept)) { $0.with(tracker.make()) }
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    let error = #expect(throws: MissingService.self) {
      try kept.value?.services(LifetimeTracker.Tracked.self)
    }
    #expect(error?.code == .storeReleased)
    withExtendedLifetime(store) {}
  }

  @Test("a captured value of lifted services lives as long as the store")
  @MainActor
  func liftedClosure() async {
    let keeper = Keeper("Plugin, lifted with services") { touch in
      var whole = Plugin<Whole>()
      whole = lift(Plugin<Counter>(onStoreStart: { _ in }), to: \.part) { services in
        touch()
        return services
      }
      return [
        whole, Store(reducer: { (_: inout Whole, _) in }, plugins: [whole], state: Whole()),
      ]
    }
    await keeper.expectRelease()
  }
}
