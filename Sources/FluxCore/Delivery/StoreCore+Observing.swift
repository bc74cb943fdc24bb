public import Synchronization

// This file adds observers to a store's core, removes them, and delivers states on the main
// actor.

extension StoreCore {
  @inlinable
  func subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    SubscriptionToken(adding(observer))
  }

  @inlinable @MainActor
  func subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    SubscriptionToken(addingOnMain(observer))
  }

  /// Adds an observer, and returns a closure that cancels it.
  @inlinable
  func adding(_ observer: _StateObserver<State>) -> @Sendable () -> Void {
    let id = nextObserverID.add(1, ordering: .relaxed).oldValue
    let cancel: @Sendable () -> Void = { [self] in self.cancel(id, on: .anyThread) }
    let calls = observer.calls(cancel)
    observe(id: id, first: calls.first, receive: calls.receive)
    return cancel
  }

  /// Adds an observer on the main actor, and returns a closure that cancels it.
  @inlinable @MainActor
  func addingOnMain(_ observer: _MainStateObserver<State>) -> @Sendable () -> Void {
    let id = nextObserverID.add(1, ordering: .relaxed).oldValue
    let cancel: @Sendable () -> Void = { [self] in self.cancel(id, on: .main) }
    let calls = observer.calls(cancel)
    observeOnMain(id: id, first: calls.first, receive: calls.receive)
    return cancel
  }

  /// Adds an observer, and calls the observer for the first time on this thread.
  ///
  /// - Parameters:
  ///   - id: The position of the observer in the order in which the observers subscribed.
  ///   - first: The closure for the first call, or `nil` to skip the first call.
  ///   - receive: The closure for all later calls.
  @inlinable
  func observe(
    id: UInt64, first: (@Sendable (State) -> Void)?, receive: @escaping @Sendable (State) -> Void
  ) {
    functions.executorOfTest?.stepAffectsOthers()
    let observer = Observer(id: id, receiver: StateReceiver(call: receive))
    let snapshot = lock.withLock(attempt: .subscribing) { contents in
      hasAudience.store(true, ordering: .relaxed)
      return contents.join(observer, to: \.observers, on: .anyThread, skipsFirstCall: first == nil)
    }
    guard let first, let snapshot else { return }
    catchUp(observer, from: snapshot, on: .anyThread) { state, isFirst in
      isFirst ? first(state) : receive(state)
    }
  }

  /// Adds an observer that is called on the main actor, and immediately calls the observer for
  /// the first time.
  @inlinable @MainActor
  func observeOnMain(
    id: UInt64, first: (@MainActor (State) -> Void)?, receive: @escaping @MainActor (State) -> Void
  ) {
    let observer = Observer(id: id, receiver: MainReceiver(call: receive))
    let snapshot = lock.withLock(attempt: .subscribing) { contents in
      hasAudience.store(true, ordering: .relaxed)
      return contents.join(observer, to: \.mainObservers, on: .main, skipsFirstCall: first == nil)
    }
    guard let first, let snapshot else { return }
    catchUp(observer, from: snapshot, on: .main) { state, isFirst in
      isFirst ? first(state) : receive(state)
    }
  }

  /// Adds an observer on the main actor without calling the observer immediately.
  ///
  /// Any thread can call this method.
  func observeLaterOnMain(_ receive: @escaping @MainActor @Sendable (State) -> Void) -> SubscriptionToken {
    let id = nextObserverID.add(1, ordering: .relaxed).oldValue
    let observer = Observer(id: id, receiver: MainReceiver(call: receive))
    _ = lock.withLock(attempt: .subscribing) { contents in
      hasAudience.store(true, ordering: .relaxed)
      return contents.join(observer, to: \.mainObservers, on: .main, skipsFirstCall: true)
    }
    return SubscriptionToken { [self] in self.cancel(id, on: .main) }
  }

  /// Calls a new observer until the observer has received the newest version.
  ///
  /// After that, passes call the observer.
  @inlinable
  func catchUp<Receiver>(
    _ observer: Observer<Receiver>, from snapshot: StateSnapshot<State>, on lane: DeliveryLane,
    _ call: (State, _ isFirst: Bool) -> Void
  ) {
    let thread = ThreadIdentity.current
    var parcel = DeliveryParcel<State>()
    var step = DeliveryStateMachine.Step.leave
    var next: StateSnapshot<State>? = snapshot
    var calls = 0
    while let snapshot = next, observer.status.load(ordering: .acquiring) == .starting {
      call(snapshot.state, calls == 0)
      calls += 1
      next = lock.withLock(attempt: .subscribing) { contents in
        guard contents.live != nil, observer.status.load(ordering: .relaxed) == .starting else { return nil }
        switch contents.delivery.firstCallReturned(
          seen: snapshot.version, calls: calls, on: lane, by: thread)
        {
        case .again: return StateSnapshot(state: contents.live!.state, version: contents.delivery.version)
        case .joined(let response):
          observer.join(seen: snapshot.version)
          step = answer(response, in: &contents, into: &parcel)
          return nil
        }
      }
    }
    deliver(step, &parcel, by: thread)
  }

  /// Records whether commits have an audience.
  @inlinable
  func noteAudience(in contents: borrowing StoreContents<State>) {
    let hasObservers = !contents.delivery.concerns.isEmpty
    hasAudience.store(hasObservers || carriesSenders.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// Removes an observer from the list, and releases it outside the lock.
  @inlinable
  func cancel(_ id: UInt64, on lane: DeliveryLane) {
    functions.executorOfTest?.stepAffectsOthers()
    _ = lock.withLock(attempt: .cancelling) { contents -> (any Sendable)? in
      switch lane {
      case .anyThread:
        guard let observer = contents.live?.observers.remove(id) else { return nil }
        contents.delivery.observerRemoved(from: lane)
        noteAudience(in: contents)
        return observer
      case .main:
        guard let observer = contents.live?.mainObservers.remove(id) else { return nil }
        contents.delivery.observerRemoved(from: lane)
        noteAudience(in: contents)
        return observer
      }
    }
  }

  // MARK: - The main actor

  /// Starts a task that delivers states on the main actor.
  ///
  /// The task is detached because it delivers for all dispatches. The delivery must not inherit
  /// the task-local values or the priority of a dispatching task.
  @usableFromInline
  func wakeMain() {
    startDetachedOnMainActor { self.deliverOnMain() }
  }

  /// Delivers the newest state to the observers on the main actor, unless it has already been
  /// delivered.
  @inlinable @MainActor
  func deliverOnMain() {
    var pass = lock.withLock(attempt: .delivering) { contents in
      contents.delivery.mainPassBegins() ? contents.mainPass() : nil
    }
    while let current = pass {
      for slot in current.slots {
        guard let observer = slot.observer, observer.takes(current.snapshot.version) else { continue }
        observer.receiver.call(current.snapshot.state)
      }
      var isToBeWoken = false
      pass = lock.withLock(attempt: .delivering) { contents in
        switch contents.delivery.mainPassEnded() {
        case .again: return contents.mainPass()
        case .wake: isToBeWoken = true
        case .leave: break
        }
        return nil
      }
      // The list is released after the lock has been acquired again, for the same reason as in
      // `deliver(_:_:by:)`.
      withExtendedLifetime(current.slots) {}
      if isToBeWoken { wakeMain() }
    }
  }
}

extension StoreCore {
  /// A Boolean value that indicates whether a version must be delivered on the main actor, but no
  /// delivery is running on the main actor.
  @inlinable
  var isMainBehind: Bool {
    lock.withLock(attempt: .delivering) { $0.delivery.isMainBehind }
  }
}

extension StoreContents {
  @inlinable
  func mainPass() -> DeliveryPass<State, MainReceiver<State>>? {
    live.map { live in
      DeliveryPass(
        snapshot: StateSnapshot(state: live.state, version: delivery.version), slots: live.mainObservers.slots
      )
    }
  }

  @inlinable
  mutating func join<Receiver>(
    _ observer: Observer<Receiver>, to list: WritableKeyPath<Live, ObserverList<Receiver>>,
    on lane: DeliveryLane, skipsFirstCall: Bool
  ) -> StateSnapshot<State>? {
    guard let state = live?.state else { return nil }
    live?[keyPath: list].insert(observer)
    delivery.observerAdded(on: lane)
    if skipsFirstCall { observer.join(seen: delivery.version) }
    return StateSnapshot(state: state, version: delivery.version)
  }
}
