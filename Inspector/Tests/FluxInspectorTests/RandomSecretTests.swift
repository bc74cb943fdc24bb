import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Secrets in random structures", .timeLimit(.minutes(15)))
struct RandomSecretTests {
  private static let secret = "S3CR3T"

  private static let redactions = [
    Redaction.fields("token"),
    Redaction { $0 == "token" || $0.hasSuffix(".token") || $0.hasSuffix("[\"token\"]") },
  ]

  @Test("a session sends nothing that a redaction covers", arguments: 0..<20 as Range<UInt64>)
  func messages(seed: UInt64) async throws {
    for redaction in Self.redactions {
      let messages = try await messages(seed: seed, redacting: redaction)
      for (index, message) in messages.enumerated() {
        #expect(try !Self.isTold(message), "seed \(seed), message \(index), \(message["type"] ?? .null)")
      }
      let types = Set(messages.compactMap { $0["type"]?.string })
      #expect(
        types == [
          "welcome", "done", "log", "state", "changes", "found", "action", "exported", "refused",
        ])
    }
  }

  @Test("without a redaction, each type of message contains the secret", arguments: 0..<4 as Range<UInt64>)
  func open(seed: UInt64) async throws {
    let messages = try await messages(seed: seed, redacting: .none)
    let types = try Set(messages.filter(Self.isTold).compactMap { $0["type"]?.string })
    #expect(types.isSuperset(of: ["log", "state", "changes", "action", "exported"]), "seed \(seed)")
  }

  @Test("a refusal contains nothing that a redaction covers", arguments: 0..<20 as Range<UInt64>)
  func refusals(seed: UInt64) async throws {
    for redaction in Self.redactions {
      let refusals = try await refusals(seed: seed, redacting: redaction)
      #expect(refusals.map { $0["code"] } == ["unencodable", "unencodable"])
      #expect(try !refusals.contains(where: Self.isTold), "seed \(seed)")
    }
  }

  @Test("without a redaction, each refusal contains the secret", arguments: 0..<4 as Range<UInt64>)
  func openRefusals(seed: UInt64) async throws {
    let refusals = try await refusals(seed: seed, redacting: .none)
    #expect(refusals.count == 2)
    #expect(try refusals.allSatisfy(Self.isTold), "seed \(seed)")
  }

  private static func isTold(_ message: JSONValue) throws -> Bool {
    String(decoding: try JSONEncoder().encode(message), as: UTF8.self).contains(secret)
  }

  private func messages(seed: UInt64, redacting redaction: Redaction) async throws -> [JSONValue] {
    var generator = SeededGenerator(seed: seed)
    let secret = "\(Self.secret)-\(seed)"
    let content = randomContent(secret, using: &generator)
    let id = randomID(secret, using: &generator)
    return try await messages(of: content, id, redacting: redaction)
  }

  private func messages<Content: Piece, ID: Piece>(
    of content: Content, _ id: ID, redacting redaction: Redaction
  ) async throws -> [JSONValue] {
    let safe = Safe(content: content, id: id, redaction: redaction)
    let page = try await safe.open()
    try await safe.look(with: page)
    try await safe.importUnknownActions(with: page)
    try await safe.look(with: page)
    return await page.received
  }

  private func refusals(seed: UInt64, redacting redaction: Redaction) async throws -> [JSONValue] {
    var generator = SeededGenerator(seed: seed)
    let secret = "\(Self.secret)-\(seed)"
    let content = randomUnencodable(secret, using: &generator)
    let id = randomID(secret, using: &generator)
    return try await refusals(of: content, id, redacting: redaction)
  }

  private func refusals<Content: Piece, ID: Piece>(
    of content: Content, _ id: ID, redacting redaction: Redaction
  ) async throws -> [JSONValue] {
    let safe = Safe(content: content, id: id, redaction: redaction)
    let page = try await safe.open()
    return [try await page.ask("export"), try await page.ask("action", ["entry": 1])]
  }
}

/// An action that is not registered.
private struct Stranger<Content: Piece, ID: Piece>: Action, Codable, Identifiable {
  var id: ID
  var content: Content
}

/// An inspector with a store whose vault holds a secret.
private struct Safe<Content: Piece, ID: Piece> {
  private let content: Content
  private let id: ID
  private let inspector: Inspector
  private let store: Store<Vault<Content, ID>>

  init(content: Content, id: ID, redaction: Redaction) {
    self.content = content
    self.id = id
    inspector = Inspector(program: "tests", isEnabled: true, sink: LogSink { _ in }, clock: TurnClock())
    let plugin: Plugin<Vault<Content, ID>> = inspector.plugin(
      named: "Vault", actions: ActionRegistry(Hit<Content, ID>.self), redacting: redaction)
    store = Self.makeStore(content, id, plugin)
  }

  /// Makes a store, and dispatches an action that is registered, and one that is not.
  private static func makeStore(
    _ content: Content, _ id: ID, _ plugin: Plugin<Vault<Content, ID>>
  ) -> Store<Vault<Content, ID>> {
    let reducer: MutatingReducer<Vault<Content, ID>> = { vault, action in
      switch action {
      case is Hit<Content, ID>: vault.hit()
      case is Stranger<Content, ID>: Vault.move(&vault)
      default: break
      }
    }
    let store = Store(
      reducer: reducer, plugins: [plugin], state: Vault(VaultElement(id: id, content: content)))
    store.dispatch(Hit(id: id, content: content))
    store.dispatch(Stranger(id: id, content: content))
    return store
  }

  func open() async throws -> PageClient {
    let page = try await PageClient.open(inspector.address)
    _ = try await page.next("welcome")
    return page
  }

  /// Sends every request that a page can send.
  func look(with page: PageClient) async throws {
    _ = try await page.watch()
    for entry in 0...2 {
      let tree = try await page.ask("state", ["at": .integer(entry)])["tree"] ?? .null
      for path in paths(in: tree).prefix(40) {
        _ = try await page.ask("state", ["at": .integer(entry), "path": .array(path)])
      }
      _ = try await page.ask("changes", ["entry": .integer(entry)])
      _ = try await page.ask("action", ["entry": .integer(entry)])
    }
    for path in ["elements", "table", "token"] {
      _ = try await page.ask("find", ["path": .string(path), "from": 2, "limit": 10])
    }
    _ = try await page.ask("dispatch", ["name": "Nothing", "payload": "{}"])
    let document = try await page.ask("export")["document"] ?? .null
    _ = try await page.ask("import", ["document": document])
    try await page.ask("unwatch")
  }

  /// Imports a history with secrets and with an action that is not registered here.
  func importUnknownActions(with page: PageClient) async throws {
    let history = History<Vault<Content, ID>>()
    let other = Self.makeStore(content, id, history.plugin)
    let registry = ActionRegistry(Hit<Content, ID>.self).registering(Stranger<Content, ID>.self)
    let document = try history.export(from: other, with: registry)
    let answer = try await page.ask(
      "import", ["document": .string(String(decoding: document, as: UTF8.self))])
    guard answer["type"] == "done" else { throw PageClient.Surprise(description: "\(answer)") }
  }

  /// The paths of all nodes of a tree.
  private func paths(in node: JSONValue, behind path: [JSONValue] = []) -> [[JSONValue]] {
    (node["children"]?.elements ?? []).flatMap { child in
      let path = path + [child["label"] ?? .null]
      return [path] + paths(in: child, behind: path)
    }
  }
}
