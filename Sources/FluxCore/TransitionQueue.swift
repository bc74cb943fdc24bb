/// The transitions that have been committed and not yet delivered, and the plug-ins that hear of them.
@usableFromInline
struct TransitionQueue<State: Sendable>: Sendable {
  private struct Entry: Sendable {
    let action: any Action
    let version: UInt64
    let states: (before: State, after: State)?
  }

  private let observers: [TransitionObserver<State>]
  private let endings: [@Sendable () -> Void]
  /// Whether a plug-in asks for the states around each action.
  @usableFromInline let keepsStates: Bool
  private var entries: [Entry] = []

  @usableFromInline
  init(plugins: [Plugin<State>]) {
    observers = plugins.compactMap(\.onTransition)
    endings = plugins.compactMap(\.onStoreEnd)
    keepsStates = observers.contains { if case .states = $0.kind { true } else { false } }
  }

  @usableFromInline var isObserved: Bool { !observers.isEmpty }

  @usableFromInline
  mutating func append(_ action: any Action, version: UInt64, states: (before: State, after: State)?) {
    entries.append(Entry(action: action, version: version, states: states))
  }

  /// Takes the queued transitions, and leaves an empty queue.
  @usableFromInline
  mutating func take() -> TransitionQueue? {
    guard !entries.isEmpty else { return nil }
    defer { entries = [] }
    return self
  }

  /// Tells every plug-in of every queued transition, in commit order.
  @usableFromInline
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
  @usableFromInline
  func finish() {
    for end in endings { end() }
  }
}
