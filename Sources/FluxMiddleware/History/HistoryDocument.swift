import FluxCore
import Foundation

// An exported history:
//
//     {
//       "format": "flux-history", "version": 1,
//       "base": …, "position": 2, "state": …,
//       "entries": [
//         { "id": 1, "action": "SetTitle", "payload": { … } },
//         { "id": 2, "action": "SetTitle", "payload": { … }, "step": 1, "skipped": true },
//         { "id": 3, "action": "Shuffle", "description": "Shuffle(seed: 7)", "state": … }
//       ]
//     }
//
// "state" is that at the position. An entry has a "state" when replaying cannot tell the one behind it; a
// "step" when it is not the first of its step; a "payload" when its action was registered, and a
// "description" when it was not.

/// An exported history, on its way to or from JSON.
struct HistoryDocument<State: Codable & Sendable> {
  /// What is read of a document first.
  struct Header: Codable {
    static var format: String { "flux-history" }
    static var version: Int { 1 }

    let format: String
    let version: Int
  }

  enum Key: String, CodingKey {
    case format, version, base, position, state, entries
  }

  enum EntryKey: String, CodingKey {
    case id, action, payload, description, step, skipped, state
  }

  let contents: HistoryContents<State>
  let registry: ActionRegistry
  /// What the descriptions of actions leave out.
  var redaction: Redaction = .none
}

// MARK: - Writing

extension HistoryDocument: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Header.format, forKey: .format)
    try container.encode(Header.version, forKey: .version)
    try container.encode(contents.position, forKey: .position)
    try encoding("The base") { try container.encode(contents.base, forKey: .base) }
    try encoding("The state at the position") { try container.encode(contents.state, forKey: .state) }
    var entries = container.nestedUnkeyedContainer(forKey: .entries)
    for entry in contents.entries {
      try encode(entry, to: entries.nestedContainer(keyedBy: EntryKey.self))
    }
  }

  private func encode(
    _ entry: HistoryTimeline.Entry, to container: KeyedEncodingContainer<EntryKey>
  ) throws {
    var container = container
    try container.encode(entry.id.rawValue, forKey: .id)
    if entry.step != entry.id { try container.encode(entry.step.rawValue, forKey: .step) }
    if entry.isSkipped { try container.encode(true, forKey: .skipped) }
    var canReplay = true
    if let name = registry.name(of: type(of: entry.action)), let action = entry.action as? any Encodable {
      try container.encode(name, forKey: .action)
      try encoding("Entry \(entry.id), \(name),") { try container.encode(action, forKey: .payload) }
    } else if let action = entry.action as? UnknownAction {
      canReplay = false
      try container.encode(action.name, forKey: .action)
      if let payload = action.payload { try container.encode(payload, forKey: .payload) }
      if redaction.isNone, let note = action.note { try container.encode(note, forKey: .description) }
    } else {
      canReplay = false
      try container.encode("\(type(of: entry.action))", forKey: .action)
      try container.encode(redaction.text(of: entry.action), forKey: .description)
    }
    if entry.point.isFixed || !canReplay && !entry.isSkipped,
      let state = entry.point.state?.state(of: State.self)
    {
      try encoding("The state behind entry \(entry.id)") { try container.encode(state, forKey: .state) }
    }
  }

  private func encoding(_ what: String, _ encode: () throws -> Void) throws {
    do {
      try encode()
    } catch {
      // A reason may tell the value.
      let reason = redaction.isNone ? ": \(error.codingReason)" : ""
      throw HistoryError(.unencodable, "\(what) cannot be encoded\(reason).")
    }
  }
}

// MARK: - Reading

extension HistoryDocument: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration registry: ActionRegistry) throws {
    self.registry = registry
    let container = try decoder.container(keyedBy: Key.self)
    let position = try container.decode(Int.self, forKey: .position)
    let base = try Self.decoding(.undecodableBase, "The base is no \(State.self)") {
      try container.decode(State.self, forKey: .base)
    }
    let state = try Self.decoding(.undecodableState, "The state at the position is no \(State.self)") {
      try container.decode(State.self, forKey: .state)
    }
    var entries: [HistoryTimeline.Entry] = []
    var list = try container.nestedUnkeyedContainer(forKey: .entries)
    while !list.isAtEnd {
      let number = list.currentIndex + 1
      let entry = try Self.decoding(.invalidEntry, "The entry that is number \(number) is no entry") {
        try Self.entry(list.nestedContainer(keyedBy: EntryKey.self), behind: entries.last, registry: registry)
      }
      entries.append(entry)
    }
    guard (0...entries.count).contains(position) else {
      throw HistoryError(
        .invalidPosition, "The position is \(position), where there are \(entries.count) entries.")
    }
    contents = HistoryContents(base: base, entries: entries, position: position, state: state)
  }

  private static func entry(
    _ container: KeyedDecodingContainer<EntryKey>, behind previous: HistoryTimeline.Entry?,
    registry: ActionRegistry
  ) throws -> HistoryTimeline.Entry {
    let id = HistoryEntry.ID(rawValue: try container.decode(Int.self, forKey: .id))
    // Numbers beyond are not exact everywhere in the world of JSON, and leave no room for further ids.
    guard id.rawValue > previous?.id.rawValue ?? 0, id.rawValue < 1 << 53 else {
      throw HistoryError(
        .invalidID,
        "Entry \(id) stands behind entry \(previous?.id.rawValue ?? 0); ids have to ascend from 1.")
    }
    let step = HistoryEntry.ID(
      rawValue: try container.decodeIfPresent(Int.self, forKey: .step) ?? id.rawValue)
    guard step == id || previous.map({ $0.step == step }) ?? (step < id) else {
      throw HistoryError(.invalidEntry, "Entry \(id) belongs to step \(step), which is not that before it.")
    }
    let state = try decoding(.undecodableState, "The state behind entry \(id) is no \(State.self)") {
      container.contains(.state) ? try container.decode(State.self, forKey: .state) : nil
    }
    return HistoryTimeline.Entry(
      id: id, action: try action(container, id: id, registry: registry),
      isSkipped: try container.decodeIfPresent(Bool.self, forKey: .skipped) ?? false, step: step,
      point: .init(state: state.map(Kept.init), isFixed: state != nil))
  }

  private static func action(
    _ container: KeyedDecodingContainer<EntryKey>, id: HistoryEntry.ID, registry: ActionRegistry
  ) throws -> any Action {
    let name = try container.decode(String.self, forKey: .action)
    let description = try container.decodeIfPresent(String.self, forKey: .description)
    // A payload may be `null`, so that it is there is asked first.
    guard container.contains(.payload) else {
      return UnknownAction(name: name, payload: nil, description: description)
    }
    guard let type = registry.type(named: name) else {
      let payload = try container.decode(JSONValue.self, forKey: .payload)
      return UnknownAction(name: name, payload: payload, description: description)
    }
    return try decoding(.undecodableAction, "Entry \(id) is no \(name)") {
      try container.decode(type, forKey: .payload)
    }
  }

  private static func decoding<Value>(
    _ code: HistoryError.Code, _ what: String, _ decode: () throws -> Value
  ) throws -> Value {
    do {
      return try decode()
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(code, "\(what): \(error.codingReason). Nothing has been imported.")
    }
  }
}
