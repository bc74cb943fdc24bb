import Flux
import FlyingFox
import Foundation

/// The answers to clients, which are JSON, and which caches must not store.
enum Answers {
  /// The list, in its order.
  struct List: Encodable {
    let version: Int
    let items: [Item]

    init(_ list: ItemList) {
      version = list.version
      items = list.items.values
    }
  }

  /// A change that was made.
  struct Changed: Encodable {
    let version: Int
    let item: Item
  }

  /// The last change of a client that a list contains, with the id of the item that it added.
  struct Made: Encodable {
    let number: Int
    let added: Item.ID?

    init(_ change: LastChange) {
      number = change.number
      if case .added(let item, _) = change.answer { added = item.id } else { added = nil }
    }
  }

  /// The description of an error.
  struct Trouble: Encodable {
    let error: String
  }

  /// The status of the server.
  struct Status: Encodable {
    let version: Int
    let items: Int
    let listeners: Int
    let requests: Int

    init(_ state: BoardState) {
      version = state.saved.version
      items = state.saved.items.count
      listeners = state.listeners
      requests = state.requests
    }
  }

  static let headers: HTTPHeaders = [
    .contentType: "application/json", HTTPHeader("Cache-Control"): "no-store",
    HTTPHeader("X-Content-Type-Options"): "nosniff",
  ]

  static func response(_ status: HTTPStatusCode, _ body: some Encodable) -> HTTPResponse {
    HTTPResponse(statusCode: status, headers: headers, body: json(body))
  }

  static func json(_ body: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(body)
    } catch {
      fatalError("Text and numbers make JSON: \(error)")
    }
  }

  /// Returns the response to the result of a change.
  static func response(to answer: Answer) -> HTTPResponse {
    switch answer {
    case .added(let item, let version):
      var response = response(.created, Changed(version: version, item: item))
      response.headers[.location] = "/items/\(item.id)"
      return response
    case .edited(let item, let version), .removed(let item, let version):
      return response(.ok, Changed(version: version, item: item))
    case .missing(let id): return Refusal.missing("There is no item \(id).").response
    case .full: return Refusal.full.response
    case .superseded: return Refusal.superseded.response
    case .reused: return Refusal.reusedKey.response
    }
  }
}
