/// The rules of a state that a client shows before a server has confirmed it.
///
/// The server orders the actions of all clients in a log. The confirmed state contains the effects
/// of the entries of the log before a position. The shown state also contains the effects of the
/// client's own actions that are not in these entries. When entries arrive, the replica reduces
/// the remaining actions again on the new confirmed state. Reducers are pure, so this is a replay,
/// and not a merge.
///
/// The value has no lock, no task, and no storage. A client that is killed continues with a saved
/// copy of the confirmed state and with the actions on its disk.
package struct ReplicaRules<State: Sendable, Change: Sendable>: Sendable {
  package typealias Reduce = (inout State, Change) -> Void
  /// A function that replaces temporary ids in an action by the server's ids.
  package typealias ReplaceIDs = (Change, TemporaryIDs) -> Change

  /// An action of the client that the server has not confirmed or refused.
  package struct Pending: Sendable {
    package let number: UInt64
    package let change: Change

    package init(_ number: UInt64, _ change: Change) {
      self.number = number
      self.change = change
    }
  }

  /// A confirmed state, which a client can save.
  package struct Confirmed: Sendable {
    package fileprivate(set) var state: State
    /// The position of the first entry whose effect the state does not contain.
    package fileprivate(set) var position: LogPosition
    /// The number of the client's newest action that the server has confirmed or refused in the
    /// entries before the position.
    ///
    /// The number is saved together with the state. The actions on the disk can include actions
    /// whose effects the state contains already.
    package fileprivate(set) var number: UInt64
    /// The server's ids for the temporary ids that the client has given.
    package fileprivate(set) var ids: TemporaryIDs

    package init(
      _ state: State, at position: LogPosition = .start, number: UInt64 = 0, ids: TemporaryIDs = [:]
    ) {
      self.state = state
      self.position = position
      self.number = number
      self.ids = ids
    }
  }

  /// The result of an action, or the reason why the server has refused it.
  package enum Outcome: Sendable {
    case accepted(Change)
    /// The server has accepted another action instead, and has replaced temporary ids.
    case changed(Change, ids: [String: String])
    case refused(String)
  }

  /// An entry of the server's log.
  package struct Entry: Sendable {
    package let position: LogPosition
    package let client: ClientID
    /// The number of the action among the actions of its client.
    package let number: UInt64
    package let outcome: Outcome

    package init(at position: LogPosition, from client: ClientID, _ number: UInt64, _ outcome: Outcome) {
      self.position = position
      self.client = client
      self.number = number
      self.outcome = outcome
    }
  }

  /// An action of this client that the server has refused.
  package struct Refusal: Sendable {
    package let number: UInt64
    package let change: Change
    package let reason: String
  }

  /// A reason why entries cannot be received.
  package enum Mismatch: Error, Hashable, Sendable {
    /// The entries do not continue the confirmed state, which ends at the position.
    case gap(at: LogPosition)
    /// The log contains an action of the client that the client does not know.
    case unknownAction(number: UInt64)
  }

  package let client: ClientID
  package private(set) var confirmed: Confirmed
  /// The confirmed state with the effects of the pending actions.
  package private(set) var shown: State
  /// The actions that the server has not confirmed or refused, in their order.
  package private(set) var pending: [Pending] = []

  /// The number of the client's newest action, or zero.
  package var newest: UInt64 { pending.last?.number ?? confirmed.number }

  /// Creates a replica from a confirmed state and the actions on the disk.
  ///
  /// - Parameters:
  ///   - client: The identity of the client.
  ///   - confirmed: The confirmed state.
  ///   - written: The actions on the disk, in their order. The replica ignores actions whose
  ///     outcome the confirmed state contains.
  ///   - reduce: The reducer.
  package init(of client: ClientID, _ confirmed: Confirmed, written: [Pending] = [], by reduce: Reduce) {
    self.client = client
    self.confirmed = confirmed
    shown = confirmed.state
    for action in written where action.number > confirmed.number { add(action, by: reduce) }
  }

  /// Adds an action of the client, and reduces it on the shown state.
  package mutating func add(_ action: Pending, by reduce: Reduce) {
    pending.append(action)
    reduce(&shown, action.change)
  }

  /// Receives entries of the log.
  ///
  /// Entries that the confirmed state contains already are ignored. For k pending actions and n
  /// new entries, the method reduces n actions on the confirmed state. If the entries contain
  /// anything else than the client's next pending actions, the method also reduces up to k actions
  /// on the shown state.
  ///
  /// - Parameters:
  ///   - entries: Consecutive entries, in their order.
  ///   - replaceIDs: A function that replaces temporary ids in the remaining actions.
  ///   - reduce: The reducer.
  /// - Returns: The client's actions that the server has refused.
  /// - Throws: A ``Mismatch``. The replica has not changed.
  package mutating func receive(
    _ entries: [Entry], replacingIDs replaceIDs: ReplaceIDs = { change, _ in change }, by reduce: Reduce
  ) throws(Mismatch) -> [Refusal] {
    let new = entries.drop { $0.position < confirmed.position }
    try check(new)
    var refusals: [Refusal] = []
    var isShownOutdated = false
    for entry in new {
      if entry.client == client {
        let action = pending.removeFirst()
        confirmed.number = action.number
        switch entry.outcome {
        case .accepted: break
        case .changed(_, let ids):
          confirmed.ids.add(ids)
          if !ids.isEmpty {
            let new = TemporaryIDs(ids)
            pending = pending.map { Pending($0.number, replaceIDs($0.change, new)) }
          }
          isShownOutdated = true
        case .refused(let reason):
          refusals.append(Refusal(number: action.number, change: action.change, reason: reason))
          isShownOutdated = true
        }
      } else if entry.outcome.change != nil {
        isShownOutdated = true
      }
      if let change = entry.outcome.change { reduce(&confirmed.state, change) }
      confirmed.position = entry.position.advanced(by: 1)
    }
    if isShownOutdated { replay(by: reduce) }
    return refusals
  }

  /// The client's actions in entries, with the server's decisions.
  package struct Decisions {
    /// The entries, in which an accepted action that differs from the action of the client is a
    /// changed action.
    package fileprivate(set) var entries: [Entry]
    /// The actions that the server has refused.
    package fileprivate(set) var refusals: [Refusal] = []
    /// The actions instead of which the server has accepted another action.
    package fileprivate(set) var others: [(own: Pending, accepted: Change)] = []
  }

  /// Compares entries with the actions of the client.
  ///
  /// - Parameters:
  ///   - entries: Consecutive entries, in their order.
  ///   - replaceIDs: A function that replaces temporary ids in the remaining actions.
  ///   - isSame: A function that returns whether an accepted action of the log is the given action
  ///     of the client.
  /// - Throws: A ``Mismatch`` if ``receive(_:replacingIDs:by:)`` would throw it.
  package func decisions(
    in entries: [Entry], replacingIDs replaceIDs: ReplaceIDs = { change, _ in change },
    comparing isSame: (_ own: Change, _ accepted: Change) -> Bool = { _, _ in true }
  ) throws(Mismatch) -> Decisions {
    let first = entries.firstIndex { $0.position >= confirmed.position } ?? entries.endIndex
    try check(entries[first...])
    var decisions = Decisions(entries: entries)
    var ids = TemporaryIDs()
    var own = pending[...]
    for index in first..<entries.endIndex where entries[index].client == client {
      guard let action = own.popFirst() else { break }
      let change = ids.isEmpty ? action.change : replaceIDs(action.change, ids)
      switch entries[index].outcome {
      case .accepted(let accepted):
        if isSame(change, accepted) { continue }
        let entry = entries[index]
        decisions.entries[index] = Entry(
          at: entry.position, from: client, entry.number, .changed(accepted, ids: [:]))
        decisions.others.append((Pending(action.number, change), accepted))
      case .changed(_, let new): ids.add(new)
      case .refused(let reason):
        decisions.refusals.append(Refusal(number: action.number, change: change, reason: reason))
      }
    }
    return decisions
  }

  /// Checks that new entries continue the confirmed state, and that the client knows its actions.
  private func check(_ new: ArraySlice<Entry>) throws(Mismatch) {
    var position = confirmed.position
    var own = pending[...]
    for entry in new {
      guard entry.position == position, position.isPossible else { throw .gap(at: position) }
      position = position.advanced(by: 1)
      guard entry.client == client else { continue }
      guard own.popFirst()?.number == entry.number else { throw .unknownAction(number: entry.number) }
    }
  }

  private mutating func replay(by reduce: Reduce) {
    shown = confirmed.state
    for action in pending { reduce(&shown, action.change) }
  }
}

extension ReplicaRules.Outcome {
  /// The action that the server has accepted, or `nil`.
  package var change: Change? {
    switch self {
    case .accepted(let change), .changed(let change, _): change
    case .refused: nil
    }
  }
}

extension ReplicaRules.Pending: Equatable where Change: Equatable {}
extension ReplicaRules.Pending: Hashable where Change: Hashable {}
extension ReplicaRules.Confirmed: Equatable where State: Equatable {}
extension ReplicaRules.Confirmed: Hashable where State: Hashable {}
extension ReplicaRules.Outcome: Equatable where Change: Equatable {}
extension ReplicaRules.Outcome: Hashable where Change: Hashable {}
extension ReplicaRules.Entry: Equatable where Change: Equatable {}
extension ReplicaRules.Entry: Hashable where Change: Hashable {}
extension ReplicaRules.Refusal: Equatable where Change: Equatable {}
extension ReplicaRules: Equatable where State: Equatable, Change: Equatable {}
extension ReplicaRules: Hashable where State: Hashable, Change: Hashable {}
