import FluxAsync
import FluxCore

/// The reason why a test store stopped waiting.
enum WaitEnd: Sendable {
  case arrived
  case timedOut
  case cancelled
}

/// The transitions of a test store that have not been asserted yet, with their origins.
///
/// A transition belongs to a `send` if its action is reduced on the thread of the `send` before
/// the `send` returns. However, the transitions of nested dispatches do not belong to a `send`.
/// The action of a transition that belongs to a `send` is the sent action, or an action that
/// middleware passed on instead. A transition that does not belong to a `send` comes from
/// effects.
struct TransitionLog<State: Sendable>: Sendable {
  /// An action with the states before and after it.
  struct Step: Sendable {
    let action: any Action
    let before: State
    let after: State
  }

  private struct Entry: Sendable {
    let step: Step
    /// The thread of the `send` that the transition belongs to; `nil` if the transition came
    /// from effects.
    var sender: ThreadIdentity?
  }

  private var entries: [Entry] = []
  /// The number of dispatches in progress for each sending thread: one for the `send`, and one
  /// more for each nested dispatch.
  private var depths: [ThreadIdentity: Int] = [:]
  private var waits: [OneShot<WaitEnd>] = []

  // MARK: - Recording events

  mutating func sendBegan(by thread: ThreadIdentity) {
    depths[thread] = 0
  }

  /// Records that an action has entered the chain.
  mutating func dispatchBegan(by thread: ThreadIdentity) {
    if let depth = depths[thread] { depths[thread] = depth + 1 }
  }

  /// Records that the call to the chain has returned.
  mutating func dispatchEnded(by thread: ThreadIdentity) {
    if let depth = depths[thread] { depths[thread] = depth - 1 }
  }

  mutating func reduced(_ step: Step, by thread: ThreadIdentity) {
    entries.append(Entry(step: step, sender: depths[thread] == 1 ? thread : nil))
  }

  /// Removes and returns the transition of a `send`.
  ///
  /// The method returns the first transition of the `send` whose action has the type of the
  /// sent action. If no action has the type of the sent action, the method returns the first
  /// transition of the `send`.
  ///
  /// If a middleware passed on more than one action, the other actions count as received.
  mutating func sendEnded(by thread: ThreadIdentity, type: any Action.Type) -> Step? {
    depths[thread] = nil
    let own = entries.indices.filter { entries[$0].sender == thread }
    for index in own { entries[index].sender = nil }
    let sent = own.first { Swift.type(of: entries[$0].step.action) == type }
    return (sent ?? own.first).map { entries.remove(at: $0).step }
  }

  // MARK: - Receiving

  /// Removes and returns the first transition from effects.
  mutating func takeReceived() -> Step? {
    guard let index = entries.firstIndex(where: { $0.sender == nil }) else { return nil }
    return entries.remove(at: index).step
  }

  /// Removes and returns all transitions from effects.
  mutating func takeAllReceived() -> [Step] {
    defer { entries.removeAll { $0.sender == nil } }
    return entries.filter { $0.sender == nil }.map(\.step)
  }

  private var hasReceived: Bool { entries.contains { $0.sender == nil } }

  /// Adds the continuation of a task that waits for a transition from effects, and returns
  /// whether the task has to wait.
  mutating func add(_ wait: OneShot<WaitEnd>) -> Bool {
    if hasReceived { return false }
    waits.append(wait)
    return true
  }

  mutating func remove(_ wait: OneShot<WaitEnd>) {
    waits.removeAll { $0 === wait }
  }

  /// Removes and returns the continuations of the waiting tasks if a transition from effects has
  /// arrived.
  mutating func takeEndedWaits() -> [OneShot<WaitEnd>] {
    guard !waits.isEmpty, hasReceived else { return [] }
    defer { waits = [] }
    return waits
  }
}
