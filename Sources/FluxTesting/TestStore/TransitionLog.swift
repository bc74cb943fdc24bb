import FluxCore

/// The transitions of a test store that no test has asserted yet, told apart by where they came from.
///
/// What is reduced while a `send` runs, on its thread, and was not dispatched anew from in there, belongs to the send:
/// its action, or what the middleware made of it. Everything else came from effects.
struct TransitionLog<State: Sendable>: Sendable {
  /// An action, and the states around it.
  struct Step: Sendable {
    let action: any Action
    let before: State
    let after: State
  }

  private struct Entry: Sendable {
    let step: Step
    /// The thread whose send it belongs to; `nil` if it came from effects.
    var sender: ThreadIdentity?
  }

  private var entries: [Entry] = []
  /// How many dispatches each sending thread is in: one for the send, more while something dispatches from in there.
  private var depths: [ThreadIdentity: Int] = [:]
  private var waits: [LimitedWait] = []

  // MARK: - What happens

  mutating func sendBegan(by thread: ThreadIdentity) {
    depths[thread] = 0
  }

  /// An action enters the chain.
  mutating func dispatchBegan(by thread: ThreadIdentity) {
    if let depth = depths[thread] { depths[thread] = depth + 1 }
  }

  /// The chain has returned.
  mutating func dispatchEnded(by thread: ThreadIdentity) {
    if let depth = depths[thread] { depths[thread] = depth - 1 }
  }

  mutating func reduced(_ step: Step, by thread: ThreadIdentity) {
    entries.append(Entry(step: step, sender: depths[thread] == 1 ? thread : nil))
  }

  /// Takes what was sent: the first of its type that belongs to the send, or else the first.
  ///
  /// If there is more, because a middleware passed on more than one, that has to be received.
  mutating func sendEnded(by thread: ThreadIdentity, type: any Action.Type) -> Step? {
    depths[thread] = nil
    let own = entries.indices.filter { entries[$0].sender == thread }
    for index in own { entries[index].sender = nil }
    let sent = own.first { Swift.type(of: entries[$0].step.action) == type }
    return (sent ?? own.first).map { entries.remove(at: $0).step }
  }

  // MARK: - What is received

  /// Takes the first that came from effects.
  mutating func takeReceived() -> Step? {
    guard let index = entries.firstIndex(where: { $0.sender == nil }) else { return nil }
    return entries.remove(at: index).step
  }

  /// Takes all that came from effects.
  mutating func takeAllReceived() -> [Step] {
    defer { entries.removeAll { $0.sender == nil } }
    return entries.filter { $0.sender == nil }.map(\.step)
  }

  private var hasReceived: Bool { entries.contains { $0.sender == nil } }

  /// Notes a wait for something from effects, unless it is over already.
  mutating func add(_ wait: LimitedWait) -> Bool {
    if hasReceived { return false }
    waits.append(wait)
    return true
  }

  mutating func remove(_ wait: LimitedWait) {
    waits.removeAll { $0 === wait }
  }

  /// Takes the waits that are over.
  mutating func takeEndedWaits() -> [LimitedWait] {
    guard hasReceived else { return [] }
    defer { waits = [] }
    return waits
  }
}
