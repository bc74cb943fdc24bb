import FlyingFox
import FlyingSocks
import Foundation

/// A server of the page and its socket, on this machine only.
struct InspectorServer: Sendable {
  private let server: HTTPServer
  private let room: InspectorRoom
  private let token: String
  private let files = PageFiles()
  /// The time limit for an answer and for the start of the server, in seconds, which is long
  /// enough for a busy machine.
  private static let patience = 60.0

  init(port: UInt16, token: String, room: InspectorRoom) throws {
    self.room = room
    self.token = token
    server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: Self.patience, logger: .disabled)
  }

  /// A Boolean value that indicates whether the files of the page were found.
  var hasPage: Bool { files.areThere }

  /// Serves until the server is stopped, or the task is canceled.
  ///
  /// - Parameter listening: Called with the port as soon as the server listens.
  func run(listening: @Sendable @escaping (UInt16) -> Void) async throws {
    await server.appendRoute("*") { request in await respond(to: request) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        try await server.waitUntilListening(timeout: Self.patience)
        if let port = await port { listening(port) }
      }
      for try await _ in group {}
    }
  }

  /// Closes all connections, and frees the port.
  func stop() async {
    await server.stop()
  }

  private var port: UInt16? {
    get async {
      if case .ip4(_, let port) = await server.listeningAddress { port } else { nil }
    }
  }

  // MARK: Answering

  private func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard let port = await port, let path = RequestGate(token: token, port: port).path(of: request),
      request.method == .GET
    else { return Self.notFound }
    if path == "socket" { return await socket(request) }
    guard let (bytes, type) = files.file(path) else { return Self.notFound }
    return HTTPResponse(statusCode: .ok, headers: Self.headers(type: type), body: bytes)
  }

  private func socket(_ request: HTTPRequest) async -> HTTPResponse {
    guard let session = room.enter() else {
      return HTTPResponse(statusCode: .tooManyRequests, headers: Self.headers(type: "text/plain"))
    }
    do {
      let response = try await WebSocketHTTPHandler(handler: PageSocket(session: session)).handleRequest(
        request)
      if case .webSocket = response.payload { return response }
      room.leave(session)
      return response
    } catch {
      room.leave(session)
      return Self.notFound
    }
  }

  private static let notFound = HTTPResponse(statusCode: .notFound, headers: headers(type: "text/plain"))

  private static func headers(type: String) -> HTTPHeaders {
    [
      .contentType: type,
      .cacheControl: "no-store",
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      HTTPHeader("Content-Security-Policy"): """
      default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
      base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """,
    ]
  }
}
