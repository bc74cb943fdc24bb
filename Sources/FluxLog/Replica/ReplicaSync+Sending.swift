import FluxAsync
import FluxCore
import Foundation

// Actions are written to the outbox, and then sent to the server.

extension ReplicaSync {
  // MARK: Writing

  /// Starts a task that writes new actions, if there are any.
  func startWriting() {
    let timeline = contents.withLock { contents in
      contents.outbox.written < contents.outbox.newest ? contents.store?.context.scope.timeline : nil
    }
    // The store's release does not cancel a write.
    _ = timeline?.startTask { [self] in await write() }
  }

  /// Writes new actions until all are written, unless a write is in progress.
  func write() async {
    var failures = 0
    while let next = beginWrite() {
      // A replaced temporary id would change the encoding of an action that the log may contain.
      let entries = next.failed ?? outbox.encode(next.actions, onProblem: onProblem)
      do throws(LogError) {
        try await outbox.append(entries, at: next.end)
        failures = 0
        writeEnded(next.end.advanced(by: entries.count))
        send()
      } catch {
        onProblem(ReplicaError(.unwritable, "Actions cannot be written to the outbox: \(error)"))
        writeFailed(next, entries)
        failures += 1
        guard !next.isLast, await wait(afterFailures: failures) else { return }
      }
    }
  }

  /// Actions that are written together.
  private struct Write {
    let actions: [(number: UInt64, action: any Action)]
    /// The entries of the actions, if a write of these actions has failed.
    let failed: [Data]?
    /// The position at which the actions are appended.
    let end: LogPosition
    /// A Boolean value that indicates whether the write is not repeated if it fails, because the
    /// store was released before the write began.
    let isLast: Bool
  }

  private func beginWrite() -> Write? {
    contents.withLock { contents in
      guard !contents.hasStoppedWriting, let numbers = contents.outbox.beginWrite() else { return nil }
      return Write(
        actions: contents.actions(numbers), failed: contents.failedWrite.take(), end: contents.end,
        isLast: contents.hasEnded)
    }
  }

  private func writeEnded(_ end: LogPosition) {
    let ready = contents.withLock { contents in
      contents.outbox.writeEnded(isSuccess: true)
      contents.end = end
      return contents.takeReady()
    }
    for continuation in ready { continuation.resume() }
  }

  private func writeFailed(_ write: Write, _ entries: [Data]) {
    let ready = contents.withLock { contents in
      contents.outbox.writeEnded(isSuccess: false)
      contents.failedWrite = entries
      contents.hasStoppedWriting = write.isLast
      return contents.takeReady()
    }
    for continuation in ready { continuation.resume() }
  }

  /// Waits before a failed call is repeated.
  ///
  /// - Returns: `false` if the waiting task was canceled.
  func wait(afterFailures failures: Int) async -> Bool {
    guard let timeline = contents.withLock({ $0.store?.context.scope.timeline }) else { return false }
    let delay = backoff.wait(afterFailures: failures, chance: Backoff.chance())
    do {
      try await timeline.sleep(until: timeline.now + delay)
      return true
    } catch {
      return false
    }
  }

  // MARK: Saving

  /// Starts a task that saves the confirmed state, if it has changed much since it was saved.
  func saveIfDue() {
    let timeline = contents.withLock { contents in
      let isDue = contents.saving.isDue(at: contents.replica.confirmed.position)
      return isDue ? contents.store?.context.scope.timeline : nil
    }
    _ = timeline?.startTask { [self] in await save() }
  }

  /// Saves the confirmed state, and removes the actions whose outcome it contains from the outbox.
  func save() async {
    let next = contents.withLock { contents -> (rules: Rules, position: LogPosition)? in
      let (confirmed, outbox) = (contents.replica.confirmed, contents.outbox)
      guard !contents.isReporting, contents.saving.begin(at: confirmed.position) else { return nil }
      // The log ends with the written actions, whose numbers are consecutive.
      let count = Int(outbox.written - confirmed.number)
      return (contents.replica, LogPosition(contents.end.offset - UInt64(count)))
    }
    guard let next else { return }
    do {
      let count = try await outbox.save(next.rules, at: next.position)
      contents.withLock { contents in
        contents.saving.ended(count: count)
        contents.savedNumber = next.rules.confirmed.number
      }
    } catch {
      contents.withLock { $0.saving.ended(count: nil) }
      onProblem(ReplicaError(.unwritable, "The confirmed state cannot be saved: \(error)"))
    }
  }

  // MARK: Sending

  /// Starts a task that sends written actions, unless a call is in progress.
  func send() {
    let next = contents.withLock {
      contents -> (store: StoreProxy<State>, OutboxRules.Sending, [(number: UInt64, action: any Action)])? in
      guard !contents.isStopped, let store = contents.store, let sending = contents.outbox.beginSending()
      else {
        return nil
      }
      return (store, sending, contents.actions(sending.numbers))
    }
    guard let (store, sending, actions) = next else { return }
    store.context.scope.start { [self] in await push(actions, sending) }
  }

  private func push(_ actions: [(number: UInt64, action: any Action)], _ sending: OutboxRules.Sending) async {
    let (client, saved) = contents.withLock { ($0.replica.client, $0.savedNumber) }
    // An action that cannot be encoded was reported when it was written.
    let encoded = actions.map { (try? outbox.encode($0.action)) ?? .withoutContents }
    do {
      let received = try await server.push(
        PushedActions(
          from: client, firstNumber: sending.numbers.lowerBound, encoded, savedNumber: saved))
      let isProgress = try contents.withLock { try $0.outbox.answered(sending.call, received: received) }
      if isProgress { return send() }
      onProblem(
        ReplicaError(.unreachable, "The server has answered that it has received none of the sent actions."))
    } catch let error as OutboxRules.Mismatch {
      return stop(ReplicaError(error))
    } catch {
      contents.withLock { $0.outbox.failed(sending.call) }
      guard !Task.isCancelled else { return }
      onProblem(ReplicaError(.unreachable, "Actions cannot be sent to the server: \(error)"))
    }
    guard await wait(afterFailures: contents.withLock({ $0.outbox.failures })) else { return }
    contents.withLock { $0.outbox.waitEnded() }
    send()
  }

  /// Stops sending and receiving.
  func stop(_ error: ReplicaError) {
    let ready = contents.withLock { contents in
      contents.isStopped = true
      return contents.takeReady()
    }
    onProblem(error)
    for continuation in ready { continuation.resume() }
  }
}

extension ReplicaSync.Contents {
  /// Returns the pending actions with some numbers.
  func actions(_ numbers: OutboxRules.Numbers) -> [(number: UInt64, action: any Action)] {
    replica.pending.filter { numbers.contains($0.number) }.map { ($0.number, $0.change) }
  }
}

extension ReplicaError {
  /// Creates an error about an action in place of which the server has accepted another action.
  init(otherAction number: UInt64) {
    self.init(
      .otherAction, "The server has accepted another action instead of action \(number) of this client.")
  }

  /// Creates an error from the reason why a client and a server cannot continue.
  init(_ mismatch: OutboxRules.Mismatch) {
    self.init(
      .mismatch,
      mismatch == .clientIsOlder
        ? "The server has received actions of this client that are not in the outbox."
        : "The server does not know actions that it has confirmed.")
  }
}
