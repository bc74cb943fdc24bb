import FluxCore
import FluxMiddleware
import Foundation

/// The pending actions of a client and its confirmed state, as they are kept in an ``ActionLog``.
///
/// An entry of the log contains one action with its number. The numbers are consecutive. The
/// snapshot contains the confirmed state, and its position is the position of the first pending
/// action.
struct Outbox: Sendable {
  /// An entry of the log.
  struct Entry: Codable, Hashable {
    let number: UInt64
    let action: EncodedAction
  }

  /// The contents of the snapshot.
  private struct Saved<Shared: Codable>: Codable {
    let client: ClientID
    let state: Shared
    let position: LogPosition
    let number: UInt64
    let ids: TemporaryIDs
  }

  let log: any ActionLog
  let actions: ActionRegistry

  init(_ log: any ActionLog, _ actions: ActionRegistry) {
    self.log = log
    self.actions = actions
  }

  // MARK: Actions

  /// Encodes an action.
  func encode(_ action: any Action) throws(ReplicaError) -> EncodedAction {
    if action is ActionWithoutContents { return .withoutContents }
    let type = type(of: action)
    do {
      if let name = actions.name(of: type), let data = try actions.encode(action) {
        return EncodedAction(name: name, json: String(decoding: data, as: UTF8.self))
      }
    } catch {
      throw ReplicaError(.unencodable, error.description)
    }
    throw ReplicaError(.unencodable, "The action type \(type) is not registered.")
  }

  /// Decodes an action.
  func decode(_ action: EncodedAction) throws(ReplicaError) -> any Action {
    if action == .withoutContents { return ActionWithoutContents() }
    do {
      return try actions.decode(action.name, from: Data(action.json.utf8))
    } catch {
      throw ReplicaError(.undecodable, error.description)
    }
  }

  /// Returns a Boolean value that indicates whether an action of the client and a decoded action
  /// are the same.
  ///
  /// Actions that are not equal, or not `Equatable`, are compared as JSON, because an encoding can
  /// lose details.
  func isSame(_ own: any Action, _ decoded: any Action) -> Bool {
    if areDynamicallyEqual(own, decoded) == true { return true }
    guard let first = try? encode(own), let second = try? encode(decoded) else { return false }
    return first == second || first.name == second.name && first.contents == second.contents
  }

  /// Returns a Boolean value that indicates whether two actions differ at most in the order of
  /// elements, because a set is encoded in any order.
  func isReordered(_ own: any Action, _ decoded: any Action) -> Bool {
    guard let first = try? encode(own), let second = try? encode(decoded), first.name == second.name,
      let contents = first.contents
    else { return false }
    return contents.withoutOrder == second.contents?.withoutOrder
  }

  // MARK: Reading

  /// The contents of a log.
  struct Loaded<Shared: Codable & Sendable>: Sendable {
    let rules: Replica<Shared>.Rules
    let end: LogPosition
    /// The number of bytes of the snapshot.
    let savedCount: Int
  }

  /// Returns the replica in the log, or starts an empty log.
  func load<Shared: Codable & Sendable>(
    _ initial: Shared, client: ClientID, by reduce: Replica<Shared>.Rules.Reduce
  ) async throws(ReplicaError) -> Loaded<Shared> {
    do {
      let end = try await log.end()
      guard let snapshot = try await log.snapshot() else {
        guard end == .start else {
          throw ReplicaError(.undecodable, "The log of the outbox has no snapshot, but \(end) entries.")
        }
        let rules = Replica<Shared>.Rules(of: client, .init(initial), by: reduce)
        return Loaded(rules: rules, end: end, savedCount: try await save(rules, at: .start))
      }
      let entries = try await log.entries(from: snapshot.position)
      let rules = try rules(from: snapshot, entries, by: reduce)
      return Loaded(rules: rules, end: end, savedCount: snapshot.data.count)
    } catch let error as ReplicaError {
      throw error
    } catch {
      throw ReplicaError(.unwritable, "The outbox cannot be used: \(error)")
    }
  }

  private func rules<Shared: Codable & Sendable>(
    from snapshot: LogSnapshot, _ entries: [ActionLogEntry], by reduce: Replica<Shared>.Rules.Reduce
  ) throws(ReplicaError) -> Replica<Shared>.Rules {
    let decoder = JSONDecoder()
    do {
      let saved = try decoder.decode(Saved<Shared>.self, from: snapshot.data)
      // Each later action has a greater number.
      guard saved.number < 1 << 63 else {
        throw ReplicaError(.undecodable, "The outbox cannot have an action with number \(saved.number).")
      }
      var next = saved.number
      let written = try entries.map { entry in
        let decoded = try decoder.decode(Entry.self, from: entry.data)
        next += 1
        guard decoded.number == next else {
          throw ReplicaError(
            .undecodable,
            "The action at position \(entry.position) of the outbox has number "
              + "\(decoded.number), and not \(next).")
        }
        return Replica<Shared>.Rules.Pending(
          decoded.number, try decode(decoded.action).replacingTemporaryIDs(saved.ids))
      }
      return Replica<Shared>.Rules(
        of: saved.client, .init(saved.state, at: saved.position, number: saved.number, ids: saved.ids),
        written: written,
        by: reduce)
    } catch let error as ReplicaError {
      throw error
    } catch {
      throw ReplicaError(.undecodable, "The outbox cannot be decoded: \(error.codingReason).")
    }
  }

  // MARK: Writing

  /// Returns the contents of the entries of consecutive actions, and the actions as they are sent.
  ///
  /// An action that cannot be encoded is replaced by an action without a name and contents.
  func encode(
    _ actions: [(number: UInt64, action: any Action)], onProblem: (ReplicaError) -> Void
  ) -> [Data] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return actions.map { number, action in
      var encoded = EncodedAction.withoutContents
      do throws(ReplicaError) {
        encoded = try encode(action)
      } catch {
        onProblem(error)
      }
      // An integer and two texts can always be encoded.
      return (try? encoder.encode(Entry(number: number, action: encoded))) ?? Data()
    }
  }

  /// Appends entries at a position, or finds that an earlier try has appended them.
  func append(_ entries: [Data], at position: LogPosition) async throws(LogError) {
    do throws(LogError) {
      try await log.append(entries, at: position)
    } catch {
      guard error.code == .conflict, error.position == position.advanced(by: entries.count) else {
        throw error
      }
      let found = try await log.entries(from: position)
      guard found.map(\.data) == entries else { throw error }
    }
  }

  /// Saves the confirmed state of a replica as the snapshot of the log, and removes the actions
  /// whose outcome the state contains.
  ///
  /// - Parameter position: The position of the first pending action in the log.
  /// - Returns: The number of bytes of the snapshot.
  func save<Shared: Codable & Sendable>(
    _ rules: Replica<Shared>.Rules, at position: LogPosition
  ) async throws -> Int {
    let confirmed = rules.confirmed
    let saved = Saved(
      client: rules.client, state: confirmed.state, position: confirmed.position, number: confirmed.number,
      ids: confirmed.ids)
    let data = try JSONEncoder().encode(saved)
    try await log.save(LogSnapshot(position: position, data: data))
    try await log.truncate(before: position)
    return data.count
  }
}

/// An action in place of an action that could not be encoded, which a server refuses.
struct ActionWithoutContents: Action {}

extension EncodedAction {
  /// The encoding of an action without contents.
  static let withoutContents = EncodedAction(name: "", json: "")

  fileprivate var contents: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) }
}

extension JSONValue {
  fileprivate var withoutOrder: JSONValue {
    switch self {
    case .array(let elements):
      .array(
        elements.map(\.withoutOrder).map { (text: $0.sortedText, value: $0) }.sorted { $0.text < $1.text }
          .map(\.value))
    case .object(let members): .object(members.mapValues(\.withoutOrder))
    default: self
    }
  }

  private var sortedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
