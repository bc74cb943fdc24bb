import FluxCore
import FluxMiddleware

// At the end of an order, the run checks its rules and ends everything that still runs.

extension ExplorationRun {
  /// Checks the rules for the end of an order, and ends everything that still runs.
  func finish(_ task: StartedTask) async {
    // The test stores are released outside the lock, because their release resumes tasks.
    let (stores, test, held, observed, escaped, kept) = contents.withLock { contents in
      defer { (contents.observed, contents.stores) = ([], []) }
      return (
        contents.effects, contents.events.test, contents.events.heldCalls, contents.observed,
        contents.escaped, contents.stores
      )
    }
    defer { withExtendedLifetime(kept) {} }
    checkAtEnd(observed)
    if let escaped { fail("The run does not control everything: \(escaped).") }
    switch test {
    case .ended: break
    case .running: fail("The test waits for something that does not happen.")
    case .waiting(let count):
      fail("The test waits until \(count) calls are held, but held calls are \(held.listed).")
    }
    let running = stores.reduce(0) { $0 + $1.scope.count }
    if running > 0 {
      let waits = stores.flatMap { store in
        store.scope.unfinishedWork.map { "\n    \(text(of: $0, redacting: store.redaction))" }
      }.joined()
      fail("\(running.effects) still running at the end. Held calls: \(held.listed).\(waits)")
    }
    task.cancel()
    for store in stores { store.scope.cancelAll() }
    let (waiting, continuations) = contents.withLock { contents in
      contents.isOver = true
      _ = contents.events.removeAll()
      defer { contents.held = [:] }
      return (contents.waiting.take(), contents.held.sorted { $0.key < $1.key }.map(\.value))
    }
    waiting?.resume()
    for continuation in continuations { continuation.resume(throwing: CancellationError()) }
    // A task that ignores its cancellation and never ends is left suspended.
    for _ in 0..<Self.eventLimit {
      guard let (job, executor) = contents.withLock({ $0.takeAnyStep() }) else { return }
      (executor == .timers ? timers : self.executor).perform(job)
    }
  }

  /// Returns the name of work that has not ended, and what the work waits for.
  ///
  /// The text contains no values of an action of a store that the run does not know.
  private func text(of work: UnfinishedWork, redacting redaction: Redaction?) -> String {
    let name =
      work.action.map { action in
        redaction.map { action.logText(redacting: $0) } ?? "\(type(of: action))"
      } ?? "work that has returned"
    let (call, isHolding) = contents.withLock { contents in
      (contents.events.onlyCall(of: name), !contents.events.heldCalls.isEmpty)
    }
    return switch work.wait {
    case .interval: "\(name) waits for the end of its interval."
    case .earlierWork: "\(name) waits for earlier work."
    case .startedWork: "\(name) waits for work that it has started."
    case .operation:
      if let call {
        "\(name) waits for the answer to \(call)."
      } else if isHolding {
        // A child task of the work can hold the call, or work with the same name.
        "\(name) has not returned."
      } else {
        "\(name) waits for something that does not happen."
      }
    }
  }
}

extension [String] {
  fileprivate var listed: String { isEmpty ? "none" : joined(separator: ", ") }
}

extension ExplorationRun.Contents {
  fileprivate enum Executor: Sendable {
    case timers, tasks
  }

  fileprivate mutating func takeAnyStep() -> (Int, Executor)? {
    if !timerSteps.isEmpty { return (timerSteps.removeFirst(), .timers) }
    if !ownSteps.isEmpty { return (ownSteps.removeFirst(), .tasks) }
    return events.takeLastStep().map { ($0.job, .tasks) }
  }
}
