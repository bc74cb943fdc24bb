import FluxCore
import Foundation

// An exported history:
//
//     {
//       "format": "flux-history", "version": 2,
//       "base": …, "position": 2, "state": …,
//       "entries": [
//         { "id": 1, "action": "SetTitle", "payload": { … } },
//         { "id": 2, "action": "SetTitle", "payload": { … }, "step": 1, "skipped": true },
//         { "id": 3, "action": "Shuffle", "description": "Shuffle(seed: 7)", "state": … },
//         { "id": 4, "action": "SetTitle", "payload": { … },
//           "unrecorded": [ { "action": "Receive", "payload": { … } } ] }
//       ]
//     }
//
// "state" is the state at the position. An entry has a "state" if a replay cannot compute the
// state after the entry, and a "step" if it is not the first entry of its step. An entry has a
// "payload" if its action was registered, and a "description" if the action was not registered.
// The "unrecorded" list of an entry contains the unrecorded actions between that entry and the
// next entry. The "unrecorded" list of the document contains the unrecorded actions before the
// first entry. A replay first restores the "state" of an entry, and then reduces the unrecorded
// actions of that entry. A document without unrecorded actions has version 1, which earlier
// versions of the package can read.

/// A history that is encoded as JSON or decoded from JSON.
struct HistoryDocument<State: Codable & Sendable> {
  /// The part of a document that is decoded first.
  struct Header: Codable {
    static var format: String { "flux-history" }
    static var version: Int { 2 }

    let format: String
    let version: Int
  }

  enum Key: String, CodingKey {
    case format, version, base, position, state, entries, unrecorded
  }

  enum EntryKey: String, CodingKey {
    case id, action, payload, description, step, skipped, state, unrecorded
  }

  let contents: HistoryContents<State>
  let registry: ActionRegistry
  /// The rules for the secrets that the descriptions of actions must omit.
  var redaction: Redaction = .none
}

// MARK: - Writing

extension HistoryDocument: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Header.format, forKey: .format)
    let lists = contents.unrecorded.filter { isList($0.value, at: $0.key) }
    try container.encode(lists.isEmpty ? 1 : Header.version, forKey: .version)
    try container.encode(contents.position, forKey: .position)
    try encoding("the base") { try container.encode(contents.base, forKey: .base) }
    try encoding("the state at the position") { try container.encode(contents.state, forKey: .state) }
    if let actions = lists[0] {
      try encode(unrecorded: actions, to: container.nestedUnkeyedContainer(forKey: .unrecorded))
    }
    var entries = container.nestedUnkeyedContainer(forKey: .entries)
    for (index, entry) in contents.entries.enumerated() {
      var nested = entries.nestedContainer(keyedBy: EntryKey.self)
      let point = index + 1
      try encode(entry, hasState: contents.unrecorded[point] != nil && lists[point] == nil, to: nested)
      if let actions = lists[point] {
        try encode(unrecorded: actions, to: nested.nestedUnkeyedContainer(forKey: .unrecorded))
      }
    }
  }

  /// Returns whether the unrecorded actions at a point are written individually instead of as a
  /// state.
  private func isList(_ actions: [any Action], at point: Int) -> Bool {
    guard point > 0 else { return true }
    let entry = contents.entries[point - 1]
    return entry.point.isFixed || entry.point.state == nil
      || (entry.isSkipped || canReplay(entry.action)) && actions.allSatisfy(canReplay)
  }

  /// Returns a Boolean value that indicates whether a replay of the document has the effect of an
  /// action.
  ///
  /// An ``UnknownAction`` had no effect in this program either. Without its state, the document can
  /// be replayed by a program that knows the action.
  private func canReplay(_ action: any Action) -> Bool {
    action is UnknownAction || registry.name(of: type(of: action)) != nil && action is any Encodable
  }

  private func encode(unrecorded actions: [any Action], to container: any UnkeyedEncodingContainer) throws {
    var container = container
    for action in actions {
      var nested = container.nestedContainer(keyedBy: EntryKey.self)
      try encode(action, named: "an unrecorded action", to: &nested)
    }
  }

  func encode(
    _ entry: HistoryTimeline.Entry, hasState: Bool, to container: KeyedEncodingContainer<EntryKey>
  ) throws {
    var container = container
    try container.encode(entry.id.rawValue, forKey: .id)
    if entry.step != entry.id { try container.encode(entry.step.rawValue, forKey: .step) }
    if entry.isSkipped { try container.encode(true, forKey: .skipped) }
    try encode(entry.action, named: "entry \(entry.id)", to: &container)
    let needsState = entry.point.isFixed || hasState || !canReplay(entry.action) && !entry.isSkipped
    if needsState,
      let state = entry.point.state?.state(of: State.self)
    {
      try encoding("the state after entry \(entry.id)") { try container.encode(state, forKey: .state) }
    }
  }

  func encode(
    _ action: any Action, named what: String, to container: inout KeyedEncodingContainer<EntryKey>
  ) throws {
    if let name = registry.name(of: type(of: action)), let action = action as? any Encodable {
      try container.encode(name, forKey: .action)
      try encoding("\(what) (\(name))") { try container.encode(action, forKey: .payload) }
    } else if let action = action as? UnknownAction {
      try container.encode(action.name, forKey: .action)
      if let payload = action.payload { try container.encode(payload, forKey: .payload) }
      if redaction.isNone, let note = action.note { try container.encode(note, forKey: .description) }
    } else {
      try container.encode("\(type(of: action))", forKey: .action)
      try container.encode(redaction.text(of: action), forKey: .description)
    }
  }

  func encoding(_ what: String, _ encode: () throws -> Void) throws {
    do {
      try encode()
    } catch {
      // The reason might contain a secret value.
      let reason = redaction.isNone ? ": \(error.codingReason)" : ""
      throw HistoryError(.unencodable, "Cannot encode \(what)\(reason).")
    }
  }
}

// MARK: - Reading

extension HistoryDocument: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration registry: ActionRegistry) throws {
    self.registry = registry
    let container = try decoder.container(keyedBy: Key.self)
    let position = try container.decode(Int.self, forKey: .position)
    let base = try Self.decoding(.undecodableBase, "the base as \(State.self)") {
      try container.decode(State.self, forKey: .base)
    }
    let state = try Self.decoding(.undecodableState, "the state at the position as \(State.self)") {
      try container.decode(State.self, forKey: .state)
    }
    var entries: [HistoryTimeline.Entry] = []
    var unrecorded: [Int: [any Action]] = [:]
    if container.contains(.unrecorded) {
      unrecorded[0] = try Self.unrecorded(
        container.nestedUnkeyedContainer(forKey: .unrecorded), registry: registry)
    }
    var list = try container.nestedUnkeyedContainer(forKey: .entries)
    while !list.isAtEnd {
      let number = list.currentIndex + 1
      let entry = try Self.decoding(.invalidEntry, "entry number \(number)") {
        let nested = try list.nestedContainer(keyedBy: EntryKey.self)
        if nested.contains(.unrecorded) {
          unrecorded[number] = try Self.unrecorded(
            nested.nestedUnkeyedContainer(forKey: .unrecorded), registry: registry)
        }
        return try Self.entry(nested, behind: entries.last, registry: registry)
      }
      entries.append(entry)
    }
    guard (0...entries.count).contains(position) else {
      throw HistoryError(
        .invalidPosition, "The position is \(position), but the number of entries is \(entries.count).")
    }
    contents = HistoryContents(
      base: base, entries: entries, position: position, state: state, unrecorded: unrecorded)
  }

  private static func unrecorded(
    _ container: any UnkeyedDecodingContainer, registry: ActionRegistry
  ) throws -> [any Action] {
    var container = container
    var actions: [any Action] = []
    while !container.isAtEnd {
      let nested = try container.nestedContainer(keyedBy: EntryKey.self)
      actions.append(try action(nested, named: "an unrecorded action", registry: registry))
    }
    return actions
  }

  static func entry(
    _ container: KeyedDecodingContainer<EntryKey>, behind previous: HistoryTimeline.Entry?,
    registry: ActionRegistry
  ) throws -> HistoryTimeline.Entry {
    let id = HistoryEntry.ID(rawValue: try container.decode(Int.self, forKey: .id))
    // Larger ids are not exact in every JSON implementation, and would leave no room for further
    // ids.
    guard id.rawValue > previous?.id.rawValue ?? 0, id.rawValue < 1 << 53 else {
      throw HistoryError(
        .invalidID,
        "Entry \(id) follows entry \(previous?.id.rawValue ?? 0), but ids must ascend, starting at 1.")
    }
    let step = HistoryEntry.ID(
      rawValue: try container.decodeIfPresent(Int.self, forKey: .step) ?? id.rawValue)
    guard step == id || previous.map({ $0.step == step }) ?? (step < id) else {
      throw HistoryError(
        .invalidEntry,
        "Entry \(id) belongs to step \(step), which is neither its own nor the step of the previous entry.")
    }
    let state = try decoding(.undecodableState, "the state after entry \(id) as \(State.self)") {
      container.contains(.state) ? try container.decode(State.self, forKey: .state) : nil
    }
    return HistoryTimeline.Entry(
      id: id, action: try action(container, named: "entry \(id)", registry: registry),
      isSkipped: try container.decodeIfPresent(Bool.self, forKey: .skipped) ?? false, step: step,
      point: .init(state: state.map(Kept.init), isFixed: state != nil))
  }

  static func action(
    _ container: KeyedDecodingContainer<EntryKey>, named what: String, registry: ActionRegistry
  ) throws -> any Action {
    let name = try container.decode(String.self, forKey: .action)
    let description = try container.decodeIfPresent(String.self, forKey: .description)
    // A payload can be `null`, so this code checks whether the key is present before it decodes
    // the payload.
    guard container.contains(.payload) else {
      return UnknownAction(name: name, payload: nil, description: description)
    }
    guard let type = registry.type(named: name) else {
      let payload = try container.decode(JSONValue.self, forKey: .payload)
      return UnknownAction(name: name, payload: payload, description: description)
    }
    return try decoding(.undecodableAction, "\(what) as \(name)") {
      try container.decode(type, forKey: .payload)
    }
  }

  static func decoding<Value>(
    _ code: HistoryError.Code, _ what: String, _ decode: () throws -> Value
  ) throws -> Value {
    do {
      return try decode()
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(code, "Cannot decode \(what): \(error.codingReason). Nothing was imported.")
    }
  }
}
