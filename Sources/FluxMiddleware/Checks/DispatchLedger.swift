import FluxCore

/// What the development checks know of the dispatches that are under way: pure, told of events.
struct DispatchLedger: Sendable {
  /// The dispatches under way on one thread, within one that nobody on the thread called.
  private struct Thread: Sendable {
    /// The actions on their way, the innermost last, and whether they have started work.
    var underWay: [(type: any Action.Type, hasStartedWork: Bool)] = []
    /// How many have been dispatched within the outermost one.
    var nested = 0
    /// Since when observers are being called, and for which action.
    var pass: (since: Duration, type: any Action.Type, depth: Int)?
  }

  /// How long observers took for an action.
  struct Pass: Sendable {
    let type: any Action.Type
    let duration: Duration
  }

  private var threads: [ThreadIdentity: Thread] = [:]

  /// Nothing is under way any more.
  var isEmpty: Bool { threads.isEmpty }

  /// A dispatch has begun; returns how many there were within the outermost one.
  mutating func began(_ type: any Action.Type, on thread: ThreadIdentity) -> Int {
    var ledger = threads[thread] ?? Thread()
    if !ledger.underWay.isEmpty { ledger.nested += 1 }
    ledger.underWay.append((type, false))
    threads[thread] = ledger
    return ledger.nested
  }

  /// The innermost action of a thread has started work.
  mutating func startedWork(on thread: ThreadIdentity) {
    guard let last = threads[thread]?.underWay.indices.last else { return }
    threads[thread]?.underWay[last].hasStartedWork = true
  }

  /// Whether the innermost action of a thread has started work; `nil` if it is not of that type.
  func hasStartedWork(_ type: any Action.Type, on thread: ThreadIdentity) -> Bool? {
    guard let last = threads[thread]?.underWay.last, last.type == type else { return nil }
    return last.hasStartedWork
  }

  /// A transition is about to be shown to observers; returns how long those of the one before took.
  mutating func passBegan(_ type: any Action.Type, on thread: ThreadIdentity, at now: Duration) -> Pass? {
    guard let ledger = threads[thread] else { return nil }
    let last = ledger.pass
    threads[thread]?.pass = (now, type, ledger.underWay.count)
    return last.map { Pass(type: $0.type, duration: now - $0.since) }
  }

  /// A dispatch has returned; returns how long the observers took, if it was that one which called them.
  mutating func returned(on thread: ThreadIdentity, at now: Duration) -> Pass? {
    guard var ledger = threads[thread] else { return nil }
    let ended = ledger.pass.flatMap { $0.depth >= ledger.underWay.count ? $0 : nil }
    if ended != nil { ledger.pass = nil }
    ledger.underWay.removeLast()
    threads[thread] = ledger.underWay.isEmpty ? nil : ledger
    return ended.map { Pass(type: $0.type, duration: now - $0.since) }
  }
}
