import FluxCore
package import Foundation

extension HistoryCheckpoint {
  fileprivate static var format: String { "flux-checkpoint" }
  fileprivate static var version: Int { 1 }

  /// The checkpoint as JSON.
  ///
  /// - Throws: ``HistoryError/Code/unencodable``.
  package func encoded(with registry: ActionRegistry) throws(HistoryError) -> Data {
    try JSONEncoder.ofLog.encodeHistory(CheckpointDocument(checkpoint: self, registry: registry))
  }

  /// Decodes a checkpoint.
  ///
  /// - Throws: ``HistoryError/Code/unknownAction`` if an action is no longer registered, or
  ///   another error that describes the problem with the data.
  package init(_ data: Data, with registry: ActionRegistry) throws(HistoryError) {
    do {
      let header = try JSONDecoder.ofHistory().decode(HistoryDocument<State>.Header.self, from: data)
      guard header.format == Self.format, header.version >= 1 else {
        throw HistoryError(
          .wrongFormat,
          "The data is not a checkpoint. Its format is \"\(header.format)\", version \(header.version).")
      }
      guard header.version <= Self.version else {
        throw HistoryError(
          .newerVersion,
          "The checkpoint has version \(header.version), but this program reads versions up to \(Self.version)."
        )
      }
      self = try JSONDecoder.ofHistory().decode(
        CheckpointDocument<State>.self, from: data, configuration: registry
      ).checkpoint
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.wrongFormat, "The data is not a checkpoint: \(error.codingReason).")
    }
  }
}

private enum CheckpointKey: String, CodingKey {
  case format, version, history, initial, next, evicted, branches, unrecorded, unknown, flags
}

private enum BranchKey: String, CodingKey {
  case fork, entries, behind
}

private struct CheckpointDocument<State: Codable & Sendable> {
  let checkpoint: HistoryCheckpoint<State>
  let registry: ActionRegistry
}

extension CheckpointDocument: Encodable {
  func encode(to encoder: any Encoder) throws {
    let history = HistoryDocument(contents: checkpoint.contents, registry: registry)
    var container = encoder.container(keyedBy: CheckpointKey.self)
    try container.encode(HistoryCheckpoint<State>.format, forKey: .format)
    try container.encode(HistoryCheckpoint<State>.version, forKey: .version)
    try container.encode(history, forKey: .history)
    if let initial = checkpoint.initial {
      try history.encoding("the initial state") { try container.encode(initial, forKey: .initial) }
    }
    try container.encode(checkpoint.nextID, forKey: .next)
    try container.encode(checkpoint.evicted, forKey: .evicted)
    try container.encode(checkpoint.flags.map(\.rawValue).sorted(), forKey: .flags)
    try container.encode(checkpoint.actions.unknownNames, forKey: .unknown)
    var branches = container.nestedUnkeyedContainer(forKey: .branches)
    for branch in checkpoint.branches {
      var nested = branches.nestedContainer(keyedBy: BranchKey.self)
      try nested.encodeIfPresent(branch.fork, forKey: .fork)
      var entries = nested.nestedUnkeyedContainer(forKey: .entries)
      for entry in branch.entries {
        try history.encode(
          entry, hasState: false, to: entries.nestedContainer(keyedBy: HistoryDocument<State>.EntryKey.self))
      }
    }
    var unrecorded = container.nestedUnkeyedContainer(forKey: .unrecorded)
    for (behind, action) in checkpoint.unrecorded {
      var nested = unrecorded.nestedContainer(keyedBy: HistoryDocument<State>.EntryKey.self)
      try nested.encode(behind, forKey: .id)
      try history.encode(action, named: "an unrecorded action", to: &nested)
    }
  }
}

extension CheckpointDocument: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration registry: ActionRegistry) throws {
    typealias Document = HistoryDocument<State>
    let container = try decoder.container(keyedBy: CheckpointKey.self)
    var branches: [HistoryTimeline.Branch] = []
    var list = try container.nestedUnkeyedContainer(forKey: .branches)
    while !list.isAtEnd {
      let nested = try list.nestedContainer(keyedBy: BranchKey.self)
      var (entries, items) = (
        [HistoryTimeline.Entry](), try nested.nestedUnkeyedContainer(forKey: .entries)
      )
      while !items.isAtEnd {
        let entry = try items.nestedContainer(keyedBy: Document.EntryKey.self)
        entries.append(try Document.entry(entry, behind: entries.last, registry: registry))
      }
      let fork = try nested.decodeIfPresent(HistoryEntry.ID.self, forKey: .fork)
      branches.append(HistoryTimeline.Branch(fork: fork, entries: entries, alterations: 0))
    }
    var unrecorded: [(behind: HistoryEntry.ID, action: any Action)] = []
    list = try container.nestedUnkeyedContainer(forKey: .unrecorded)
    while !list.isAtEnd {
      let nested = try list.nestedContainer(keyedBy: Document.EntryKey.self)
      let action = try Document.action(nested, named: "an unrecorded action", registry: registry)
      unrecorded.append((try nested.decode(HistoryEntry.ID.self, forKey: .id), action))
    }
    let checkpoint = HistoryCheckpoint(
      contents: try container.decode(Document.self, forKey: .history, configuration: registry).contents,
      initial: try container.decodeIfPresent(State.self, forKey: .initial),
      nextID: try container.decode(Int.self, forKey: .next),
      evicted: try container.decode(Int.self, forKey: .evicted), branches: branches, unrecorded: unrecorded,
      flags: Set(try container.decode([HistoryFlag].self, forKey: .flags)))
    try checkpoint.actions.expectUnknown(container.decode([String].self, forKey: .unknown))
    try checkpoint.expectValid()
    self.init(checkpoint: checkpoint, registry: registry)
  }
}

extension HistoryCheckpoint {
  /// Throws an error if the ids of the checkpoint cannot belong to a history.
  ///
  /// A history finds entries and unrecorded actions through their ascending ids, and the fork of a
  /// branch through the fork of another branch. Forks that precede their branches form no cycle.
  fileprivate func expectValid() throws(HistoryError) {
    let ids = (branches.flatMap(\.entries) + contents.entries).map(\.id.rawValue)
    let behind = unrecorded.map(\.behind.rawValue)
    guard Set(ids).count == ids.count, ids.max() ?? 0 < nextID, nextID < 1 << 53,
      behind.allSatisfy({ (0..<nextID).contains($0) }),
      zip(behind, behind.dropFirst()).allSatisfy({ $0 <= $1 }),
      branches.allSatisfy({ branch in branch.entries.first.map { $0.id > branch.fork ?? .none } ?? false }),
      (0..<1 << 53).contains(evicted)
    else { throw HistoryError(.invalidID, "The ids of the checkpoint contradict each other.") }
  }

  fileprivate var actions: [any Action] {
    (contents.entries + branches.flatMap(\.entries)).map(\.action) + unrecorded.map(\.action)
  }
}

extension HistoryEntry.ID {
  /// An id that precedes all entries.
  static let none = HistoryEntry.ID(rawValue: 0)
}

extension [any Action] {
  /// The names of the actions that can be decoded only after their registration.
  var unknownNames: [String] {
    Set(compactMap { ($0 as? UnknownAction).flatMap { $0.payload == nil ? nil : $0.name } }).sorted()
  }

  /// Throws an error if an action is unknown whose name is not in a list.
  func expectUnknown(_ names: [String]) throws(HistoryError) {
    guard let name = unknownNames.first(where: { !names.contains($0) }) else { return }
    throw HistoryError(.unknownAction, "No action is registered under the name \"\(name)\".")
  }
}

extension JSONEncoder {
  /// An encoder for the entries and the snapshots of a log, without unnecessary spaces.
  static var ofLog: JSONEncoder {
    let encoder = ofHistory()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// Encodes a part of a history.
  func encodeHistory(_ value: some Encodable) throws(HistoryError) -> Data {
    do {
      return try encode(value)
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.unencodable, "Cannot encode the history: \(error.codingReason).")
    }
  }
}
