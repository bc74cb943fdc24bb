import FluxCore
import TestSupport
import Testing

@Suite struct RandomNestingTests {
  @Test("the rules of observers hold for all nested callbacks on one thread", arguments: 1...200)
  func nesting(seed: UInt64) {
    let world = World(seed: seed)
    for _ in 0..<30 {
      world.act(depth: 0)
      #expect(world.failures.values.isEmpty, "seed \(seed)")
      let late = world.observers.value.filter {
        !$0.isCancelled.value && $0.seen.value != world.store.state.count
      }
      #expect(late.isEmpty, "seed \(seed): \(late.map(\.id)) have not seen the last version")
    }
    #expect(
      world.versions.values == (0..<UInt64(world.store.state.count)).map { $0 + 1 }, "seed \(seed)")
    #expect(world.calls.value > 0, "seed \(seed)")
    world.end()
  }
}

/// A store with observers that perform random operations in their callbacks, and the broken rules.
private final class World: Sendable {
  final class Observed: Sendable {
    let id: Int
    let seen = Shared(-1)
    let isInside = Shared(false)
    let isCancelled = Shared(false)
    let token = Shared<SubscriptionToken?>(nil)

    init(id: Int) {
      self.id = id
    }
  }

  let versions: Recorder<UInt64>
  let store: Store<Counter>
  let failures = Recorder<String>()
  let calls = Shared(0)
  let observers = Shared<[Observed]>([])
  private let random: Shared<SeededGenerator>
  private let budget = Shared(0)
  /// The version and the observer of the last call, by a pass or by a first call.
  private let lastCall = Shared((version: -1, id: -1))

  init(seed: UInt64) {
    let versions = Recorder<UInt64>()
    self.versions = versions
    random = Shared(SeededGenerator(seed: seed))
    store = makeStore(plugins: [Plugin(onTransition: .actions { _, version in versions.record(version) })])
  }

  func act(depth: Int) {
    if depth == 0 { budget.value = 0 }
    guard budget.increment() < 40 else { return }
    switch draw(7) {
    case 0, 1: dispatch()
    case 2: subscribe(initial: true, depth: depth)
    case 3: subscribe(initial: false, depth: depth)
    case 4: cancel()
    case 5 where depth < 3:
      store.batch {
        for _ in 0..<draw(3) { act(depth: depth + 1) }
      }
    default: store.replaceReducer(countingReducer)
    }
  }

  /// Cancels all observers, which hold the world.
  func end() {
    for observed in observers.value { observed.token.exchange(nil)?.cancel() }
  }

  private func draw(_ limit: Int) -> Int {
    var generator = random.value
    defer { random.value = generator }
    return Int.random(in: 0..<limit, using: &generator)
  }

  private func dispatch() {
    let before = store.state.count
    store.dispatch(Increment())
    if store.state.count <= before { failures.record("an action was not reduced at once") }
  }

  private func cancel() {
    let candidates = observers.value
    guard !candidates.isEmpty else { return }
    let victim = candidates[draw(candidates.count)]
    guard let token = victim.token.exchange(nil) else { return }
    victim.isCancelled.value = true
    token.cancel()
  }

  private func subscribe(initial: Bool, depth: Int) {
    let observed = Observed(id: observers.value.count)
    observers.value += [observed]
    let version = store.state.count
    if !initial { observed.seen.value = version }
    let token = store.subscribe(initial: initial) { [self] state in
      calls.increment()
      if observed.isCancelled.value { failures.record("\(observed.id) was called after cancelling") }
      if observed.isInside.exchange(true) { failures.record("\(observed.id) was called recursively") }
      let isFirst = observed.seen.value == -1
      if observed.seen.exchange(state.count) >= state.count {
        failures.record("\(observed.id) heard nothing new")
      }
      if isFirst, state.count != version { failures.record("\(observed.id) began with another state") }
      if observed.token.value != nil {
        let last = lastCall.exchange((state.count, observed.id))
        if last.version > state.count { failures.record("an older version was delivered") }
        if last.version == state.count, last.id >= observed.id { failures.record("the order was broken") }
      }
      if depth < 2 { for _ in 0..<draw(3) { act(depth: depth + 1) } }
      observed.isInside.value = false
    }
    if initial, observed.seen.value == -1 { failures.record("\(observed.id) had no first call") }
    observed.token.value = token
  }
}
