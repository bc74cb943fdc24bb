/// What a store's lock protects.
@usableFromInline
struct StoreContents<State: FluxState>: Sendable {
  /// What is there until the store goes.
  @usableFromInline
  struct Live: Sendable {
    @usableFromInline var state: State
    @usableFromInline var reducer: HeldReducer<State>
    @usableFromInline var observers = ObserverList<StateReceiver<State>>()
    @usableFromInline var mainObservers = ObserverList<MainReceiver<State>>()
    /// Whose reducers go around one that is put in place of this.
    @usableFromInline let plugins: [Plugin<State>]

    @inlinable
    init(state: State, reducer: @escaping MutatingReducer<State>, plugins: [Plugin<State>]) {
      self.state = state
      self.reducer = HeldReducer(plugins.wrap(reducer))
      self.plugins = plugins
    }
  }

  @usableFromInline var live: Live?
  @usableFromInline var delivery: DeliveryStateMachine
  @usableFromInline var transitions: TransitionQueue<State>?

  @inlinable
  init(live: Live, transitions: TransitionQueue<State>) {
    self.live = live
    self.transitions = transitions
    delivery = DeliveryStateMachine(observesTransitions: transitions.isObserved)
  }

  /// Takes what a step needs out of the lock.
  @inlinable
  mutating func work(for step: DeliveryStateMachine.Step) -> DeliveryWork<State> {
    switch step {
    case .leave: return .leave
    case .offer: return .offer
    case .pass:
      guard live != nil else { return .leave }
      return .pass(live!.state, version: delivery.version, live!.observers.slots)
    case .deliverTransitions:
      return transitions?.take().map(DeliveryWork.transitions) ?? .leave
    case .finish:
      defer { transitions = nil }
      return transitions.map(DeliveryWork.finish) ?? .leave
    }
  }
}

/// What a thread delivers, once it has left the lock.
@usableFromInline
enum DeliveryWork<State: FluxState>: Sendable {
  case leave
  case offer
  case pass(State, version: UInt64, [ObserverList<StateReceiver<State>>.Slot])
  case transitions(TransitionQueue<State>)
  case finish(TransitionQueue<State>)
}
