/// The transitions that have been committed and not yet delivered, and the plug-ins that hear of them.
@usableFromInline
struct TransitionQueue<State: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let action: any Action
    @usableFromInline let version: UInt64
    @usableFromInline let reduction: Reduction?

    @inlinable
    init(action: any Action, version: UInt64, reduction: Reduction?) {
      self.action = action
      self.version = version
      self.reduction = reduction
    }
  }

  /// What is kept of a reduction for plug-ins that ask for states.
  @usableFromInline
  struct Reduction: Sendable {
    @usableFromInline let before: State
    @usableFromInline let after: State
    @usableFromInline let duration: Duration

    @inlinable
    init(before: State, after: State, duration: Duration) {
      self.before = before
      self.after = after
      self.duration = duration
    }
  }

  @usableFromInline let observers: [TransitionObserver<State>]
  @usableFromInline let endings: [@Sendable (State) -> Void]
  /// Whether a plug-in asks for the states around each action.
  @usableFromInline let keepsStates: Bool
  @usableFromInline var entries: [Entry] = []
  /// The last state of a store that has gone, if a plug-in wants to hear of the end.
  @usableFromInline var last: State?

  @inlinable
  init(plugins: [Plugin<State>]) {
    observers = plugins.compactMap(\.onTransition)
    endings = plugins.compactMap(\.onStoreEnd)
    keepsStates = observers.contains { if case .states = $0.kind { true } else { false } }
  }

  @inlinable var isObserved: Bool { !observers.isEmpty }

  @inlinable
  mutating func append(_ action: any Action, version: UInt64, reduction: Reduction?) {
    entries.append(Entry(action: action, version: version, reduction: reduction))
  }

  /// Keeps the last state, if a plug-in wants to hear of the end.
  @inlinable
  mutating func keep(last state: State) {
    if !endings.isEmpty { last = state }
  }

  /// Takes the queued transitions, and leaves an empty queue.
  @inlinable
  mutating func take() -> TransitionQueue? {
    guard !entries.isEmpty else { return nil }
    defer { entries = [] }
    return self
  }

  /// Tells every plug-in of every queued transition, in commit order.
  @inlinable
  func deliver() {
    for entry in entries {
      for observer in observers {
        switch observer.kind {
        case .actions(let observe): observe(entry.action, entry.version)
        case .states(let observe):
          guard let reduction = entry.reduction else { continue }
          observe(
            StateTransition(
              action: entry.action, version: entry.version, before: reduction.before, after: reduction.after,
              duration: reduction.duration))
        }
      }
    }
  }

  /// Tells every plug-in that the store has gone.
  @inlinable
  func finish() {
    guard let last else { return }
    for end in endings { end(last) }
  }
}
