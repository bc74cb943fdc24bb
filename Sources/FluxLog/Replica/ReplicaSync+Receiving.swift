import FluxCore
import Foundation

// Entries of the server's log are dispatched as actions.

extension ReplicaSync {
  /// Receives entries until the task is canceled or the replica stops.
  func receiveAll() async {
    var failures = 0
    while !Task.isCancelled, !contents.withLock({ $0.isStopped }), let position = replica?.position {
      do {
        for try await entries in server.entries(from: position) {
          try await receive(entries)
          failures = 0
        }
      } catch let error as ReplicaError {
        return stop(error)
      } catch let error as LogError where error.code == .truncated {
        await receiveSnapshot()
      } catch let error as LogError where error.code == .outOfBounds {
        return stop(ReplicaError(.serverIsOlder))
      } catch {
        if !Task.isCancelled { report(error) }
      }
      failures += 1
      guard await wait(afterFailures: failures) else { return }
    }
  }

  private func report(_ error: any Error) {
    onProblem(ReplicaError(.unreachable, "Entries cannot be received from the server: \(error)"))
  }

  /// Dispatches entries, and reports refused actions.
  private func receive(_ received: [ReplicaEntry]) async throws {
    guard let replica else { return }
    let entries = try received.map { entry in
      Rules.Entry(at: entry.position, from: entry.client, entry.number, try outcome(of: entry))
    }
    let decisions: Rules.Decisions
    do throws(Rules.Mismatch) {
      decisions = try replica.rules.decisions(
        in: entries, replacingIDs: { $0.replacingTemporaryIDs($1) }, comparing: outbox.isSame)
    } catch {
      switch error {
      case .gap: throw error
      case .unknownAction: throw ReplicaError(.clientIsOlder)
      }
    }
    // The client sends an action after it has written the action.
    let own = entries.last { $0.client == replica.rules.client }?.number ?? 0
    guard own <= contents.withLock({ $0.outbox.written }) else { throw ReplicaError(.clientIsOlder) }
    for other in decisions.others where !outbox.isReordered(other.own.change, other.accepted) {
      onProblem(ReplicaError(otherAction: other.own.number))
    }
    let count = received.reduce(0) { $0 + $1.byteCount }
    contents.withLock { $0.saving.received(count) }
    await dispatch(
      ReceiveEntries<Shared>(identity: identity, entries: decisions.entries), reporting: decisions.refusals)
  }

  /// Dispatches an action, and then reports refused actions.
  ///
  /// The state is saved after the reports. Otherwise, a refusal would be lost if the program ended
  /// between the two.
  private func dispatch(_ action: any Action, reporting refusals: [Rules.Refusal]) async {
    guard !refusals.isEmpty else { return await dispatch(action) }
    contents.withLock { $0.isReporting = true }
    await dispatch(action)
    for refusal in refusals { await dispatch(ActionRefused(refusal.change, reason: refusal.reason)) }
    guard replica != nil else { return }
    contents.withLock { $0.isReporting = false }
    saveIfDue()
  }

  /// Dispatches an action, and waits until the action was handled.
  ///
  /// A dispatch can return before, for example while the store is being created. The next entries
  /// must be compared with the replica after the action.
  private func dispatch(_ action: any Action) async {
    guard let store = contents.withLock({ $0.store }) else { return }
    let ticket = DispatchTicket()
    ticket.carry { store.dispatch(action) }
    _ = await ticket.settledValue()
  }

  private func outcome(of entry: ReplicaEntry) throws(ReplicaError) -> Rules.Outcome {
    switch entry.outcome {
    case .accepted(let action): .accepted(try outbox.decode(action))
    case .changed(let action, let ids): .changed(try outbox.decode(action), ids: ids)
    case .refused(let reason): .refused(reason)
    }
  }

  /// Replaces the confirmed state by the newest state of the server.
  private func receiveSnapshot() async {
    do {
      let client = contents.withLock { $0.replica.client }
      let snapshot = try await server.snapshot(for: client)
      let state: Shared
      do {
        state = try JSONDecoder().decode(Shared.self, from: snapshot.state)
      } catch {
        return stop(ReplicaError(.undecodable, "The state of the server cannot be decoded: \(error)"))
      }
      // The decoder refuses such a position, but a transport can create it.
      guard snapshot.position.isPossible else {
        return stop(ReplicaError(.undecodable, "No log has the position \(snapshot.position)."))
      }
      let confirmed = Rules.Confirmed(
        state, at: snapshot.position, number: snapshot.number, ids: TemporaryIDs(snapshot.ids))
      let (replica, written) = contents.withLock { ($0.replica, $0.outbox.written) }
      let old = replica.confirmed
      guard snapshot.number <= written else { return stop(ReplicaError(.clientIsOlder)) }
      guard snapshot.number >= old.number, snapshot.position >= old.position else {
        return stop(ReplicaError(.serverIsOlder))
      }
      let rules = Rules(of: client, confirmed) { _, _ in }
      contents.withLock { $0.saving.received(snapshot.state.count) }
      let reasons = Dictionary(snapshot.refusals.map { ($0.number, $0.reason) }) { $1 }
      let refusals = replica.pending.prefix { $0.number <= snapshot.number }.compactMap { action in
        reasons[action.number].map { reason in
          Rules.Refusal(
            number: action.number, change: action.change.replacingTemporaryIDs(confirmed.ids),
            reason: reason)
        }
      }
      await dispatch(ReplaceReplica<Shared>(identity: identity, rules: rules), reporting: refusals)
    } catch {
      report(error)
    }
  }
}

extension ReplicaEntry {
  /// The approximate number of bytes of the entry.
  fileprivate var byteCount: Int {
    switch outcome {
    case .accepted(let action), .changed(let action, _): action.name.utf8.count + action.json.utf8.count
    case .refused(let reason): reason.utf8.count
    }
  }
}
