import FlyingFox
import Foundation

/// Functions that decode a client's request, which must be JSON of a bounded size.
enum RequestBody {
  /// The maximum number of bytes of a body.
  static let limit = 4_096
  /// The maximum number of characters of an item's text.
  static let textLimit = 500

  private struct Addition: Decodable {
    let text: String?
  }

  private struct Edit: Decodable {
    let text: String?
    let done: Bool?
    let place: Int?
  }

  /// Decodes a request that adds an item.
  static func addition(_ request: HTTPRequest) async throws(Refusal) -> Change {
    guard let text = try await decode(Addition.self, request).text else {
      throw .bad("The body must contain a text, such as {\"text\": \"buy milk\"}.")
    }
    return .add(try valid(text))
  }

  /// Decodes a request that changes the text of an item, marks it as done or not done, or moves
  /// it.
  static func edit(of id: Int, _ request: HTTPRequest) async throws(Refusal) -> Change {
    let body = try await decode(Edit.self, request)
    var edit = Change.Edit(isDone: body.done, place: body.place)
    if let text = body.text { edit.text = try valid(text) }
    if let place = body.place, place < 0 { throw .bad("The place must not be negative.") }
    guard edit != Change.Edit() else { throw .bad("The body must contain a text, a done value, or a place.") }
    return .edit(id, edit)
  }

  private static func valid(_ text: String) throws(Refusal) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw .bad("The text is empty.") }
    guard text.count <= textLimit else { throw .bad("The text must have at most \(textLimit) characters.") }
    return text
  }

  private static func decode<Body: Decodable>(
    _ type: Body.Type, _ request: HTTPRequest
  ) async throws(Refusal) -> Body {
    // A page of another site cannot send this type without a preflight request, which the server
    // does not permit.
    let kind = request.headers[.contentType]?.split(separator: ";").first ?? ""
    guard kind.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
      throw .notJSON.endingIfUnread(request)
    }
    let data = try await read(request)
    do {
      return try JSONDecoder().decode(Body.self, from: data)
    } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty {
      let field = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw .bad("The field \(field) has the wrong type.")
    } catch {
      throw .bad("The body is not a JSON object.")
    }
  }

  private static func read(_ request: HTTPRequest) async throws(Refusal) -> Data {
    if let count = request.bodySequence.count, count > limit { throw .tooLarge }
    var body = Data()
    do {
      for try await bytes in request.bodySequence {
        body += bytes
        guard body.count <= limit else { throw Refusal.tooLarge }
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw .bad("The body is incomplete.")
    }
    return body
  }
}

extension Refusal {
  /// Returns a copy of the refusal that also ends the connection if the body of the request has
  /// not been read.
  func endingIfUnread(_ request: HTTPRequest) -> Refusal {
    var refusal = self
    refusal.endsConnection = (request.bodySequence.count ?? .max) > RequestBody.limit
    return refusal
  }
}
