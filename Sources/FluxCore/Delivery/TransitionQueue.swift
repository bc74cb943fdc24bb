/// The transitions that have been committed and not yet delivered, and the plug-ins that hear of them.
@usableFromInline
struct TransitionQueue<State: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let action: any Action
    @usableFromInline let version: UInt64
    @usableFromInline let states: (before: State, after: State)?

    @inlinable
    init(action: any Action, version: UInt64, states: (before: State, after: State)?) {
      self.action = action
      self.version = version
      self.states = states
    }
  }

  @usableFromInline let observers: [TransitionObserver<State>]
  @usableFromInline let endings: [@Sendable () -> Void]
  /// Whether a plug-in asks for the states around each action.
  @usableFromInline let keepsStates: Bool
  @usableFromInline var entries: [Entry] = []

  @inlinable
  init(plugins: [Plugin<State>]) {
    observers = plugins.compactMap(\.onTransition)
    endings = plugins.compactMap(\.onStoreEnd)
    keepsStates = observers.contains { if case .states = $0.kind { true } else { false } }
  }

  @inlinable var isObserved: Bool { !observers.isEmpty }

  @inlinable
  mutating func append(_ action: any Action, version: UInt64, states: (before: State, after: State)?) {
    entries.append(Entry(action: action, version: version, states: states))
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
          guard let states = entry.states else { continue }
          observe(
            StateTransition(
              action: entry.action, version: entry.version, before: states.before, after: states.after))
        }
      }
    }
  }

  /// Tells every plug-in that the store has gone.
  @inlinable
  func finish() {
    for end in endings { end() }
  }
}
