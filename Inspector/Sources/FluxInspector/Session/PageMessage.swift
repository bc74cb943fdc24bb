import FluxMiddleware
import Foundation

/// A message to a page.
enum PageMessage: Sendable {
  case welcome(program: String, stores: [StoreLine])
  case stores([StoreLine])
  case log(LogLines)
  /// The origins of entries that were sent without them.
  case origins(store: Int, [OriginBacklog.Found])
  case done(request: Int)
  case refused(request: Int, Refusal)
  case state(request: Int, store: Int, at: Int?, tree: StateNode, address: String?)
  case queries(request: Int, store: Int, at: Int?, QueryTable)
  case changes(request: Int, store: Int, entry: Int, [ChangeLine], isCut: Bool)
  case found(request: Int, store: Int, PathSearch.Found)
  case action(request: Int, store: Int, entry: Int, tree: StateNode, json: String?)
  case exported(request: Int, store: Int, document: String)

  /// The version of the protocol, which changes when an earlier page would misinterpret
  /// messages.
  static let version = 1

  /// A store that can be watched.
  struct StoreLine: Encodable, Sendable, Equatable {
    let id: Int
    let name: String
    let actions: [String]
    let canExport: Bool
    /// The end of the program whose crash report the store shows, or `nil` for a running store.
    var report: ReportLine?
  }

  /// The end of a program that a crash report describes.
  struct ReportLine: Encodable, Sendable, Equatable {
    let text: String
    /// Milliseconds since 1970.
    let time: Double?
  }

  /// One path at which an action changed the state.
  struct ChangeLine: Encodable, Sendable, Equatable {
    let path: String
    let kind: String
    let before: String?
    let after: String?
  }
}

/// The reason that the page shows if a request is not fulfilled.
struct Refusal: Error, Equatable, Sendable {
  let code: String
  let message: String

  static let gone = Refusal(code: "storeGone", message: "The store has been released.")
  static let readOnly = Refusal(code: "readOnly", message: "A crash report can only be read.")
  static let tooLarge = Refusal(
    code: "tooLarge", message: "The answer is larger than 16 MiB, the maximum size of a message.")
  static let busy = Refusal(
    code: "busy",
    message: """
      Other open pages have too many answers that they have not read. Close the pages that you \
      do not need, or try again later.
      """)
  static let notUnderstood = Refusal(code: "notUnderstood", message: "The request is invalid.")

  init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: HistoryError) {
    self.init(code: "\(error.code)", message: error.description)
  }
}

extension PageMessage: Encodable {
  private enum Key: String, CodingKey {
    case type, `protocol`, program, stores, request, code, message, store, at, tree, table, entry, changes,
      isCut, entries, through, json, document, address
  }

  func encode(to encoder: any Encoder) throws {
    if case .log(let lines) = self { return try lines.encode(to: encoder) }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(type, forKey: .type)
    switch self {
    case .log: return
    case .welcome(let program, let stores):
      try container.encode(Self.version, forKey: .protocol)
      try container.encode(program, forKey: .program)
      try container.encode(stores, forKey: .stores)
    case .stores(let stores): try container.encode(stores, forKey: .stores)
    case .origins(let store, let found):
      try container.encode(store, forKey: .store)
      try container.encode(found, forKey: .entries)
    case .done(let request): try container.encode(request, forKey: .request)
    case .refused(let request, let refusal):
      try container.encode(request, forKey: .request)
      try container.encode(refusal.code, forKey: .code)
      try container.encode(refusal.message, forKey: .message)
    case .state(let request, let store, let at, let tree, let address):
      try encode(request, store, to: &container)
      try container.encode(at, forKey: .at)
      try container.encode(tree, forKey: .tree)
      try container.encodeIfPresent(address, forKey: .address)
    case .queries(let request, let store, let at, let table):
      try encode(request, store, to: &container)
      try container.encode(at, forKey: .at)
      try container.encode(table, forKey: .table)
    case .changes(let request, let store, let entry, let changes, let isCut):
      try encode(request, store, to: &container)
      try container.encode(entry, forKey: .entry)
      try container.encode(changes, forKey: .changes)
      try container.encode(isCut, forKey: .isCut)
    case .found(let request, let store, let found):
      try encode(request, store, to: &container)
      try container.encode(found.entries, forKey: .entries)
      try container.encode(found.through, forKey: .through)
    case .action(let request, let store, let entry, let tree, let json):
      try encode(request, store, to: &container)
      try container.encode(entry, forKey: .entry)
      try container.encode(tree, forKey: .tree)
      try container.encode(json, forKey: .json)
    case .exported(let request, let store, let document):
      try encode(request, store, to: &container)
      try container.encode(document, forKey: .document)
    }
  }

  private func encode(_ request: Int, _ store: Int, to container: inout KeyedEncodingContainer<Key>) throws {
    try container.encode(request, forKey: .request)
    try container.encode(store, forKey: .store)
  }

  /// Returns the encoded message.
  ///
  /// If an answer is longer than the maximum message size, the method encodes a refusal instead.
  func payload() throws -> Data {
    let encoder = JSONEncoder()
    let payload = try encoder.encode(self)
    guard payload.count > MessageAssembly.most, let request else { return payload }
    return try encoder.encode(PageMessage.refused(request: request, .tooLarge))
  }

  /// The number of the request that this message answers.
  var request: Int? {
    switch self {
    case .welcome, .stores, .log, .origins: nil
    case .done(let request), .refused(let request, _), .state(let request, _, _, _, _),
      .queries(let request, _, _, _), .changes(let request, _, _, _, _), .found(let request, _, _),
      .action(let request, _, _, _, _), .exported(let request, _, _):
      request
    }
  }

  private var type: String {
    switch self {
    case .welcome: "welcome"
    case .stores: "stores"
    case .log: "log"
    case .origins: "origins"
    case .done: "done"
    case .refused: "refused"
    case .state: "state"
    case .queries: "queries"
    case .changes: "changes"
    case .found: "found"
    case .action: "action"
    case .exported: "exported"
    }
  }
}
