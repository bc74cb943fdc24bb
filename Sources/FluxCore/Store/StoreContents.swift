/// The values that a store's lock protects.
@usableFromInline
struct StoreContents<State: FluxState>: Sendable {
  /// The values that exist until the store is released.
  @usableFromInline
  struct Live: Sendable {
    @usableFromInline var reducer: HeldReducer<State>
    @usableFromInline var state: State
    @usableFromInline var observers = ObserverList<StateReceiver<State>>()
    @usableFromInline var mainObservers = ObserverList<MainReceiver<State>>()
    /// The plug-ins, which wrap the reducer and every reducer that replaces it.
    @usableFromInline let plugins: [Plugin<State>]

    @inlinable
    init(state: State, reducer: @escaping MutatingReducer<State>, plugins: [Plugin<State>]) {
      self.state = state
      self.reducer = HeldReducer(plugins.wrap(reducer))
      self.plugins = plugins
    }

    /// Reduces an action in place.
    @inlinable @inline(__always)
    mutating func reduce(_ action: any Action) {
      reducer.unretained.reduce(&state, action)
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

  /// Fills an empty ``DeliveryParcel`` with the values that a step requires.
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
      // The parcel releases its values outside the lock.
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

/// The snapshot that a pass delivers, and the observers that receive it.
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

/// The values that a thread collects under the lock and uses for its next step outside the
/// lock.
///
/// The struct is small because every dispatch creates a `DeliveryParcel`.
@usableFromInline
struct DeliveryParcel<State: Sendable>: Sendable {
  /// A notification that the store has been released, for the plug-ins that observe the release.
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
  /// A Boolean value that indicates whether the thread must start a delivery on the main actor.
  @usableFromInline var wakesMain = false

  @inlinable
  init() {}
}
