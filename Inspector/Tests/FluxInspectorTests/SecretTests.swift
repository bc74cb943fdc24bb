import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Secrets in messages", .timeLimit(.minutes(15)))
struct SecretTests {
  private static let secret = "swordfish"

  /// All answers that a page can receive about a store with a secret.
  private func told(redacting redaction: Redaction) async throws -> [JSONValue] {
    let desk = Desk(redacting: redaction)
    desk.store.dispatch(SetPassword(password: Self.secret))
    desk.store.dispatch(Untold(password: Self.secret + "2"))
    desk.store.dispatch(
      UnknownAction(name: "Old", payload: ["password": "swordfish"], description: Self.secret))
    desk.store.dispatch(SetPassword(password: Self.secret + "3"))
    let page = try await desk.open()
    var told = [try await page.watch()]
    for entry in 0...4 {
      told.append(try await page.ask("state", ["at": .integer(entry)]))
      told.append(try await page.ask("state", ["at": .integer(entry), "path": ["owner"]]))
      told.append(try await page.ask("state", ["at": .integer(entry), "path": ["owner", "password"]]))
      told.append(
        try await page.ask("state", ["at": .integer(entry), "path": ["owners", "Ada", "password"]]))
      told.append(try await page.ask("changes", ["entry": .integer(entry)]))
      told.append(try await page.ask("action", ["entry": .integer(entry)]))
    }
    told.append(try await page.ask("export"))
    return told
  }

  private func text(_ messages: [JSONValue]) throws -> String {
    String(decoding: try JSONEncoder().encode(messages), as: UTF8.self)
  }

  @Test("no message contains a secret, neither by its name nor by its path")
  func redacted() async throws {
    let byPath = Redaction { path in path.hasSuffix("password") }
    for redaction in [Redaction.fields("password"), byPath] {
      let told = try await told(redacting: redaction)
      #expect(try !text(told).contains(Self.secret))
      #expect(told.map { $0["type"] }.filter { $0 == "exported" }.count == 1)
    }
  }

  @Test("a path that contains a key is the same in trees as in changes")
  func keys() async throws {
    let secrets: Set = ["owner.password", "owners[\"Ada\"].password", "password"]
    let told = try await told(redacting: Redaction { secrets.contains($0) })
    let shown = told.filter { $0["type"] == "state" || $0["type"] == "changes" || $0["type"] == "log" }
    #expect(!shown.isEmpty)
    #expect(try !text(shown).contains(Self.secret))
  }

  @Test("values that are not secret are sent, and so is the fact that a secret exists and when it changed")
  func rest() async throws {
    let told = try await told(redacting: .fields("password"))
    let log = try #require(told.first { $0["type"] == "log" })
    #expect(log["entries"]?[0]?["text"] == "SetPassword(password: •••)")
    let states = told.filter { $0["type"] == "state" }
    #expect(states.contains { $0["tree"]?.node("owner", "name")?["value"] == "\"Ada\"" })
    #expect(states.contains { $0["tree"]?.node("owner", "password")?["isRedacted"] == true })
    let changes = told.filter { $0["type"] == "changes" }.compactMap { $0["changes"] }
    #expect(
      changes.flatMap(\.elements).contains(
        ["path": "owner.password", "kind": "changed", "before": "•••", "after": "•••"]))
  }

  @Test("without a redaction, the secret is sent")
  func open() async throws {
    #expect(try await text(told(redacting: .none)).contains(Self.secret))
  }
}
