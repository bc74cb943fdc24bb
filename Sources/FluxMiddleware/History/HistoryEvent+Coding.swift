import FluxCore
package import Foundation

// An event:
//
//     { "change": "record", "id": 5, "step": 4, "action": "AddShape", "payload": { … } }
//     { "change": "record", "id": 6, "action": "Shuffle", "description": "Shuffle()", "state": … }
//     { "change": "reduce", "action": "Receive", "payload": { … } }
//     { "change": "move", "id": 3 }
//     { "change": "replace", "history": …, "unknown": [] }
//
// "step" is missing if the entry is the first entry of its step. "oldest", "branches", and
// "evicted" are present if the history has removed entries because of its limit.

extension HistoryEvent where State: Codable {
  /// The event as JSON.
  ///
  /// - Throws: ``HistoryError/Code/unencodable``.
  package func encoded(with registry: ActionRegistry) throws(HistoryError) -> Data {
    try JSONEncoder.ofLog.encodeHistory(EventDocument(event: self, registry: registry))
  }

  /// Decodes an event for a history.
  ///
  /// - Parameter name: The name of the history.
  /// - Throws: ``HistoryError/Code/unknownAction`` if the action is no longer registered, or
  ///   another error that describes the problem with the data.
  package init(_ data: Data, with registry: ActionRegistry, of name: String?) throws(HistoryError) {
    do {
      self = try JSONDecoder.ofHistory().decode(
        EventDocument<State>.self, from: data, configuration: (registry, name)
      ).event
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.wrongFormat, "The data is not an event of a history: \(error.codingReason).")
    }
  }
}

private struct EventDocument<State: Codable & Sendable> {
  enum Kind: String, Codable {
    case record, reduce, move, jump, skip, unskip, commit, rollback, reset, pause, resume, lock, unlock
    case replace
  }

  enum Key: String, CodingKey {
    case change, id, step, action, payload, description, state, history, unknown
    case oldest, branches, evicted
  }

  let event: HistoryEvent<State>
  let registry: ActionRegistry
}

extension EventDocument: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func put(_ kind: Kind, _ id: HistoryEntry.ID? = nil) throws {
      try container.encode(kind, forKey: .change)
      try container.encodeIfPresent(id, forKey: .id)
    }
    switch event.change {
    case .recorded(let reduction, let id, let step):
      try put(.record, id)
      if step != id { try container.encode(step, forKey: .step) }
      try encode(reduction, to: &container)
    case .unrecorded(let reduction):
      try put(.reduce)
      try encode(reduction, to: &container)
    case .moved(let id, let isJump): try put(isJump ? .jump : .move, id)
    case .skipped(let id, let isSkipped): try put(isSkipped ? .skip : .unskip, id)
    case .committed: try put(.commit)
    case .rolledBack: try put(.rollback)
    case .reset: try put(.reset)
    case .paused(let isPaused): try put(isPaused ? .pause : .resume)
    case .locked(let isLocked): try put(isLocked ? .lock : .unlock)
    case .replaced(let action):
      try put(.replace)
      try encode(action, to: &container)
    }
    guard let removal = event.removal else { return }
    try container.encode(removal.oldest, forKey: .oldest)
    try container.encode(removal.branches, forKey: .branches)
    try container.encode(removal.evicted, forKey: .evicted)
  }

  private func encode(
    _ reduction: HistoryEvent<State>.Reduction, to container: inout KeyedEncodingContainer<Key>
  ) throws {
    switch reduction {
    case .action(let action):
      guard let name = registry.name(of: type(of: action)), let action = action as? any Encodable else {
        throw HistoryError(.unencodable, "The type of the action \(action) is not registered.")
      }
      try container.encode(name, forKey: .action)
      try container.encode(action, forKey: .payload)
    case .result(let state, let action):
      try container.encode(action.name, forKey: .action)
      try container.encode(action.description, forKey: .description)
      try container.encode(state, forKey: .state)
    }
  }

  private func encode(_ action: HistoryImport, to container: inout KeyedEncodingContainer<Key>) throws {
    guard let contents = (action.contents as? HistoryReplay<State>)?.contents else {
      throw HistoryError(.unencodable, "The imported history has states of another type.")
    }
    let actions = contents.entries.map(\.action) + contents.unrecorded.values.flatMap(\.self)
    for action in actions where !(action is UnknownAction) && registry.name(of: type(of: action)) == nil {
      throw HistoryError(.unencodable, "The type of the imported action \(action) is not registered.")
    }
    try container.encode(HistoryDocument(contents: contents, registry: registry), forKey: .history)
    try container.encode(actions.unknownNames, forKey: .unknown)
  }
}

extension EventDocument: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration: (registry: ActionRegistry, name: String?)) throws {
    let registry = configuration.registry
    let container = try decoder.container(keyedBy: Key.self)
    func id(_ key: Key = .id) throws -> HistoryEntry.ID {
      try container.decode(HistoryEntry.ID.self, forKey: key)
    }
    let change: HistoryEvent<State>.Change =
      switch try container.decode(Kind.self, forKey: .change) {
      case .record:
        .recorded(
          try Self.reduction(container, registry), as: try id(),
          step: try container.contains(.step) ? id(.step) : id())
      case .reduce: .unrecorded(try Self.reduction(container, registry))
      case .move: .moved(to: try id(), isJump: false)
      case .jump: .moved(to: try id(), isJump: true)
      case .skip: .skipped(try id(), true)
      case .unskip: .skipped(try id(), false)
      case .commit: .committed
      case .rollback: .rolledBack
      case .reset: .reset
      case .pause: .paused(true)
      case .resume: .paused(false)
      case .lock: .locked(true)
      case .unlock: .locked(false)
      case .replace: .replaced(by: try Self.imported(container, registry, configuration.name))
      }
    var removal: HistoryEvent<State>.Removal?
    if container.contains(.oldest) {
      removal = .init(
        oldest: try id(.oldest), branches: try container.decode([HistoryEntry.ID].self, forKey: .branches),
        evicted: try container.decode(Int.self, forKey: .evicted))
    }
    self.init(event: HistoryEvent(change, removal: removal), registry: registry)
  }

  private static func reduction(
    _ container: KeyedDecodingContainer<Key>, _ registry: ActionRegistry
  ) throws -> HistoryEvent<State>.Reduction {
    let name = try container.decode(String.self, forKey: .action)
    guard !container.contains(.state) else {
      let description = try container.decode(String.self, forKey: .description)
      return .result(
        try container.decode(State.self, forKey: .state),
        of: UnknownAction(name: name, payload: nil, description: description))
    }
    guard let type = registry.type(named: name) else {
      throw HistoryError(.unknownAction, "No action is registered under the name \"\(name)\".")
    }
    return .action(try container.decode(type, forKey: .payload))
  }

  private static func imported(
    _ container: KeyedDecodingContainer<Key>, _ registry: ActionRegistry, _ name: String?
  ) throws -> HistoryImport {
    let contents = try container.decode(
      HistoryDocument<State>.self, forKey: .history, configuration: registry
    ).contents
    let actions = contents.entries.map(\.action) + contents.unrecorded.values.flatMap(\.self)
    try actions.expectUnknown(container.decode([String].self, forKey: .unknown))
    return HistoryImport(
      history: name, count: contents.entries.count, unknownActions: contents.unknownActions,
      contents: HistoryReplay(contents))
  }
}
