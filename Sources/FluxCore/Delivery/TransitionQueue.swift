/// The transitions that have been committed but not yet delivered, and the observers that receive
/// them.
@usableFromInline
struct TransitionQueue<State: Sendable>: Sendable {
  @usableFromInline var audience: TransitionAudience<State>
  @usableFromInline var entries: [Transition<State>] = []
  /// Empty storage for entries, which is reused so that a transition allocates no memory.
  @usableFromInline var room: [Transition<State>] = []
  /// The last state of a store that was released, if a plug-in observes the release of the store.
  @usableFromInline var last: State?

  @inlinable
  init(plugins: [Plugin<State>]) {
    audience = TransitionAudience(plugins: plugins)
  }

  @inlinable
  mutating func append(_ transition: Transition<State>) {
    entries.append(transition)
  }

  /// Keeps the last state, if a plug-in observes the release of the store.
  @inlinable
  mutating func keep(last state: State) {
    if !audience.endings.isEmpty { last = state }
  }

  /// Removes and returns the queued transitions.
  @inlinable
  mutating func take() -> TransitionDelivery<State>? {
    guard !entries.isEmpty else { return nil }
    let delivery = TransitionDelivery(audience: audience, entries: entries)
    entries = room
    room = []
    return delivery
  }

  /// Keeps the storage of delivered transitions for reuse, unless its capacity is large.
  @inlinable
  mutating func takeBack(_ emptied: [Transition<State>]) {
    if room.capacity == 0, emptied.capacity <= 256 { room = emptied }
  }
}

/// A transition in the queue.
@usableFromInline
struct Transition<State: Sendable>: Sendable {
  @usableFromInline let action: any Action
  @usableFromInline let version: UInt64
  @usableFromInline let reduction: Reduction?

  @inlinable
  init(action: any Action, version: UInt64, reduction: Reduction?) {
    self.action = action
    self.version = version
    self.reduction = reduction
  }

  /// The details of a reduction, which the store records for plug-ins that request states.
  @usableFromInline
  struct Reduction: Sendable {
    @usableFromInline let before: State
    @usableFromInline let after: State
    @usableFromInline let duration: Duration
    /// The scope of the dispatch that the action belongs to, regardless of the delivering
    /// thread.
    @usableFromInline let scope: EffectScope?

    @inlinable
    init(before: State, after: State, duration: Duration, scope: EffectScope?) {
      self.before = before
      self.after = after
      self.duration = duration
      self.scope = scope
    }
  }
}

/// The observers of transitions, and the plug-ins that observe the release of the store.
///
/// The observers of the plug-ins come first, and then the observers that have joined the running
/// store.
@usableFromInline
final class TransitionAudience<State: Sendable>: Sendable {
  @usableFromInline let observers: [TransitionObserver<State>]
  @usableFromInline let endings: [@Sendable (State) -> Void]
  /// A Boolean value that indicates whether an observer requests the states before and after each
  /// action.
  @usableFromInline let keepsStates: Bool
  /// The numbers of the observers that have joined the running store, which are the last ones.
  @usableFromInline let joined: [UInt64]

  @inlinable
  convenience init(plugins: [Plugin<State>]) {
    self.init(plugins.compactMap(\.onTransition), joined: [], plugins.compactMap(\.onStoreEnd))
  }

  @inlinable
  init(
    _ observers: [TransitionObserver<State>], joined: [UInt64], _ endings: [@Sendable (State) -> Void]
  ) {
    self.observers = observers
    self.joined = joined
    self.endings = endings
    keepsStates = observers.contains { if case .states = $0.kind { true } else { false } }
  }

  @inlinable var isObserved: Bool { !observers.isEmpty }

  /// Returns an audience that also contains an observer with a number.
  func adding(_ observer: TransitionObserver<State>, _ number: UInt64) -> TransitionAudience {
    TransitionAudience(observers + [observer], joined: joined + [number], endings)
  }

  /// Returns an audience without the observer that has a number.
  func removing(_ number: UInt64) -> TransitionAudience {
    guard let index = joined.firstIndex(of: number) else { return self }
    var (observers, joined) = (observers, joined)
    observers.remove(at: observers.count - joined.count + index)
    joined.remove(at: index)
    return TransitionAudience(observers, joined: joined, endings)
  }

  /// Notifies the plug-ins that the store has been released.
  @inlinable
  func finish(with last: State) {
    for end in endings { end(last) }
  }
}

/// Transitions that a thread delivers to their observers.
@usableFromInline
struct TransitionDelivery<State: Sendable>: Sendable {
  @usableFromInline let audience: TransitionAudience<State>
  @usableFromInline var entries: [Transition<State>]

  @inlinable
  init(audience: TransitionAudience<State>, entries: [Transition<State>]) {
    self.audience = audience
    self.entries = entries
  }

  /// Delivers the transitions to every observer in commit order, and then removes the
  /// transitions.
  @inlinable
  mutating func deliver() {
    for entry in entries {
      for observer in audience.observers {
        switch observer.kind {
        case .actions(let observe): observe(entry.action, entry.version)
        case .states(let observe):
          guard let reduction = entry.reduction else { continue }
          observe(
            StateTransition(
              action: entry.action, version: entry.version, before: reduction.before, after: reduction.after,
              duration: reduction.duration, scope: reduction.scope))
        }
      }
    }
    entries.removeAll(keepingCapacity: true)
  }
}
