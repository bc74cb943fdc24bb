import Synchronization

// How an observer joins and leaves a store's core, and how the main actor is served.

extension StoreCore {
  func subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    let id = nextObserverID.add(1, ordering: .relaxed).oldValue
    let cancel: @Sendable () -> Void = { [self] in self.cancel(id, on: .anyThread) }
    let calls = observer.calls(cancel)
    observe(id: id, first: calls.first, receive: calls.receive)
    return SubscriptionToken(cancel)
  }

  @MainActor
  func subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    let id = nextObserverID.add(1, ordering: .relaxed).oldValue
    let cancel: @Sendable () -> Void = { [self] in self.cancel(id, on: .main) }
    let calls = observer.calls(cancel)
    observeOnMain(id: id, first: calls.first, receive: calls.receive)
    return SubscriptionToken(cancel)
  }

  /// Adds an observer, and makes its first call on this thread.
  ///
  /// - Parameters:
  ///   - first: What the first call goes to; `nil` skips it.
  ///   - receive: What every other call goes to.
  private func observe(
    id: UInt64, first: (@Sendable (State) -> Void)?, receive: @escaping @Sendable (State) -> Void
  ) {
    let observer = Observer(id: id, receiver: StateReceiver(call: receive))
    let snapshot = lock.withLock(by: .current, attempt: .subscribing) { contents in
      contents.join(observer, to: \.observers, on: .anyThread, skipsFirstCall: first == nil)
    }
    guard let first, let snapshot else { return }
    let thread = ThreadIdentity.current
    let work = catchUp(observer, from: snapshot, on: .anyThread, by: thread) { state, isFirst in
      isFirst ? first(state) : receive(state)
    }
    deliver(work, by: thread)
  }

  /// Adds an observer that is called on the main actor, and makes its first call there and now.
  @MainActor
  private func observeOnMain(
    id: UInt64, first: (@MainActor (State) -> Void)?, receive: @escaping @MainActor (State) -> Void
  ) {
    let observer = Observer(id: id, receiver: MainReceiver(call: receive))
    let snapshot = lock.withLock(by: .current, attempt: .subscribing) { contents in
      contents.join(observer, to: \.mainObservers, on: .main, skipsFirstCall: first == nil)
    }
    guard let first, let snapshot else { return }
    let thread = ThreadIdentity.current
    let work = catchUp(observer, from: snapshot, on: .main, by: thread) { state, isFirst in
      isFirst ? first(state) : receive(state)
    }
    deliver(work, by: thread)
  }

  /// Makes an observer's first call, and further ones until it has seen the newest version; then lets it join.
  private func catchUp<Receiver>(
    _ observer: Observer<Receiver>, from snapshot: StateSnapshot<State>, on lane: DeliveryLane,
    by thread: ThreadIdentity, _ call: (State, _ isFirst: Bool) -> Void
  ) -> DeliveryWork<State> {
    var snapshot = snapshot
    var calls = 0
    while observer.status.load(ordering: .acquiring) == .starting {
      observer.seen.store(snapshot.version, ordering: .relaxed)
      call(snapshot.state, calls == 0)
      calls += 1
      let next = lock.withLock(by: thread, attempt: .subscribing) { contents -> FirstCallSequel<State> in
        guard let state = contents.live?.state, observer.status.load(ordering: .relaxed) == .starting else {
          return .work(.leave)
        }
        switch contents.delivery.firstCallReturned(
          seen: snapshot.version, calls: calls, on: lane, by: thread)
        {
        case .again:
          return .again(StateSnapshot(state: state, version: contents.delivery.version))
        case .joined(let response):
          observer.status.store(.active, ordering: .releasing)
          if response.wakesMain { wakeMain() }
          return .work(contents.work(for: response.step))
        }
      }
      switch next {
      case .again(let newer): snapshot = newer
      case .work(let work): return work
      }
    }
    return .leave
  }

  /// Takes an observer out of the list, and releases it outside the lock.
  private func cancel(_ id: UInt64, on lane: DeliveryLane) {
    _ = lock.withLock(by: .current, attempt: .cancelling) { contents -> (any Sendable)? in
      switch lane {
      case .anyThread:
        guard let observer = contents.live?.observers.remove(id) else { return nil }
        contents.delivery.observerRemoved(from: lane)
        return observer
      case .main:
        guard let observer = contents.live?.mainObservers.remove(id) else { return nil }
        contents.delivery.observerRemoved(from: lane)
        return observer
      }
    }
  }

  // MARK: - The main actor

  /// Sends a task to the main actor that delivers there.
  @usableFromInline
  func wakeMain() {
    Task { @MainActor in deliverOnMain() }
  }

  /// Delivers the newest state to the observers on the main actor, if something newer is due.
  @MainActor
  func deliverOnMain() {
    var pass = lock.withLock(by: .current, attempt: .subscribing) { contents in
      contents.delivery.mainPassBegins() ? contents.mainPass() : nil
    }
    while let current = pass {
      for slot in current.slots {
        guard let observer = slot.observer, observer.takes(current.version) else { continue }
        observer.receiver.call(current.state)
      }
      pass = lock.withLock(by: .current, attempt: .subscribing) { contents in
        switch contents.delivery.mainPassEnded() {
        case .again: return contents.mainPass()
        case .wake: wakeMain()
        case .leave: break
        }
        return nil
      }
    }
  }
}

/// A state and its version.
struct StateSnapshot<State: Sendable>: Sendable {
  let state: State
  let version: UInt64
}

private enum FirstCallSequel<State: FluxState>: Sendable {
  case again(StateSnapshot<State>)
  case work(DeliveryWork<State>)
}

private struct MainPass<State: Sendable>: Sendable {
  let state: State
  let version: UInt64
  let slots: [ObserverList<MainReceiver<State>>.Slot]
}

extension StoreContents {
  fileprivate func mainPass() -> MainPass<State>? {
    live.map { MainPass(state: $0.state, version: delivery.version, slots: $0.mainObservers.slots) }
  }

  fileprivate mutating func join<Receiver>(
    _ observer: Observer<Receiver>, to list: WritableKeyPath<Live, ObserverList<Receiver>>,
    on lane: DeliveryLane, skipsFirstCall: Bool
  ) -> StateSnapshot<State>? {
    guard let state = live?.state else { return nil }
    live?[keyPath: list].insert(observer)
    delivery.observerAdded(on: lane)
    if skipsFirstCall {
      observer.seen.store(delivery.version, ordering: .relaxed)
      observer.status.store(.active, ordering: .releasing)
    }
    return StateSnapshot(state: state, version: delivery.version)
  }
}
