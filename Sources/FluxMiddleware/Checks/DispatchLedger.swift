import FluxCore

/// A pure state machine that records the dispatches that are running.
struct DispatchLedger: Sendable {
  /// The dispatches that are running on one thread.
  private struct Thread: Sendable {
    /// The types of the actions that are being dispatched, with the innermost action last, and
    /// whether each of these actions has started work.
    var underWay: [(type: any Action.Type, hasStartedWork: Bool)] = []
    /// The number of dispatches within the outermost dispatch.
    var nested = 0
    /// The observer calls that are in progress: the time at which they began, the type of the
    /// action, and the number of dispatches that were running at that time.
    var pass: (since: Duration, type: any Action.Type, depth: Int)?
  }

  /// The time that the observers took to handle an action.
  struct Pass: Sendable {
    let type: any Action.Type
    let duration: Duration
  }

  private var threads: [ThreadIdentity: Thread] = [:]

  /// A Boolean value that indicates whether no dispatch is running.
  var isEmpty: Bool { threads.isEmpty }

  /// Records that a dispatch has begun, and returns the number of dispatches within the
  /// outermost dispatch.
  mutating func began(_ type: any Action.Type, on thread: ThreadIdentity) -> Int {
    var ledger = threads[thread] ?? Thread()
    if !ledger.underWay.isEmpty { ledger.nested += 1 }
    ledger.underWay.append((type, false))
    threads[thread] = ledger
    return ledger.nested
  }

  /// Records that the innermost action of a thread has started work.
  mutating func startedWork(on thread: ThreadIdentity) {
    guard let last = threads[thread]?.underWay.indices.last else { return }
    threads[thread]?.underWay[last].hasStartedWork = true
  }

  /// Returns whether the innermost action of a thread has started work, or `nil` if that action
  /// has another type.
  func hasStartedWork(_ type: any Action.Type, on thread: ThreadIdentity) -> Bool? {
    guard let last = threads[thread]?.underWay.last, last.type == type else { return nil }
    return last.hasStartedWork
  }

  /// Records that the observers of a transition are about to be called, and returns the time that
  /// the observers of the preceding transition took, if any.
  mutating func passBegan(_ type: any Action.Type, on thread: ThreadIdentity, at now: Duration) -> Pass? {
    guard let ledger = threads[thread] else { return nil }
    let last = ledger.pass
    threads[thread]?.pass = (now, type, ledger.underWay.count)
    return last.map { Pass(type: $0.type, duration: now - $0.since) }
  }

  /// Records that a dispatch has returned, and returns the time that the observers took, if any
  /// were called within the dispatch.
  mutating func returned(on thread: ThreadIdentity, at now: Duration) -> Pass? {
    guard var ledger = threads[thread] else { return nil }
    let ended = ledger.pass.flatMap { $0.depth >= ledger.underWay.count ? $0 : nil }
    if ended != nil { ledger.pass = nil }
    ledger.underWay.removeLast()
    threads[thread] = ledger.underWay.isEmpty ? nil : ledger
    return ended.map { Pass(type: $0.type, duration: now - $0.since) }
  }
}
