import Synchronization

// Observers of transitions that join a running store and leave it again.

extension StoreCore {
  /// Adds an observer of transitions after all other observers of transitions, and returns a token
  /// that cancels it.
  ///
  /// The observer receives every transition that is committed after the call. It can also receive
  /// transitions that were committed before and are not delivered yet. After the token is canceled,
  /// the delivering thread makes no further call.
  @usableFromInline
  func observeTransitions(_ observer: TransitionObserver<State>) -> SubscriptionToken {
    functions.executorOfTest?.stepAffectsOthers()
    let number = nextObserverID.add(1, ordering: .relaxed).oldValue
    let hasLeft = JoinedObserverStatus()
    changeAudience { $0.adding(observer.unless(hasLeft), number) }
    return SubscriptionToken { [self] in
      functions.executorOfTest?.stepAffectsOthers()
      hasLeft.set()
      changeAudience { $0.removing(number) }
    }
  }

  /// Replaces the observers of transitions, unless the store was released.
  private func changeAudience(
    _ change: (TransitionAudience<State>) -> TransitionAudience<State>
  ) {
    // The old audience is released outside the lock, because it contains closures of the user.
    let old = lock.withLock(attempt: .subscribing) { contents -> TransitionAudience<State>? in
      guard contents.live != nil, let old = contents.transitions?.audience else { return nil }
      let new = change(old)
      contents.transitions?.audience = new
      contents.delivery.transitionsAreObserved(new.isObserved)
      noteAudience(in: contents)
      return old
    }
    withExtendedLifetime(old) {}
  }
}

/// A note that an observer of transitions has left its store.
private final class JoinedObserverStatus: Sendable {
  private let hasLeft = Atomic(false)

  var isSet: Bool { hasLeft.load(ordering: .acquiring) }

  func set() { hasLeft.store(true, ordering: .releasing) }
}

extension TransitionObserver {
  /// Returns an observer that receives nothing after it has left its store.
  fileprivate func unless(_ hasLeft: JoinedObserverStatus) -> TransitionObserver {
    switch kind {
    case .actions(let observe): .actions { if !hasLeft.isSet { observe($0, $1) } }
    case .states(let observe): .states { if !hasLeft.isSet { observe($0) } }
    }
  }

  /// Returns an observer for a whole state, which receives the transitions in which the part exists
  /// before and after the action.
  func lifted<Whole>(toPossible part: @escaping @Sendable (Whole) -> State?) -> TransitionObserver<Whole> {
    switch kind {
    case .actions(let observe): .actions(observe)
    case .states(let observe):
      .states { transition in
        guard let before = part(transition.before), let after = part(transition.after) else { return }
        observe(
          StateTransition(
            action: transition.action, version: transition.version, before: before, after: after,
            duration: transition.duration, scope: transition.scope))
      }
    }
  }
}

extension StoreProxy {
  /// Adds an observer of transitions to the running store, and returns a token that cancels it.
  ///
  /// The observer receives every transition that is committed after the call. It can also receive
  /// transitions that were committed before and are not delivered yet. If the proxy is limited to a
  /// part of the state that does not always exist, an observer of states receives only the
  /// transitions in which the part exists before and after the action.
  package func observeTransitions(_ observer: TransitionObserver<State>) -> SubscriptionToken {
    functions.observeTransitions(context.host, observer)
  }
}
