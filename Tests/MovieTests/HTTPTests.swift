import Flux
import Foundation
import MovieBrowser
import Synchronization
import TestSupport
import Testing

@Suite("Films from a server", .unlessItHangs)
struct HTTPTests {
  @Test("each page is requested once, by its name, when it is needed")
  func requests() async throws {
    try await withServer { server in
      let session = Session(try service(server))
      #expect(
        await session.start() == [
          "  loaded 2 films; 2 of them so far", "Page 1 of 3", "   1  Film 1 (1901)", "   2  Film 2 (1902)",
        ])
      #expect(server.requests == ["/page-1.json"])
      await session.type("next")
      await session.type("list")
      #expect(server.requests == ["/page-1.json", "/page-2.json"])
      await session.type("search film")
      #expect(server.requests == ["/page-1.json", "/page-2.json", "/page-3.json"])
    }
  }

  @Test(
    "pages below a path of the server are found", arguments: ["/films", "/films/", "/a/b"])
  func folder(path: String) async throws {
    try await withServer { server in
      let address = try #require(URL(string: server.address + path))
      let session = Session(HTTPMovieService(server: address))
      _ = await session.start()
      #expect(server.requests == [(path + "/page-1.json").replacing("//", with: "/")])
    }
  }

  @Test("films from a server are the same as films from files")
  func sameAsFiles() async throws {
    let pages = try await bundledPages()
    try await withServer(answering: { path in .respond(status: 200, body: pages[path] ?? "") }) { server in
      let remote = Session(try service(server))
      let local = Session()
      #expect(await remote.start() == (await local.start()))
      for line in tour { #expect(await remote.type(line) == (await local.type(line))) }
      #expect(remote.belongings == local.belongings)
      #expect(server.requests == (1...13).map { "/page-\($0).json" })
    }
  }

  /// A failure of a server and its message, in which `SERVER` is the address.
  struct Failure: Sendable, CustomTestStringConvertible {
    let name: String
    let answer: LoopbackServer.Answer
    let trouble: String
    var code: MovieServiceError.Code

    /// The number of requests for the page.
    var tries: Int { code == .failing || code == .unreachable ? 4 : 1 }

    var testDescription: String { name }
  }

  static let failures = [
    Failure(
      name: "500", answer: .respond(status: 500, body: "oh no"),
      trouble: "SERVER/page-2.json answered with status 500.", code: .failing),
    Failure(
      name: "500 with a good page", answer: .respond(status: 500, body: pageJSON(2, of: 3)),
      trouble: "SERVER/page-2.json answered with status 500.", code: .failing),
    Failure(
      name: "403", answer: .respond(status: 403, body: ""),
      trouble: "SERVER/page-2.json answered with status 403.", code: .refused),
    Failure(
      name: "404", answer: .respond(status: 404, body: "<h1>Not found</h1>"),
      trouble: "SERVER/page-2.json was not found.", code: .missing),
    Failure(
      name: "HTML in place of JSON", answer: .respond(status: 200, body: "<!doctype html><h1>Sign in</h1>"),
      trouble: "SERVER/page-2.json is not a page of films (its JSON cannot be read).", code: .malformed),
    Failure(
      name: "an empty answer", answer: .respond(status: 200, body: ""),
      trouble: "SERVER/page-2.json is not a page of films (its JSON cannot be read).", code: .malformed),
    Failure(
      name: "another page", answer: .respond(status: 200, body: pageJSON(1, of: 3)),
      trouble: "SERVER/page-2.json is page 1, but page 2 was requested.", code: .malformed),
    Failure(
      name: "a body that breaks off", answer: .breakOff(body: pageJSON(2, of: 3)),
      trouble: "SERVER cannot be reached.", code: .unreachable),
  ]

  @Test(
    "each failed attempt is reported and changes nothing, and a recovered server is used again",
    arguments: failures)
  func failure(_ failure: Failure) async throws {
    try await withServer { server in
      let session = await Session.started(try service(server))
      await session.type("wish 2")
      let before = session.belongings

      server.answer { _ in failure.answer }
      let trouble = "! " + failure.trouble.replacing("SERVER", with: server.address)
      let again = (1..<failure.tries).map { "  \(trouble.dropFirst(2)) Trying again, \($0 + 1) of 4" }
      #expect(await session.type("next") == again + [trouble])
      #expect(server.requests.count == 1 + failure.tries)
      #expect(session.belongings == before)
      #expect(await session.type("list").first == "Page 1 of 3")

      server.answer(goodPages)
      #expect(await session.type("next").prefix(2) == ["  loaded 2 films; 4 of them so far", "Page 2 of 3"])
      #expect(session.belongings.marks == before.marks)
    }
  }

  @Test("a request to a server that does not answer times out four times")
  func noAnswer() async throws {
    try await withServer { server in
      let clock = QuickClock()
      let session = await Session.started(try service(server), clock: clock)
      server.answer { _ in .hold }
      let next = session.browser.begin("next")
      for _ in 1...4 { await clock.passLongWait() }
      await next?.finished()
      let trouble = "Page 2 timed out."
      #expect(
        session.lines() == (2...4).map { "  \(trouble) Trying again, \($0) of 4" } + ["! \(trouble)"])

      server.answer(goodPages)
      #expect(await session.type("next").prefix(2) == ["  loaded 2 films; 4 of them so far", "Page 2 of 3"])
    }
  }

  @Test("a server that is slow once, and then fails once, is read in the end")
  func slowThenWell() async throws {
    try await withServer { server in
      let clock = QuickClock()
      let session = await Session.started(try service(server), clock: clock)
      let bad = Mutex<[LoopbackServer.Answer]>([.hold, .respond(status: 503, body: "")])
      server.answer { path in
        bad.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? goodPages(path)
      }
      let next = session.browser.begin("next")
      await server.wasAsked(for: "/page-2.json")
      await clock.passLongWait()
      await next?.finished()
      #expect(
        session.lines().prefix(4) == [
          "  Page 2 timed out. Trying again, 2 of 4",
          "  \(server.address)/page-2.json answered with status 503. Trying again, 3 of 4",
          "  loaded 2 films; 4 of them so far", "Page 2 of 3",
        ])
    }
  }

  @Test("a failure of the service has a code", arguments: failures)
  func code(_ failure: Failure) async throws {
    try await withServer(answering: { _ in failure.answer }) { server in
      let service = try service(server)
      let error = await #expect(throws: MovieServiceError.self) { try await service.page(2) }
      #expect(error?.code == failure.code)
    }
  }

  @Test("a refused connection is reported at the start and for each command")
  func refused() async throws {
    let server = try LoopbackServer(goodPages)
    defer { withExtendedLifetime(server) {} }
    server.stop()
    let session = Session(try service(server))
    let trouble = unreachable(server.address)
    #expect(await session.start() == trouble)
    for line in ["list", "next", "search x"] { #expect(await session.type(line) == trouble) }
    #expect(session.belongings == Session().belongings)
  }

  @Test("a stopped server is reported, and films and marks are kept")
  func stopped() async throws {
    let server = try LoopbackServer(goodPages)
    let session = await Session.started(try service(server))
    await session.type("seen 1")
    let before = session.belongings
    server.stop()
    #expect(await session.type("next") == unreachable(server.address))
    #expect(session.belongings == before)
  }

  @Test("an interrupted search says so in one line, and then shows the matches so far")
  func search() async throws {
    try await withServer { server in
      let session = await Session.started(try service(server))
      server.answer { path in path == "/page-3.json" ? .respond(status: 403, body: "") : goodPages(path) }
      #expect(
        await session.type("search 1904") == [
          "  loaded 2 films; 4 of them so far", "! \(server.address)/page-3.json answered with status 403.",
          "Found 1 for \"1904\" (of those loaded; 2 are not)", "   4  Film 4 (1904)",
        ])
      server.answer(goodPages)
      #expect(
        await session.type("search 1906") == [
          "  loaded 2 films; 6 of them so far", "Found 1 for \"1906\"", "   6  Film 6 (1906)",
        ])
    }
  }
}

/// Runs a body with a server, which is stopped when the body ends or throws.
private func withServer(
  answering handler: @escaping LoopbackServer.Handler = goodPages,
  _ body: (LoopbackServer) async throws -> Void
) async throws {
  let server = try LoopbackServer(handler)
  defer { server.stop() }
  try await body(server)
}

private func service(_ server: LoopbackServer) throws -> HTTPMovieService {
  HTTPMovieService(server: try #require(URL(string: server.address)))
}

/// The messages about a server that cannot be reached: one before each further attempt, and one at
/// the end.
private func unreachable(_ address: String) -> [String] {
  (2...4).map { "  \(address) cannot be reached. Trying again, \($0) of 4" }
    + ["! \(address) cannot be reached."]
}

/// Three valid pages of two films.
@Sendable private func goodPages(_ path: String) -> LoopbackServer.Answer {
  for number in 1...3 where path.hasSuffix("/page-\(number).json") {
    return .respond(status: 200, body: pageJSON(number, of: 3))
  }
  return .respond(status: 404, body: "")
}

/// The bundled pages as JSON, by their paths on a server.
private func bundledPages() async throws -> [String: String] {
  var pages: [String: String] = [:]
  for number in 1...13 {
    let json = try JSONEncoder().encode(try await FileMovieService().page(number))
    pages["/page-\(number).json"] = String(decoding: json, as: UTF8.self)
  }
  return pages
}
