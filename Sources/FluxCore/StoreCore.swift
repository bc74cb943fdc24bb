public import Synchronization

/// What a store is inside: the state behind its lock, and the way of an action from the end of the chain on.
///
/// The chain holds the core, not the store, so a late `next` needs no weak reference; the store's end empties the
/// core. The path from ``arrive(_:)`` to the last observer is inlinable, to be specialised in the client's module.
@usableFromInline
final class StoreCore<State: FluxState>: Sendable {
  /// The chain's first link, once there is one.
  @usableFromInline
  enum Chain: Sendable {
    case building
    case ready(DispatchFunction)
    case gone
  }

  @usableFromInline let lock: StoreLock<StoreContents<State>>
  @usableFromInline let effects = EffectScope()
  @usableFromInline let chain = Mutex(Chain.building)
  @usableFromInline let nextObserverID = Atomic<UInt64>(1)

  @inlinable
  init(state: State, reducer: @escaping MutatingReducer<State>, plugins: [Plugin<State>]) {
    lock = StoreLock(
      StoreContents(
        live: StoreContents.Live(state: state, reducer: reducer, plugins: plugins),
        transitions: TransitionQueue(plugins: plugins)))
  }

  // MARK: - The end of the chain

  /// Takes an action from the chain: starts the work it carries, then reduces it.
  @inlinable
  func arrive(_ action: any Action) {
    action._startWork(in: ActionContext(host: self))
    reduce(action)
  }

  @inlinable
  func reduce(_ action: any Action) {
    let thread = ThreadIdentity.current
    let work = lock.withLock(
      by: thread, reducing: typeBits(of: action), attempt: .dispatching(action)
    ) { contents -> DeliveryWork<State> in
      guard contents.live != nil else { return .leave }
      guard !contents.delivery.concerns.contains(.transitions) else {
        return reduceRecording(action, by: thread, in: &contents)
      }
      contents.live!.reducer.unretained.reduce(&contents.live!.state, action)
      let response = contents.delivery.committed(by: thread)
      if response.wakesMain { wakeMain() }
      return contents.work(for: response.step)
    }
    if case .leave = work { return }
    deliver(work, by: thread)
  }

  /// Reduces an action for plug-ins that hear of it.
  @usableFromInline
  func reduceRecording(
    _ action: any Action, by thread: ThreadIdentity, in contents: inout StoreContents<State>
  ) -> DeliveryWork<State> {
    let before = contents.transitions?.keepsStates == true ? contents.live!.state : nil
    contents.live!.reducer.unretained.reduce(&contents.live!.state, action)
    let response = contents.delivery.committed(by: thread)
    let states = before.map { before in (before, contents.live!.state) }
    contents.transitions?.append(action, version: contents.delivery.version, states: states)
    if response.wakesMain { wakeMain() }
    return contents.work(for: response.step)
  }

  // MARK: - Delivery

  /// Does what the delivery rules say, step by step, until they say leave.
  @inlinable
  func deliver(_ first: DeliveryWork<State>, by thread: ThreadIdentity) {
    var work = first
    while true {
      switch work {
      case .leave: return
      case .offer:
        work = nextWork(by: thread) { $0.reclaimed(by: thread) }
        continue
      case .pass(let state, let version, let slots):
        ObserverList.deliver(state, version: version, to: slots)
      case .transitions(let queue): queue.deliver()
      case .finish(let queue):
        queue.finish()
        return
      }
      work = nextWork(by: thread) { $0.next() }
    }
  }

  @inlinable
  func nextWork(
    by thread: ThreadIdentity, _ event: (inout DeliveryStateMachine) -> DeliveryStateMachine.Step
  ) -> DeliveryWork<State> {
    lock.withLock(by: thread, attempt: .batching) { contents in
      contents.work(for: event(&contents.delivery))
    }
  }

  /// Tells the delivery rules an event that may make this thread the deliverer, and does what they say.
  private func tell(
    _ attempt: Misuse.Attempt,
    _ event: (inout StoreContents<State>, ThreadIdentity) -> DeliveryStateMachine.Response?
  ) {
    let thread = ThreadIdentity.current
    let work = lock.withLock(by: thread, attempt: attempt) { contents -> DeliveryWork<State> in
      guard let response = event(&contents, thread) else { return .leave }
      if response.wakesMain { wakeMain() }
      return contents.work(for: response.step)
    }
    deliver(work, by: thread)
  }

  // MARK: - Reading

  @inlinable
  func readState() -> State? {
    lock.withLock(by: .current, attempt: .readingState) { $0.live?.state }
  }

  @inlinable
  func withState<Result, Failure: Error>(
    _ body: (State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var result: Result?
    try lock.withLock(by: .current, attempt: .borrowingState) { contents throws(Failure) in
      result = try body(contents.live!.state)
    }
    return result!
  }

  // MARK: - Batches and reducers

  func openBatch() {
    lock.withLock(by: .current, attempt: .batching) { $0.delivery.batchOpened() }
  }

  func closeBatch() {
    tell(.batching) { contents, thread in contents.delivery.batchClosed(by: thread) }
  }

  @usableFromInline
  func replaceReducer(_ reducer: @escaping MutatingReducer<State>) {
    let plugins = lock.withLock(by: .current, attempt: .replacingReducer) { $0.live?.plugins }
    guard let plugins else { return }
    let replacement = HeldReducer(plugins.wrap(reducer))
    // The old one is taken out inside the lock and released outside.
    _ = lock.withLock(by: .current, attempt: .replacingReducer) { contents -> HeldReducer<State>? in
      defer { contents.live?.reducer = replacement }
      return contents.live?.reducer
    }
  }

  // MARK: - Beginning and end

  /// Completes the chain: from now on middleware may dispatch.
  @usableFromInline
  func begin(_ first: @escaping DispatchFunction) {
    chain.withLock { $0 = .ready(first) }
  }

  /// Empties the core: the store has gone.
  @usableFromInline
  func end() {
    _ = chain.withLock { chain in
      defer { chain = .gone }
      return chain
    }
    // Taken out inside, and released outside.
    var remains: StoreContents<State>.Live?
    tell(.releasing) { contents, thread in
      remains = contents.live
      contents.live = nil
      remains?.observers.cancelAll()
      remains?.mainObservers.cancelAll()
      return contents.delivery.ended(by: thread)
    }
    remains = nil
    effects.end()
  }
}

extension StoreCore: ActionHost {
  @usableFromInline var currentState: (any FluxState)? { readState() }

  @usableFromInline
  func dispatchThroughChain(_ action: any Action) {
    switch chain.withLock({ $0 }) {
    case .building: Misuse.dispatchedWhileBuilding(action)
    case .ready(let dispatch): dispatch(action)
    case .gone: return
    }
  }
}
