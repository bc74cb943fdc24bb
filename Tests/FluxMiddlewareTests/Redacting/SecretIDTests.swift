import FluxCollections
import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Ids and keys that reveal a secret")
struct SecretIDTests {
  private static let secret = "swordfish"

  private struct Token: Hashable, Codable {
    var rawValue = secret
  }

  private struct Credentials: Hashable, Codable {
    var token = secret
  }

  private enum Login: Hashable, Codable {
    case guest
    case user(name: String, token: String)
    case password(token: Token)
  }

  private struct Session<Content: Hashable & Codable & Sendable>: Hashable, Codable, Identifiable {
    var id: String
    var content: Content
    var hits = 0
  }

  private struct State<Content: Hashable & Codable & Sendable> {
    var sessions: OrderedState<Session<Content>>
    var list: [Session<Content>]
    var table: [String: Session<Content>]

    init(_ content: Content, id: String = secret) {
      let session = Session(id: id, content: content)
      sessions = [session]
      list = [session]
      table = [id: session]
    }

    mutating func hit() {
      for id in sessions.map(\.id) { sessions[id: id]?.hits += 1 }
      for index in list.indices { list[index].hits += 1 }
      for key in table.keys { table[key]?.hits += 1 }
    }
  }

  private let redaction = Redaction.fields("token")

  private func outputs<Content: Hashable & Codable & Sendable>(
    _ content: Content, id: String = secret
  ) throws -> [String] {
    let old = State(content, id: id)
    var new = old
    new.hit()
    let json = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(old.table))
    return [
      redaction.text(of: old), "\(StateDifference(from: old, to: new, redacting: redaction))",
      "\(redaction.json(json))",
    ]
  }

  @Test("an id that equals a secret one level down, in a payload, or in a wrapper is not shown")
  func deepSecrets() throws {
    let outputs = try outputs(Credentials())
    #expect(outputs[1].hasPrefix("sessions[•••].hits: 0 → 1, list[0].hits: 0 → 1, table[•••].hits: 0 → 1"))
    for output in outputs { #expect(!output.contains(Self.secret)) }
    for login in [Login.user(name: "Ada", token: Self.secret), .password(token: Token())] {
      for output in try self.outputs(login) { #expect(!output.contains(Self.secret)) }
    }
    for output in try self.outputs([["token": Self.secret]]) { #expect(!output.contains(Self.secret)) }
    for output in try self.outputs([["token": [Token()]]]) { #expect(!output.contains(Self.secret)) }
  }

  @Test("an id that contains a secret is not shown")
  func containingIDs() throws {
    for output in try outputs(Credentials(), id: "session-\(Self.secret)") {
      #expect(!output.contains(Self.secret))
    }
  }

  @Test("an id that reveals nothing is shown")
  func openIDs() throws {
    for output in try outputs(Credentials(), id: "Ada") { #expect(output.contains("Ada")) }
  }

  @Test("an id that equals a secret before a change, or after it, is not shown")
  func changedSecrets() {
    for secrets in [(Self.secret, "shark"), ("shark", Self.secret)] {
      var old = State(Credentials(token: secrets.0))
      old.sessions.append(Session(id: "Ada", content: Credentials(token: "other")))
      var new = old
      new.sessions[id: Self.secret]?.content.token = secrets.1
      new.sessions.move(from: 1, to: 0)
      new.table[Self.secret]?.content.token = secrets.1
      let text = StateDifference(from: old, to: new, redacting: redaction).description
      #expect(!text.contains(Self.secret))
      #expect(text.contains("sessions[•••].content.token: ••• → •••"))
      #expect(text.contains("table[•••].content.token: ••• → •••"))
    }
  }

  @Test("a rule about paths applies after an id that is not shown")
  func pathRules() {
    let old = State(Credentials())
    var new = old
    new.hit()
    let rules = [
      "sessions[\"\(Self.secret)\"].hits", "table[\"\(Self.secret)\"].hits", "list[0].hits",
    ]
    let byPath = Redaction { rules.contains($0) }.and(redaction)
    let text = StateDifference(from: old, to: new, redacting: byPath).description
    #expect(
      text == "sessions[•••].hits: ••• → •••, list[0].hits: ••• → •••, table[•••].hits: ••• → •••")
    #expect(!byPath.text(of: old).contains("hits: 0"))
  }

  private struct Safe: FluxState, Codable, Equatable {
    struct Card: Codable, Equatable {
      var number = 7
      var owners = [SecretIDTests.secret: 1]
    }

    var token = Card()
    var limits = [SecretIDTests.secret: ["token": SecretIDTests.secret]]
    var numbers = [4_711: ["token": "4711"]]
    var ids: OrderedState<Session<Credentials>> = [
      Session(id: SecretIDTests.secret, content: Credentials()),
      Session(id: "shark", content: Credentials(token: "shark")),
    ]
  }

  @Test("an exported history contains no secret keys and ids, keeps property names, and can be imported")
  func exports() throws {
    let history = History<Safe>()
    let store = Store(reducer: { (_: inout Safe, _) in }, plugins: [history.plugin], state: Safe())
    let data = try history.export(from: store, with: ActionRegistry(), redacting: redaction)
    let text = String(decoding: data, as: UTF8.self)
    for secret in [Self.secret, "shark", "4711"] { #expect(!text.contains(secret)) }
    #expect(text.contains("\"owners\" : {"))
    #expect(text.contains("\"number\" : 0"))
    store.dispatch(try history.importing(data, with: ActionRegistry()))
    #expect(store.state.ids.map(\.id) == ["•••", "••• 2"])
  }

  @Test("in JSON of unknown origin, a secret object is replaced by an empty one")
  func unknownObjects() {
    let json: JSONValue = ["token": ["swordfish": 1], "name": "Ada"]
    #expect(redaction.json(json) == ["token": [:], "name": "Ada"])
  }

  @Test("the id of an element that is too large to be searched is not shown")
  func largeElements() {
    struct Large: Hashable, Identifiable {
      var id = SecretIDTests.secret
      var numbers = Array(0..<20_000)
      var token = SecretIDTests.secret
    }
    let old: OrderedState<Large> = [Large()]
    var new = old
    new[id: Self.secret]?.numbers[7] = 0
    #expect(
      StateDifference(from: old, to: new, redacting: redaction).description == "[•••].numbers[7]: 7 → 0")
    #expect(!redaction.text(of: old).contains(Self.secret))
  }
}
