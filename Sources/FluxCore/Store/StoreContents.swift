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
    delivery = DeliveryStateMachine(observesTransitions: transitions.audience.isObserved)
  }

  /// Puts what a step needs into a parcel, which is empty.
  @inlinable
  mutating func fill(_ parcel: inout DeliveryParcel<State>, for step: DeliveryStateMachine.Step) {
    switch step {
    case .leave, .offer: return
    case .pass:
      guard live != nil else { return }
      parcel.pass = DeliveryPass(
        snapshot: StateSnapshot(state: live!.state, version: delivery.version), slots: live!.observers.slots)
    case .deliverTransitions: parcel.transitions = transitions?.take()
    case .finish:
      // What is in it is released with the parcel, outside the lock.
      parcel.end = transitions.map(DeliveryParcel.End.init)
      transitions = nil
    }
  }
}

/// A state and its version.
@usableFromInline
struct StateSnapshot<State: Sendable>: Sendable {
  @usableFromInline let state: State
  @usableFromInline let version: UInt64

  @inlinable
  init(state: State, version: UInt64) {
    self.state = state
    self.version = version
  }
}

/// What a pass delivers, and to whom.
@usableFromInline
struct DeliveryPass<State: Sendable, Receiver: Sendable>: Sendable {
  @usableFromInline let snapshot: StateSnapshot<State>
  @usableFromInline let slots: [ObserverList<Receiver>.Slot]

  @inlinable
  init(snapshot: StateSnapshot<State>, slots: [ObserverList<Receiver>.Slot]) {
    self.snapshot = snapshot
    self.slots = slots
  }
}

/// What a thread carries out of the lock for its next step.
///
/// Small, since every dispatch has one ready.
@usableFromInline
struct DeliveryParcel<State: Sendable>: Sendable {
  /// That the store has gone, for the plug-ins that want to hear of it.
  @usableFromInline
  final class End: Sendable {
    @usableFromInline let transitions: TransitionQueue<State>

    @inlinable
    init(_ transitions: TransitionQueue<State>) {
      self.transitions = transitions
    }

    @inlinable
    func tell() {
      if let last = transitions.last { transitions.audience.finish(with: last) }
    }
  }

  @usableFromInline var pass: DeliveryPass<State, StateReceiver<State>>?
  @usableFromInline var transitions: TransitionDelivery<State>?
  @usableFromInline var end: End?
  /// Whether the main actor has to be woken.
  @usableFromInline var wakesMain = false

  @inlinable
  init() {}
}
