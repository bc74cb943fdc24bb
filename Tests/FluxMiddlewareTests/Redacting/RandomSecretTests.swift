import FluxCollections
import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Secrets in random structures")
struct RandomSecretTests {
  private static let secret = "S3CR3T"

  private static let redactions = [
    Redaction.fields("token"),
    Redaction { $0 == "token" || $0.hasSuffix(".token") || $0.hasSuffix("[\"token\"]") },
  ]

  @Test("nothing that a redaction covers is in any output", arguments: 0..<40 as Range<UInt64>)
  func outputs(seed: UInt64) throws {
    for redaction in Self.redactions {
      for (index, output) in try outputs(seed: seed, redacting: redaction).enumerated() {
        #expect(!output.contains(Self.secret), "seed \(seed), output \(index)")
      }
    }
  }

  @Test("without a redaction, the secret is in most outputs", arguments: 0..<4 as Range<UInt64>)
  func open(seed: UInt64) throws {
    // Long keys are cut in differences.
    let outputs = try outputs(seed: seed, redacting: .none)
    #expect(outputs.count { $0.contains(Self.secret) } > outputs.count / 2, "seed \(seed)")
  }

  private func outputs(seed: UInt64, redacting redaction: Redaction) throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    let secret = "\(Self.secret)-\(seed)"
    let content = randomContent(secret, using: &generator)
    let id = randomID(secret, using: &generator)
    return try outputs(of: content, id, redacting: redaction)
  }

  private func outputs<Content: Piece, ID: Piece>(
    of content: Content, _ id: ID, redacting redaction: Redaction
  ) throws -> [String] {
    let old = Vault(Element(id: id, content: content))
    let outputs = SecretOutputs(redaction: redaction)
    let hit = Hit(id: id, content: content)
    outputs.describe(old)
    outputs.describe(hit)
    for change in [Vault<Content, ID>.hit, Vault.clear, Vault.move] {
      var new = old
      change(&new)
      outputs.compare(old, new)
      outputs.compare(new, old)
    }
    try outputs.run(old, hit) { state, action in if action is Hit<Content, ID> { state.hit() } }
    return outputs.all
  }
}

// MARK: - Structures

/// A value that can be part of another one.
private protocol Piece: Hashable, Codable, Sendable {}

extension String: Piece {}
extension Array: Piece where Element: Piece {}
extension Optional: Piece where Wrapped: Piece {}
extension Dictionary: Piece where Key == String, Value: Piece {}

private struct Wrapper<Value: Piece>: Piece {
  var rawValue: Value
}

private struct Holder<Value: Piece>: Piece {
  var note = "open"
  var inner: Value
}

private struct Field<Value: Piece>: Piece {
  var token: Value
}

private enum Choice<Value: Piece>: Piece {
  case none
  case held(Value)
  case named(name: String, inner: Value)
}

private enum Login<Value: Piece>: Piece {
  case guest
  case token(Value)
  case user(name: String, token: Value)
}

/// A value with a secret under the name `token`.
private func randomContent(_ secret: String, using generator: inout SeededGenerator) -> any Piece {
  var piece: any Piece = secret
  for _ in 0..<Int.random(in: 0...2, using: &generator) { piece = nested(piece, using: &generator) }
  piece = hidden(piece, using: &generator)
  for _ in 0..<Int.random(in: 0...3, using: &generator) { piece = nested(piece, using: &generator) }
  return piece
}

private func hidden<Value: Piece>(_ value: Value, using generator: inout SeededGenerator) -> any Piece {
  switch Int.random(in: 0..<4, using: &generator) {
  case 0: Field(token: value)
  case 1: Login.token(value)
  case 2: Login.user(name: "Ada", token: value)
  default: ["token": value]
  }
}

private func nested<Value: Piece>(_ value: Value, using generator: inout SeededGenerator) -> any Piece {
  switch Int.random(in: 0..<7, using: &generator) {
  case 0: Wrapper(rawValue: value)
  case 1: Holder(inner: value)
  case 2: Choice.held(value)
  case 3: Choice.named(name: "Ada", inner: value)
  case 4: [value]
  case 5: Optional(value)
  default: ["Ada": value]
  }
}

/// An id that gives a secret away.
private func randomID(_ secret: String, using generator: inout SeededGenerator) -> any Piece {
  switch Int.random(in: 0..<6, using: &generator) {
  case 0: "session-\(secret)"
  case 1: Wrapper(rawValue: secret)
  case 2: Holder(inner: secret)
  case 3: Wrapper(rawValue: [secret])
  case 4: Holder(inner: Choice.held("id of \(secret)"))
  default: secret
  }
}

private struct Element<Content: Piece, ID: Piece>: Piece, Identifiable {
  var id: ID
  var content: Content
  var hits = 0
}

private struct Hit<Content: Piece, ID: Piece>: Action, Codable, Equatable, Identifiable {
  var id: ID
  var content: Content
}

private struct Vault<Content: Piece, ID: Piece>: FluxState, Codable, Equatable {
  var elements: OrderedState<Element<Content, ID>>
  var list: [Element<Content, ID>]
  var table: [ID: Element<Content, ID>]
  var contents: [ID: Content]
  var set: Set<Element<Content, ID>>

  init(_ element: Element<Content, ID>) {
    elements = [element]
    list = [element]
    table = [element.id: element]
    contents = [element.id: element.content]
    set = [element]
  }

  mutating func hit() {
    for id in elements.map(\.id) { elements[id: id]?.hits += 1 }
    for index in list.indices { list[index].hits += 1 }
    for id in table.keys { table[id]?.hits += 1 }
    set = Set(list)
  }

  static func hit(_ vault: inout Vault) { vault.hit() }

  static func clear(_ vault: inout Vault) {
    vault.elements.removeAll()
    vault.list = []
    vault.table = [:]
    vault.contents = [:]
    vault.set = []
  }

  static func move(_ vault: inout Vault) {
    if let element = vault.list.first { vault.list.append(element) }
    vault.hit()
  }
}
