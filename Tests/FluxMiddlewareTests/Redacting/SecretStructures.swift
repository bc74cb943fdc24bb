import FluxCollections
import FluxCore

/// A value that can be a part of another one.
protocol Piece: Hashable, Codable, Sendable {}

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

/// A value whose encoding fails with an error that quotes the value.
private struct Unencodable<Value: Piece>: Piece {
  var value: Value

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(value)"))
  }
}

/// Makes a value that cannot be encoded, with a secret under the name `token`.
func randomUnencodable(_ secret: String, using generator: inout some RandomNumberGenerator) -> any Piece {
  func unencodable(_ piece: some Piece) -> any Piece { Unencodable(value: piece) }
  let piece = unencodable(randomContent(secret, using: &generator))
  return Bool.random(using: &generator) ? nested(piece, using: &generator) : piece
}

/// Makes a value with a secret under the name `token`.
func randomContent(_ secret: String, using generator: inout some RandomNumberGenerator) -> any Piece {
  var piece: any Piece = secret
  for _ in 0..<Int.random(in: 0...2, using: &generator) { piece = nested(piece, using: &generator) }
  piece = hidden(piece, using: &generator)
  for _ in 0..<Int.random(in: 0...3, using: &generator) { piece = nested(piece, using: &generator) }
  return piece
}

private func hidden<Value: Piece>(
  _ value: Value, using generator: inout some RandomNumberGenerator
) -> any Piece {
  switch Int.random(in: 0..<4, using: &generator) {
  case 0: Field(token: value)
  case 1: Login.token(value)
  case 2: Login.user(name: "Ada", token: value)
  default: ["token": value]
  }
}

private func nested<Value: Piece>(
  _ value: Value, using generator: inout some RandomNumberGenerator
) -> any Piece {
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

/// Makes an id whose text contains a secret.
func randomID(_ secret: String, using generator: inout some RandomNumberGenerator) -> any Piece {
  switch Int.random(in: 0..<6, using: &generator) {
  case 0: "session-\(secret)"
  case 1: Wrapper(rawValue: secret)
  case 2: Holder(inner: secret)
  case 3: Wrapper(rawValue: [secret])
  case 4: Holder(inner: Choice.held("id of \(secret)"))
  default: secret
  }
}

/// An element of a vault.
struct VaultElement<Content: Piece, ID: Piece>: Piece, Identifiable {
  var id: ID
  var content: Content
  var hits = 0
}

/// An action that counts a hit in each element of a vault.
struct Hit<Content: Piece, ID: Piece>: Action, Codable, Equatable, Identifiable {
  var id: ID
  var content: Content
}

/// A state that holds an element in each kind of collection.
struct Vault<Content: Piece, ID: Piece>: FluxState, Codable, Equatable {
  var elements: OrderedState<VaultElement<Content, ID>>
  var list: [VaultElement<Content, ID>]
  var table: [ID: VaultElement<Content, ID>]
  var contents: [ID: Content]
  var set: Set<VaultElement<Content, ID>>

  init(_ element: VaultElement<Content, ID>) {
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
