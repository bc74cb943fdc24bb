import FluxAsync
import FluxCollections
import FluxCore
import TestSupport

@testable import FluxQuery

/// A part with the version that the server had when it produced the part.
struct Part: Hashable, Identifiable, Sendable {
  let id: Int
  var version: Int
}

struct PartByID: EntityQuery {
  let id: Int

  func fetch(in context: RequestContext<AppState>) async throws -> Part { Part(id: id, version: 0) }
}

struct PartList: Query {
  let name: Int

  var entities: [EntityPath<[Part]>] { [.each(PartByID.self, in: \.self)] }

  func fetch(in context: RequestContext<AppState>) async throws -> [Part] { [] }
}

/// An event of two lists that contain the same parts.
enum EntityEvent: Hashable, Sendable {
  case beginList(Int), failList(Int)
  /// A list arrives in the version that the server had when the request began, or in the current
  /// version.
  case answerOldList(Int), answerNewList(Int)
  case beginPart(Int), answerPart(Int), failPart(Int)
  /// The app writes the list that the server has now.
  case writeList(Int)
  /// A mutation shows a version that the server does not have yet.
  case mutate, mutationSucceeds, mutationFails
  case edit, undo
  /// The server changes a part without a request.
  case serverChanges(Int)
  /// The server adds the second part to the second list, or removes it.
  case serverMoves
  case removePart(Int), removeList(Int)
  /// One action removes both lists and the second part.
  case removeAll
}

/// A deliberate mistake in the rules for entities.
enum EntityMistake: CaseIterable, Sendable {
  case forgetsContainers, acceptsOlderAnswers, showsAnswersOfLists, removesContainedParts, forgetsReleases

  /// The rule that the mistake breaks.
  var rule: String {
    switch self {
    case .forgetsContainers, .forgetsReleases: "a part does not know the lists that contain it"
    case .acceptsOlderAnswers: "an older answer replaces a confirmed change"
    case .showsAnswersOfLists: "a list shows another version than the entry of the part"
    case .removesContainedParts: "a part of a list has no result"
    }
  }
}

/// A cache with two lists and two parts, and the server that answers their requests.
///
/// The model checks its rules after each event.
struct EntityModel: EventModel {
  /// A rule that is broken.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private static let unconfirmed = 1_000

  private(set) var cache = CacheContents()
  let mistake: EntityMistake?
  private var versions = [1: 1, 2: 1]
  private var isMoved = false
  private var lastRequest: UInt64 = 0
  /// The running requests of lists and parts, with the answers that the server had when they began.
  private var lists: [Int: (id: RequestID, old: [Part])] = [:]
  private var parts: [Int: (id: RequestID, old: Part)] = [:]
  private var mutation: RequestID?
  private var hasEdit = false
  /// The versions that mutations have confirmed.
  private var confirmed: [Int: Int] = [:]

  init(_ mistake: EntityMistake?) {
    self.mistake = mistake
  }

  private func key(ofList name: Int) -> QueryKey { QueryKey(PartList(name: name)) }
  private func key(ofPart id: Int) -> QueryKey { QueryKey(PartByID(id: id)) }

  private func part(_ id: Int) -> Part { Part(id: id, version: versions[id] ?? 0) }

  /// The answer of the server for a list.
  private func list(_ name: Int) -> [Part] {
    name == 1 ? [part(1), part(2)] : isMoved ? [part(1)] : [part(2), part(1)]
  }

  private mutating func nextRequest() -> RequestID {
    lastRequest += 1
    return RequestID(rawValue: lastRequest)
  }

  // MARK: Events

  /// Returns `false` if the event cannot happen now.
  mutating func happen(_ event: EntityEvent) throws(Violation) -> Bool {
    guard try perform(event) else { return false }
    if mistake == .forgetsContainers {
      cache.entries.update(key(ofPart: 1)) { $0.contents.value.containers = [] }
    }
    try check()
    return true
  }

  private mutating func perform(_ event: EntityEvent) throws(Violation) -> Bool {
    switch event {
    case .beginList(let name):
      guard lists[name] == nil else { return false }
      lists[name] = (nextRequest(), list(name))
      lists[name].map { cache.began(key(ofList: name), $0.id) }
    case .failList(let name):
      guard let request = lists.removeValue(forKey: name) else { return false }
      cache.failed(QueryFailure(.failed), for: key(ofList: name), request.id)
    case .answerOldList(let name), .answerNewList(let name):
      guard let request = lists.removeValue(forKey: name) else { return false }
      answer(name, event == .answerOldList(name) ? request.old : list(name), request.id)
    case .beginPart(let id):
      guard parts[id] == nil else { return false }
      parts[id] = (nextRequest(), part(id))
      parts[id].map { cache.began(key(ofPart: id), $0.id) }
    case .answerPart(let id):
      guard let request = parts.removeValue(forKey: id) else { return false }
      cache.received(QueryAnswer(request.old, at: .zero), for: key(ofPart: id), request.id)
    case .failPart(let id):
      guard let request = parts.removeValue(forKey: id) else { return false }
      cache.failed(QueryFailure(.failed), for: key(ofPart: id), request.id)
    case .writeList(let name):
      for part in list(name) { confirmed[part.id] = part.version }
      lists[name] = nil
      cache.wrote(QueryAnswer(list(name), at: .zero), to: key(ofList: name))
    case .mutate, .mutationSucceeds, .mutationFails: return mutate(event)
    case .edit:
      guard !hasEdit else { return false }
      hasEdit = true
      cache.edit([change { $0.version += 2 * Self.unconfirmed }], as: EditID(number: 1))
    case .undo:
      guard hasEdit else { return false }
      hasEdit = false
      cache.undo([key(ofPart: 1)], of: EditID(number: 1))
    case .serverChanges(let id): versions[id]? += 1
    case .serverMoves: isMoved.toggle()
    case .removePart(let id):
      guard cache.entries.contains(id: key(ofPart: id)) else { return false }
      remove(key(ofPart: id))
      parts[id] = nil
      confirmed[id] = nil
    case .removeList(let name):
      guard cache.entries.contains(id: key(ofList: name)) else { return false }
      remove(key(ofList: name))
      lists[name] = nil
    case .removeAll:
      cache.remove([key(ofPart: 2), key(ofList: 1), key(ofList: 2)])
      (lists, parts[2], confirmed[2]) = ([:], nil, nil)
      guard !cache.entries.contains(id: key(ofPart: 2)) else {
        throw Violation(description: "a part that no list contains is not removed")
      }
    }
    return true
  }

  private mutating func answer(_ name: Int, _ parts: [Part], _ id: RequestID) {
    let key = key(ofList: name)
    if mistake == .acceptsOlderAnswers { cache.fetching[key]?.confirmed = [:] }
    if mistake == .forgetsReleases { cache.entries.update(key) { $0.contents.value.containedEntities = [] } }
    cache.received(QueryAnswer(parts, at: .zero), for: key, id)
    if mistake == .showsAnswersOfLists { cache.entries.update(key) { $0.contents.value.replaceValue(parts) } }
  }

  private mutating func mutate(_ event: EntityEvent) -> Bool {
    guard event != .mutate else {
      guard mutation == nil else { return false }
      let id = nextRequest()
      mutation = id
      cache.mutationBegan(id, [change { $0.version += Self.unconfirmed }])
      return true
    }
    guard let id = mutation else { return false }
    mutation = nil
    guard event == .mutationSucceeds else {
      cache.mutationFailed(id, invalidating: [])
      return true
    }
    versions[1]? += 1
    confirmed[1] = versions[1]
    cache.mutationSucceeded(id, answering: [.write(part(1), to: PartByID(id: 1))], invalidating: [])
    return true
  }

  private func change(_ body: @escaping @Sendable (inout Part) -> Void) -> QueryEdit {
    .edit(PartByID(id: 1), body)
  }

  private mutating func remove(_ key: QueryKey) {
    cache.remove([key])
    if mistake == .removesContainedParts { cache.entries.remove(id: key) }
  }

  // MARK: Rules

  private func check() throws(Violation) {
    for name in [1, 2] {
      let entry = cache.entries[id: key(ofList: name)]
      for part in entry?.value as? [Part] ?? [] { try check(part, in: name) }
    }
    for id in [1, 2] {
      guard let entry = cache.entries[id: key(ofPart: id)] else { continue }
      let containers = [1, 2].filter { name in
        (cache.entries[id: key(ofList: name)]?.value as? [Part] ?? []).contains { $0.id == id }
      }
      guard entry.contents.value.containers == Set(containers.map(key(ofList:))) else {
        throw Violation(description: "a part does not know the lists that contain it")
      }
    }
    for (id, floor) in confirmed {
      let part = cache.confirmedValue(of: key(ofPart: id)) as? Part
      if let part, part.version < floor {
        throw Violation(description: "an older answer replaces a confirmed change")
      }
    }
  }

  private func check(_ part: Part, in name: Int) throws(Violation) {
    guard let own = cache.entries[id: key(ofPart: part.id)]?.value as? Part else {
      throw Violation(description: "a part of a list has no result")
    }
    guard own == part else {
      throw Violation(description: "a list shows another version than the entry of the part")
    }
    let isEdited = mutation != nil || hasEdit
    if !isEdited, part.version >= Self.unconfirmed {
      throw Violation(description: "an edit that has ended is shown")
    }
    let confirmed = cache.confirmedValue(of: key(ofList: name)) as? [Part] ?? []
    if confirmed.contains(where: { $0.version >= Self.unconfirmed }) {
      throw Violation(description: "the confirmed result of a list contains an edit")
    }
  }
}
