import Flux
package import FlyingFox

/// The requests that the board answers over HTTP.
package struct BoardRoutes: HTTPHandler {
  private let app: BoardApp
  private let pages: Pages
  private let gate: RequestGate

  /// - Parameter gate: Decides which requests are answered.
  /// - Throws: An error if a file of the page cannot be read.
  init(_ app: BoardApp, gate: RequestGate) throws {
    self.app = app
    self.gate = gate
    pages = try Pages()
  }

  package func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
    do throws(Refusal) {
      return try await answer(request)
    } catch {
      return error.endingIfUnread(request).response
    }
  }

  private func answer(_ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
    try gate.check(request)
    let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    guard let place = path.first, path.count <= 2 else { throw .noPage(request) }
    switch (request.method.rawValue, place, path.count == 2 ? path[1] : nil) {
    case ("GET", "items", nil): return Answers.response(.ok, Answers.List(app.read()))
    case ("POST", "items", nil): return try await perform(RequestBody.addition(request), request)
    case ("PATCH", "items", let id?):
      return try await perform(RequestBody.edit(of: itemID(id), request), request)
    case ("DELETE", "items", let id?): return try await perform(.remove(itemID(id)), request)
    case ("GET", "events", nil): return await events(request)
    case ("GET", "status", nil):
      _ = app.read()
      return Answers.response(.ok, Answers.Status(app.store.state))
    case (_, "items", nil): throw .method(allowed: "GET, POST")
    case (_, "items", _?): throw .method(allowed: "PATCH, DELETE")
    case (_, "events", nil), (_, "status", nil): throw .method(allowed: "GET")
    case (let method, _, nil):
      guard let page = pages[place] else { throw .noPage(request) }
      guard method == "GET" else { throw .method(allowed: "GET") }
      return page
    default: throw .noPage(request)
    }
  }

  private func perform(_ change: Change, _ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
    var key: ChangeKey?
    if let value = request.headers[HTTPHeader("Idempotency-Key")] {
      key = ChangeKey(value)
      if key == nil { throw .badKey }
    }
    do {
      return Answers.response(to: try await app.perform(change, key: key))
    } catch {
      throw .unsaved
    }
  }

  private func events(_ request: HTTPRequest) async -> HTTPResponse {
    // A browser sends the header only when it reconnects by itself.
    let seen = (request.headers[HTTPHeader("Last-Event-ID")] ?? request.query["after"]).flatMap { Int($0) }
    let client = request.query["client"]
    var response = HTTPResponse(
      statusCode: .ok, headers: Answers.headers,
      body: HTTPBodySequence(from: await app.events(continuing: seen, for: client)))
    response.headers[.contentType] = "text/event-stream"
    return response
  }

  private func itemID(_ text: String) throws(Refusal) -> Item.ID {
    guard let id = Int(text) else { throw .missing("There is no item \(text).") }
    return id
  }
}
