public import FluxCore
public import FluxMiddleware
import Foundation

/// A server that orders the actions of its clients in a log, and reduces them.
///
/// ```swift
/// let server = try await ReplicaServer(
///   on: FileLog(in: folder), actions: actions, startingWith: ShoppingList(), reducer: reduceList)
/// ```
///
/// Each client is connected by a ``ReplicaSync``. The server is a ``ReplicaTransport``, so a test
/// can connect both without a network.
///
/// Several servers can use one log. If another server has appended entries, a server first reduces
/// them, decides again, and appends at the new end of the log.
///
/// The server does not save its state by itself. Call ``save()`` regularly, for example once an
/// hour. Otherwise the log grows, and a start takes longer.
///
/// When ``push(_:)`` returns, the log contains the actions. Actions that arrive during an append
/// are appended together afterward. The cost of an append does not depend on the number of clients.
/// You can call every member from any thread.
public final class ReplicaServer<Shared: Codable & Sendable>: ReplicaTransport {
  typealias Rules = ServerRules<Shared>

  /// An entry of the log, without its position.
  private struct Logged: Codable {
    let client: ClientID
    let number: UInt64
    let outcome: ReplicaEntry.Outcome
    /// Entries of earlier versions contain no number.
    let saved: UInt64?
  }

  /// The contents of a snapshot.
  private struct Saved: Codable {
    let state: Shared
    let clients: SyncedClients
    let ids: [ClientID: TemporaryIDs]
    /// Snapshots of earlier versions contain no refusals.
    let refusals: [ClientID: [UInt64: String]]?
  }

  private struct Call: Sendable {
    let actions: PushedActions
    let continuation: CheckedContinuation<UInt64, any Error>
  }

  private struct Contents: Sendable {
    var rules: Rules
    var calls: [Call] = []
    var isAppending = false
  }

  private let log: any ActionLog
  private let outbox: Outbox
  private let decide: @Sendable (Shared, any Action) -> ReplicaDecision
  private let reducer: MutatingReducer<Shared>
  private let contents: Locked<Contents>

  /// Reads the log, and reduces its entries.
  ///
  /// - Parameters:
  ///   - log: The log of all actions.
  ///   - actions: The types of the actions. An action of another type is refused.
  ///   - initial: The state before the first entry of the log.
  ///   - decide: A closure that decides about an action in a state. The default accepts every
  ///     action. The closure has no effects, because an action is decided again if another server
  ///     was faster.
  ///   - reducer: The reducer, which the clients use too.
  /// - Throws: ``ReplicaError/Code/undecodable`` or a ``LogError``.
  public init(
    on log: any ActionLog, actions: ActionRegistry, startingWith initial: Shared,
    deciding decide: @escaping @Sendable (_ state: Shared, _ action: any Action) -> ReplicaDecision = {
      _, _ in .accept
    },
    reducer: @escaping MutatingReducer<Shared>
  ) async throws {
    self.log = log
    self.decide = decide
    self.reducer = reducer
    outbox = Outbox(log, actions)
    contents = Locked(Contents(rules: try await Self.saved(in: log) ?? Rules(initial)))
    try await catchUp()
  }

  /// Returns the contents of the snapshot of a log, or `nil` if the log has none.
  private static func saved(in log: any ActionLog) async throws -> Rules? {
    guard let snapshot = try await log.snapshot() else { return nil }
    do {
      let saved = try JSONDecoder().decode(Saved.self, from: snapshot.data)
      return Rules(
        saved.state, saved.clients, ids: saved.ids, refusals: saved.refusals ?? [:], at: snapshot.position)
    } catch {
      throw ReplicaError(.undecodable, "The snapshot cannot be decoded: \(error.codingReason).")
    }
  }

  /// The state after all entries that the server has reduced.
  public var state: Shared { contents.withLock { $0.rules.state } }

  /// The position of the first entry that the server has not reduced.
  public var position: LogPosition { contents.withLock { $0.rules.position } }

  /// Calls a closure with the rules, for tests.
  func withRules<Value: Sendable>(_ body: (Rules) -> Value) -> Value {
    contents.withLock { body($0.rules) }
  }

  // MARK: - Clients

  /// Appends actions to the log, and returns the number of the newest action of the client that
  /// the log contains.
  ///
  /// Actions that the log contains already are ignored. If an earlier action of the client is
  /// missing, all actions are ignored.
  public func push(_ actions: PushedActions) async throws -> UInt64 {
    try await withCheckedThrowingContinuation { continuation in
      contents.withLock { $0.calls.append(Call(actions: actions, continuation: continuation)) }
      append()
    }
  }

  /// Returns the entries of the log from a position on, and waits for new entries.
  public func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
    EntryBatches(of: log, from: position) { entry in
      let logged = try JSONDecoder().decode(Logged.self, from: entry.data)
      return ReplicaEntry(at: entry.position, from: logged.client, number: logged.number, logged.outcome)
    }
  }

  /// Returns the state of the server, after all entries of the log.
  public func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
    // The client may have received entries from another server.
    try await catchUp()
    let rules = contents.withLock { $0.rules.part(of: [client]) }
    let refusals = (rules.refusals[client] ?? [:]).sorted { $0.key < $1.key }
    return ReplicaSnapshot(
      at: rules.position, number: rules.clients.received(from: client),
      ids: rules.ids[client]?.dictionary ?? [:],
      refusals: refusals.map { ReplicaSnapshot.Refusal(number: $0.key, reason: $0.value) },
      state: try JSONEncoder().encode(rules.state))
  }

  /// Reduces the entries that other servers have appended.
  ///
  /// If another server has saved a snapshot and removed some of these entries, the method begins
  /// with the snapshot.
  public func catchUp() async throws {
    while true {
      let position = position
      let entries: [ActionLogEntry]
      do throws(LogError) {
        entries = try await log.entries(from: position, limit: 1_000)
      } catch {
        guard error.code == .truncated, let saved = try await Self.saved(in: log), saved.position > position
        else { throw error }
        contents.withLock { contents in
          if contents.rules.position < saved.position { contents.rules = saved }
        }
        continue
      }
      guard !entries.isEmpty else { return }
      let decoded = try entries.map(decode)
      contents.withLock { contents in
        // Another call may have reduced the entries in the meantime.
        if contents.rules.position == position { contents.rules.receive(decoded, by: reducer) }
      }
    }
  }

  /// Saves a snapshot of the state in the log, and removes the entries before it.
  public func save() async throws {
    let rules = contents.withLock { $0.rules }
    let data = try JSONEncoder().encode(
      Saved(state: rules.state, clients: rules.clients, ids: rules.ids, refusals: rules.refusals))
    try await log.save(LogSnapshot(position: rules.position, data: data))
    try await log.truncate(before: rules.position)
  }

  // MARK: - Appending

  /// Starts a task that appends the actions of all waiting calls, unless a task is running.
  private func append() {
    let starts = contents.withLock { contents in
      guard !contents.isAppending, !contents.calls.isEmpty else { return false }
      contents.isAppending = true
      return true
    }
    guard starts else { return }
    _ = Timeline.current.startTask { [self] in
      while let calls = nextCalls() {
        do {
          let received = try await append(calls)
          for (call, number) in zip(calls, received) { call.continuation.resume(returning: number) }
        } catch {
          for call in calls { call.continuation.resume(throwing: error) }
        }
      }
    }
  }

  private func nextCalls() -> [Call]? {
    contents.withLock { contents in
      guard !contents.calls.isEmpty else {
        contents.isAppending = false
        return nil
      }
      defer { contents.calls = [] }
      return contents.calls
    }
  }

  /// Appends the actions of several calls, and returns the number of the newest action of each
  /// client.
  private func append(_ calls: [Call]) async throws -> [UInt64] {
    let actions = calls.map { call in call.actions.actions.map(outcome) }
    let clients = Set(calls.map(\.actions.client))
    while true {
      var new = contents.withLock { $0.rules.part(of: clients) }
      let old = new.position
      let entries = zip(calls, actions).flatMap { call, actions in
        new.decide(
          about: actions, from: call.actions.firstNumber, of: call.actions.client,
          saved: call.actions.savedNumber, deciding: decide, by: reducer)
      }
      guard !entries.isEmpty else {
        // Another server may have appended the actions, or the earlier actions that are missing.
        try await catchUp()
        if position != old { continue }
        return received(by: calls)
      }
      let data = try entries.map(encode)
      do throws(LogError) {
        try await log.append(data, at: old)
      } catch {
        guard error.code == .conflict else { throw error }
        try await catchUp()
        continue
      }
      contents.withLock { [new] contents in
        // A call of `catchUp()` may have reduced the entries in the meantime.
        if contents.rules.position == old { contents.rules.take(new, of: clients) }
      }
      return received(by: calls)
    }
  }

  private func received(by calls: [Call]) -> [UInt64] {
    contents.withLock { contents in
      calls.map { contents.rules.clients.received(from: $0.actions.client) }
    }
  }

  // MARK: - Coding

  private func outcome(of action: EncodedAction) -> Replica<Shared>.Rules.Outcome {
    if action == .withoutContents { return .refused("The client could not encode the action.") }
    do throws(ReplicaError) {
      return .accepted(try outbox.decode(action))
    } catch {
      return .refused(error.message)
    }
  }

  private func decode(_ entry: ActionLogEntry) throws(ReplicaError) -> Rules.Entry {
    do {
      let logged = try JSONDecoder().decode(Logged.self, from: entry.data)
      let outcome: Replica<Shared>.Rules.Outcome =
        switch logged.outcome {
        case .accepted(let action): .accepted(try outbox.decode(action))
        case .changed(let action, let ids): .changed(try outbox.decode(action), ids: ids)
        case .refused(let reason): .refused(reason)
        }
      return Rules.Entry(
        client: logged.client, number: logged.number, outcome: outcome, saved: logged.saved ?? 0)
    } catch {
      throw ReplicaError(.undecodable, "The entry at position \(entry.position) cannot be decoded: \(error)")
    }
  }

  private func encode(_ entry: Rules.Entry) throws -> Data {
    let outcome: ReplicaEntry.Outcome =
      switch entry.outcome {
      case .accepted(let action): .accepted(try outbox.encode(action))
      case .changed(let action, let ids): .changed(try outbox.encode(action), ids: ids)
      case .refused(let reason): .refused(reason: reason)
      }
    return try JSONEncoder().encode(
      Logged(client: entry.client, number: entry.number, outcome: outcome, saved: entry.saved))
  }
}
