public import Synchronization

/// The object that contains the state and the lock of a store, and that handles each action
/// after the end of the chain.
///
/// The chain retains the core instead of the store, so a late call to `next` does not require a
/// weak reference. When the store is released, it empties the core. All code that runs from
/// ``arrive(_:)`` until the last observer is called is inlinable, so that the compiler can
/// specialize it in the client's module.
//
// The compiler does not check the class, because it has a superclass. All properties are constants
// of Sendable types.
@usableFromInline
final class StoreCore<State: FluxState>: ActionHost, @unchecked Sendable {
  /// The functions of the store's proxies.
  @usableFromInline let proxyFunctions: ProxyFunctions<State>
  @usableFromInline let lock: StoreLock<StoreContents<State>>
  /// A Boolean value that indicates whether a commit has observers to notify.
  ///
  /// The value is a hint that is read without the lock. The store verifies the hint under the
  /// lock.
  @usableFromInline let hasAudience: Atomic<Bool>
  @usableFromInline let chain = Locked(DispatchChain.building(by: .current, held: []))
  /// A lock that the creating thread holds while it sends the actions that other threads
  /// dispatched before the chain was complete.
  @usableFromInline let heldActions = Locked(())
  @usableFromInline let nextObserverID = Atomic<UInt64>(1)

  @inlinable
  init(state: State, reducer: @escaping MutatingReducer<State>, plugins: [Plugin<State>]) {
    let transitions = TransitionQueue(plugins: plugins)
    hasAudience = Atomic(transitions.audience.isObserved)
    lock = StoreLock(
      StoreContents(
        live: StoreContents.Live(state: state, reducer: reducer, plugins: plugins), transitions: transitions))
    proxyFunctions = ProxyFunctions(of: StoreCore.self)
    super.init(
      ActionHostFunctions(of: StoreCore.self, proxyFunctions), isWorkObserved: plugins.observesWork(),
      defersActions: plugins.defersActions())
    functions.executorOfTest?.storeIsCreated(with: effects)
  }

  @usableFromInline
  override func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? {
    StoreProxy(core: self).proxy(as: type)
  }

  // MARK: - The end of the chain

  /// Receives an action from the chain, reduces it, and then starts the work that the action
  /// carries.
  @inlinable @inline(__always)
  func arrive(_ action: any Action) {
    if let startWork = action._startWork(in: ActionContext(host: self)) {
      reduce(action, andThen: startWork)
    } else {
      reduce(action)
    }
  }

  /// Reduces an action, and then starts its work.
  @inlinable @inline(never)
  func reduce(_ action: any Action, andThen startWork: WorkStart) {
    noteWork()
    reduce(action)
    startWork(ActionContext(host: self))
  }

  @inlinable @inline(__always)
  func reduce(_ action: any Action) {
    // A late call to `next` reaches this method without a call to `dispatch`.
    if lock.record.isHeld { lock.record.backOff(beforeReducing: action) }
    if hasAudience.load(ordering: .relaxed) || !reduceUnobserved(action) { reduceObserved(action) }
  }

  /// Reduces an action if there are no observers to notify.
  ///
  /// - Returns: `false` if there are observers and the action was not reduced.
  @inlinable @inline(__always)
  func reduceUnobserved(_ action: any Action) -> Bool {
    lock.withLock(by: .current, reducing: action) { contents in
      guard contents.delivery.concerns.isEmpty else { return false }
      guard contents.live != nil else { return true }
      contents.live!.reduce(action)
      contents.delivery.committedUnobserved()
      return true
    }
  }

  /// Reduces an action, and delivers the result to the observers.
  @inlinable
  func reduceObserved(_ action: any Action) {
    let thread = ThreadIdentity.current
    var parcel = DeliveryParcel<State>()
    let step = lock.withLock(by: thread, reducing: action) { contents in
      guard contents.live != nil, !refusesAction() else { return DeliveryStateMachine.Step.leave }
      let isRecording = contents.delivery.concerns.contains(.transitions)
      var reduction: Transition<State>.Reduction?
      if isRecording && contents.transitions!.audience.keepsStates {
        reduction = reduceKeepingStates(action, in: &contents)
      } else {
        contents.live!.reduce(action)
      }
      let response = contents.delivery.committed(by: thread)
      if isRecording {
        contents.transitions!.append(
          Transition(action: action, version: contents.delivery.version, reduction: reduction))
      }
      return answer(response, in: &contents, into: &parcel)
    }
    deliver(step, &parcel, by: thread)
  }

  /// Returns a Boolean value that indicates whether the scope that dispatched the action that is
  /// being reduced has ended.
  ///
  /// A store that carries senders always has an audience, so each of its actions passes this check.
  /// The method is not inlined, because the check would cost the other stores an instruction.
  @usableFromInline @inline(never)
  func refusesAction() -> Bool {
    carriesSenders.load(ordering: .relaxed) && DispatchSender.refusesReducedAction()
  }

  /// Reduces an action, and records the states before and after the reduction for plug-ins that
  /// request states.
  @inlinable
  func reduceKeepingStates(
    _ action: any Action, in contents: inout StoreContents<State>
  ) -> Transition<State>.Reduction {
    let before = contents.live!.state
    let start = ContinuousClock.now
    contents.live!.reduce(action)
    return .init(
      before: before, after: contents.live!.state, duration: ContinuousClock.now - start, scope: .ofCaller)
  }

  // MARK: - Delivery

  /// Executes the steps of the delivery rules until a step is `leave` or `finish`.
  @inlinable
  func deliver(
    _ first: DeliveryStateMachine.Step, _ parcel: inout DeliveryParcel<State>, by thread: ThreadIdentity
  ) {
    var step = first
    while true {
      if parcel.wakesMain { wakeMain() }
      // The observer list of this pass is released only after the lock has been acquired again.
      // The lock thereby guarantees that the pass happens before any in-place change to the list.
      // The observers in the list are still released outside the lock.
      var passed: [ObserverList<StateReceiver<State>>.Slot] = []
      switch step {
      case .leave: return
      case .offer: yieldToAnotherThread()
      case .pass:
        if let pass = parcel.pass {
          ObserverList.deliver(pass.snapshot.state, version: pass.snapshot.version, to: pass.slots)
          passed = pass.slots
        }
        parcel.pass = nil
      case .deliverTransitions:
        parcel.transitions?.deliver()
      case .finish:
        parcel.end?.tell()
        return
      }
      step = lock.withLock(by: thread) { contents in
        if let delivered = parcel.transitions.take() { contents.transitions?.takeBack(delivered.entries) }
        let isBack = step == .offer
        let response = isBack ? contents.delivery.reclaimed(by: thread) : contents.delivery.next()
        return answer(response, in: &contents, into: &parcel)
      }
      withExtendedLifetime(passed) {}
    }
  }

  /// Prepares a ``DeliveryParcel`` for a response under the lock, and returns the thread's next
  /// step.
  @inlinable
  func answer(
    _ response: DeliveryStateMachine.Response, in contents: inout StoreContents<State>,
    into parcel: inout DeliveryParcel<State>
  ) -> DeliveryStateMachine.Step {
    parcel.wakesMain = response.wakesMain
    contents.fill(&parcel, for: response.step)
    return response.step
  }

  /// Reports an event to the delivery rules, and executes the steps that they return.
  ///
  /// The event can make this thread the deliverer.
  @inlinable
  func tell(
    _ attempt: Misuse.Attempt,
    _ event: (inout StoreContents<State>, ThreadIdentity) -> DeliveryStateMachine.Response
  ) {
    let thread = ThreadIdentity.current
    var parcel = DeliveryParcel<State>()
    let step = lock.withLock(attempt: attempt) { contents in
      let response = event(&contents, thread)
      return answer(response, in: &contents, into: &parcel)
    }
    deliver(step, &parcel, by: thread)
  }

  // MARK: - Reading

  @inlinable
  func readState() -> State? {
    lock.withLock(attempt: .readingState) { $0.live?.state }
  }

  /// Reports to the test that created the store that the present step reads the state.
  @inlinable
  func isRead() {
    if functions.executorOfTest != nil { reportRead() }
  }

  @inline(never) @usableFromInline
  func reportRead() { functions.executorOfTest?.stepReadsState() }

  /// A function with which middleware reads the state.
  ///
  /// The function reports each read to the test that created the store.
  @inlinable
  var stateReader: @Sendable () -> State? {
    if functions.executorOfTest == nil { return readState }
    return { [self] in proxyFunctions.state(self) }
  }

  @inlinable
  func withState<Result, Failure: Error>(
    _ body: (State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var result: Result?
    try lock.withLock(attempt: .borrowingState) { contents throws(Failure) in
      lock.borrowing.set(true)
      defer { lock.borrowing.set(false) }
      result = try body(contents.live!.state)
    }
    return result!
  }

  /// Calls a closure with the state under the lock, or does nothing if the store has been released.
  @inlinable
  func borrowState(_ body: (State) -> Void) {
    lock.withLock(attempt: .borrowingState) { contents in
      guard let live = contents.live else { return }
      lock.borrowing.set(true)
      defer { lock.borrowing.set(false) }
      body(live.state)
    }
  }

  // MARK: - Batches and reducers

  @inlinable
  func openBatch() {
    lock.withLock(attempt: .batching) { $0.delivery.batchOpened() }
  }

  @inlinable
  func closeBatch() {
    tell(.batching) { contents, thread in contents.delivery.batchClosed(by: thread) }
  }

  @inlinable
  func replaceReducer(_ reducer: @escaping MutatingReducer<State>) {
    let plugins = lock.withLock(attempt: .replacingReducer) { $0.live?.plugins }
    guard let plugins else { return }
    let replacement = HeldReducer(plugins.wrap(reducer))
    // The old reducer is removed under the lock and released outside it.
    _ = lock.withLock(attempt: .replacingReducer) { contents -> HeldReducer<State>? in
      defer { contents.live?.reducer = replacement }
      return contents.live?.reducer
    }
  }

  // MARK: - Beginning and end

  /// Completes the chain so that middleware can dispatch, and sends the held actions.
  @inlinable
  func begin(_ first: @escaping DispatchFunction) {
    heldActions.withLock { _ in
      for held in chain.withLock({ $0.completed(first) }) { held.dispatch.resume { first(held.action) } }
      chain.withLock { $0.heldActionsSent() }
    }
  }

  /// Empties the core when the store is released.
  @inlinable
  func end() {
    _ = chain.exchange(.gone)
    // The contents are removed under the lock and released outside it.
    var remains: StoreContents<State>.Live?
    tell(.releasing) { contents, thread in
      remains = contents.live
      contents.live = nil
      if let remains { contents.transitions?.keep(last: remains.state) }
      remains?.observers.cancelAll()
      remains?.mainObservers.cancelAll()
      return contents.delivery.ended(by: thread)
    }
    remains = nil
    effects.end()
    hasEnded.store(true, ordering: .releasing)
    attachments.removeAll()
    contexts.removeAll()
  }
}

extension StoreCore {
  @inlinable
  func dispatchThroughChain(_ action: any Action) {
    if lock.record.isHeld(by: .current) { return dispatchUnderLock(action) }
    enterChain(action)
  }

  @inlinable @inline(__always)
  func enterChain(_ action: any Action) {
    switch chain.withLock({ $0.enter(action, by: .current) }) {
    case .send(let first): first(action)
    case .wait:
      heldActions.withLock { _ in }
      dispatchThroughChain(action)
    case .held, .drop: return
    case .misuse:
      if !defersActions { Misuse.dispatchedWhileBuilding(action) }
      chain.withLock { $0.hold(action) }
    }
  }

  /// Notifies the plug-ins that observe work.
  @usableFromInline
  func notifyOfWork() {
    let plugins = lock.withLock(attempt: .readingState) { $0.live?.plugins }
    for plugin in plugins ?? [] { plugin.onWork?() }
  }

  /// Dispatches an action on a thread that is running the reducer or a `withState` closure.
  ///
  /// Unless the store defers actions, the program stops before any middleware receives the
  /// action.
  @usableFromInline @inline(never)
  func dispatchUnderLock(_ action: any Action) {
    if !defersActions { Misuse.dispatchedUnderLock(action, reducing: lock.record.reduced) }
    enterChain(action)
  }
}
