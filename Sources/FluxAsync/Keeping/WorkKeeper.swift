import FluxCore

/// The storage of the rules of kept work, which performs the steps that the rules return.
///
/// The store delivers one transition at a time, so the keys change in commit order. Tasks report
/// concurrently that canceled work no longer dispatches. All decisions are made under the lock, and carried
/// out after the lock is released.
final class WorkKeeper<State: Sendable, Keys: KeptKeys>: Sendable {
  typealias Run = KeptRun<State, Keys.Key>

  private enum Connection: Sendable {
    case none
    case connected(StoreProxy<State>)
    case gone
  }

  private struct Contents: Sendable {
    var connection = Connection.none
    var keys = Keys.none
    var lanes: [Keys.Lane: KeptWorkRules<Run>] = [:]
  }

  private let contents = Locked(Contents())
  private let keysOfState: @Sendable (State) -> Keys
  private let priority: TaskPriority?
  private let body: Run.Body

  init(
    _ keysOfState: @escaping @Sendable (State) -> Keys, priority: TaskPriority?, body: @escaping Run.Body
  ) {
    self.keysOfState = keysOfState
    self.priority = priority
    self.body = body
  }

  /// The plug-in that connects the keeper to a store.
  var plugin: Plugin<State> {
    var plugin = Plugin<State>(
      onTransition: .states { transition in self.receive(transition.after) },
      onStoreEnd: { _ in self.end() })
    plugin.onStoreProxy = { store in self.begin(in: store) }
    return plugin
  }

  // MARK: - The store

  private func begin(in store: StoreProxy<State>) {
    let isFirst = contents.withLock { contents in
      guard case .none = contents.connection else { return false }
      contents.connection = .connected(store)
      return true
    }
    if !isFirst { Misuse.keptWorkOfSecondStore(in: State.self) }
    if let state = store.state { receive(state) }
  }

  private func end() {
    // The runs are canceled when the store's scope ends.
    let old = contents.exchange(Contents(connection: .gone))
    withExtendedLifetime(old) {}
  }

  // MARK: - Keys

  /// Compares the keys of a committed state with the keys of the previous state.
  private func receive(_ state: State) {
    let new = keysOfState(state)
    let (old, connection) = contents.withLock { ($0.keys, $0.connection) }
    // Keys are compared outside the lock, because their comparison is the user's code.
    guard new != old, case .connected(let store) = connection else { return }
    var changes: [(lane: Keys.Lane, run: Run?)] = []
    new.forEachChange(since: old) { lane, key in
      changes.append((lane, key.map { Run(of: $0, in: store) }))
    }
    let steps = contents.withLock { contents in
      guard case .connected = contents.connection else { return [(Keys.Lane, KeptWorkRules<Run>.Step)]() }
      contents.keys = new
      return changes.map { change in
        (change.lane, contents.lanes[change.lane, default: KeptWorkRules()].keyChanged(to: change.run))
      }
    }
    for (lane, step) in steps { carryOut(step, in: lane, of: store) }
  }

  private func carryOut(
    _ step: KeptWorkRules<Run>.Step, in lane: Keys.Lane, of store: StoreProxy<State>
  ) {
    switch step {
    case .nothing: break
    case .start(let run): run.start(priority: priority, body)
    case .cancel(let run):
      run.cancel()
      store.context.scope.start(priority: priority) {
        await run.untilDispatched()
        self.dispatchesEnded(lane)
      }
    }
  }

  private func dispatchesEnded(_ lane: Keys.Lane) {
    let (run, old) = contents.withLock { contents -> (Run?, KeptWorkRules<Run>?) in
      let old = contents.lanes[lane]
      let run = contents.lanes[lane]?.dispatchesEnded()
      if let rules = contents.lanes[lane], rules.isIdle { contents.lanes[lane] = nil }
      return (run, old)
    }
    withExtendedLifetime(old) {}
    run?.start(priority: priority, body)
  }
}
