import FluxInspector
import FlyingSocks
import Foundation
import Testing

@Suite("Access to the page", .timeLimit(.minutes(15)))
struct LetInTests {
  private let desk = Desk()

  /// The status line and the headers of an answer.
  private func answer(_ request: (URL) -> String) async throws -> [String] {
    let url = try await desk.inspector.address
    let connection = try await Connection(to: url)
    defer { connection.close() }
    try await connection.write(request(url))
    return try await connection.readHead()
  }

  private func get(_ path: String? = nil, host: String? = nil, more: String = "") -> (URL) -> String {
    { url in
      "GET \(path ?? url.path()) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(url.port ?? 0)")\r\n\(more)\r\n"
    }
  }

  private static let found = "HTTP/1.1 200 OK"
  private static let notFound = "HTTP/1.1 404 Not Found"
  private static let switched = "HTTP/1.1 101 Switching Protocols"

  @Test("with the token, a request from this machine receives the page and its security headers")
  func page() async throws {
    let head = try await answer(get())
    #expect(head.first == Self.found)
    #expect(head.contains("Content-Type: text/html; charset=utf-8"))
    #expect(head.contains("X-Content-Type-Options: nosniff"))
    #expect(head.contains("Referrer-Policy: no-referrer"))
    #expect(head.contains("Cache-Control: no-store"))
    #expect(head.contains { $0.hasPrefix("Content-Security-Policy: default-src 'none'; script-src 'self';") })
  }

  @Test("the address contains 128 random bits, which differ for each inspector")
  func token() async throws {
    let other = Desk()
    let tokens = try await [desk, other].asyncMap { try await $0.inspector.address.pathComponents[1] }
    #expect(tokens.allSatisfy { $0.count == 32 })
    #expect(tokens[0] != tokens[1])
  }

  #if os(Linux)
    // All of 127.0.0.0/8 is this machine there, so a server that listens on every address also
    // answers at this one.
    @Test("the inspector listens on 127.0.0.1 only")
    func otherAddress() async throws {
      let url = try await desk.inspector.address
      try await Connection(to: url).close()
      await #expect(throws: SocketError.self) { try await Connection(to: url, host: "127.0.0.2").close() }
    }
  #endif

  @Test("the name localhost is accepted too")
  func localhost() async throws {
    let url = try await desk.inspector.address
    #expect(try await answer(get(host: "localhost:\(url.port ?? 0)")).first == Self.found)
  }

  @Test(
    "without the token, or with a similar one, nothing is found, and the answer gives no hint",
    arguments: [
      "/", "/socket", "/index.html", "/TOKEN", "/token/", "/WRONG/", "/WRONG/socket",
      "//TOKEN/", "/TOKEN/../TOKEN/", "/x/TOKEN/",
    ])
  func wrongToken(path: String) async throws {
    let token = try await desk.inspector.address.pathComponents[1]
    let wrong = token.dropLast() + (token.hasSuffix("0") ? "1" : "0")
    let head = try await answer(
      get(path.replacing("TOKEN", with: token).replacing("WRONG", with: wrong)))
    #expect(head.first == Self.notFound)
    #expect(!head.joined().contains(token))
  }

  @Test(
    "files that are not part of the page are not served",
    arguments: [
      "../Inspector.swift", "%2e%2e/Inspector.swift", "..", ".", ".hidden.js", "nothing.js", "index.html/",
      "a/b.js", "index",
    ])
  func wrongFile(name: String) async throws {
    let token = try await desk.inspector.address.pathComponents[1]
    #expect(try await answer(get("/\(token)/\(name)")).first == Self.notFound)
  }

  @Test(
    "a request that names another host is refused, as after a DNS rebinding",
    arguments: [
      "evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT", "PORT", "0.0.0.0:PORT",
    ])
  func wrongHost(host: String) async throws {
    let port = try await desk.inspector.address.port ?? 0
    let host = host.replacing("PORT", with: "\(port)")
    #expect(try await answer(get(host: host)).first == Self.notFound)
    #expect(try await answer { PageClient.upgrade($0, host: host) }.first == Self.notFound)
  }

  @Test("a request without a host is refused")
  func noHost() async throws {
    #expect(try await answer { "GET \($0.path()) HTTP/1.1\r\n\r\n" }.first == Self.notFound)
  }

  @Test(
    "a request from another page in the same browser is refused",
    arguments: [
      "http://evil.example", "null", "https://127.0.0.1:PORT", "http://127.0.0.1:1",
      "http://127.0.0.1:PORT.evil.example",
    ])
  func wrongOrigin(origin: String) async throws {
    let port = try await desk.inspector.address.port ?? 0
    let origin = origin.replacing("PORT", with: "\(port)")
    #expect(try await answer { PageClient.upgrade($0, origin: origin) }.first == Self.notFound)
    #expect(try await answer(get(more: "Origin: \(origin)\r\n")).first == Self.notFound)
  }

  @Test("a socket without an origin is not opened")
  func noOrigin() async throws {
    let head = try await answer { url in
      PageClient.upgrade(url).replacing(/Origin: [^\r]*\r\n/, with: "")
    }
    #expect(head.first == Self.notFound)
  }

  @Test("a socket requires the token, too")
  func socketToken() async throws {
    #expect(try await answer { PageClient.upgrade($0) }.first == Self.switched)
    #expect(try await answer { PageClient.upgrade($0, path: "/socket") }.first == Self.notFound)
  }

  @Test("a request without a handshake opens no socket, and occupies no page")
  func noHandshake() async throws {
    let url = try await desk.inspector.address
    for _ in 0..<20 {
      let head = try await answer(get(url.path() + "socket"))
      #expect(head.first == "HTTP/1.1 400 Bad Request")
    }
    #expect(try await answer { PageClient.upgrade($0) }.first == Self.switched)
  }

  @Test("methods other than GET find nothing", arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
  func methods(method: String) async throws {
    let head = try await answer { get()($0).replacing("GET", with: method) }
    #expect(head.first == Self.notFound)
  }

  @Test("a page beyond the limit is refused, and accepted when another page has left")
  func tooMany() async throws {
    let pages = try await (0..<16).asyncMap { _ in try await desk.open() }
    #expect(try await answer { PageClient.upgrade($0) }.first == "HTTP/1.1 429 Too Many Requests")
    try await pages[0].send(opcode: 8, Data())
    #expect(try await pages[0].closeCode() == 1_000)
    #expect(try await answer { PageClient.upgrade($0) }.first == Self.switched)
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result]
  {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
