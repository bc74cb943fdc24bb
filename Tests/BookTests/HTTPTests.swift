import BookShelf
import Flux
import Foundation
import SampleTerminal
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Books from a server")
struct BookHTTPTests {
  private let requests = Recorder<String>()

  /// A service whose server answers with a status and a body that depend on the file's name.
  private func service(
    _ answer: @escaping @Sendable (String) throws -> (status: Int, body: String)
  ) throws -> HTTPBookService {
    let server = try #require(URL(string: "http://server/books"))
    let answer: Server.Answer = { [requests] request in
      let url = try #require(request.url)
      requests.record("\(request.httpMethod ?? "") \(url.absoluteString)")
      let (status, body) = try answer(url.lastPathComponent)
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
      return (Data(body.utf8), try #require(response))
    }
    return HTTPBookService(server: Server(at: server, answer: answer))
  }

  @Test("each file is requested by its name, when it is needed")
  func names() async throws {
    let session = Session(
      try service { name in
        switch name {
        case "books-1.json": (200, json(page: 1, total: 2, ids: [1]))
        case "books-2.json": (200, json(page: 2, total: 2, ids: [2]))
        case "songs.json": (200, #"{"songs": [], "next": "songs-b"}"#)
        case "songs-b.json": (200, #"{"songs": []}"#)
        default: (404, "")
        }
      })
    await session.type("together")
    #expect(
      Set(requests.takeAll()) == [
        "GET http://server/books/books-1.json", "GET http://server/books/songs.json",
      ])
    await session.type("more")
    #expect(
      Set(requests.takeAll()) == [
        "GET http://server/books/books-2.json", "GET http://server/books/songs-b.json",
      ])
    #expect(await session.type("more") == ["  That is all."])
    #expect(requests.count == 0)
  }

  @Test(
    "each failure is reported in one line",
    arguments: [
      (500, "oh no", "http://server/books/shelf.json answered with status 500."),
      (404, "", "http://server/books/shelf.json was not found."),
      (200, "<html>", "shelf.json does not have the expected form."),
      (200, #"{"books": [{"id": "x"}]}"#, "shelf.json does not have the expected form."),
    ])
  func trouble(status: Int, body: String, text: String) async throws {
    let session = Session(try service { _ in (status, body) })
    #expect(await session.type("shelf").last == "! \(text) Type refresh to try again.")
  }

  @Test("a server that cannot be reached is reported")
  func unreachable() async throws {
    let session = Session(try service { _ in throw URLError(.cannotConnectToHost) })
    #expect(
      await session.type("shelf").last
        == "! http://server/books cannot be reached. Type refresh to try again.")
  }

  @Test("a page with another number than requested is refused")
  func otherPage() async throws {
    let session = Session(try service { _ in (200, json(page: 7, total: 99, ids: [1])) })
    #expect(
      await session.type("all").last
        == "! books-1.json is page 7, but page 1 was requested. Type refresh to try again.")
  }

  @Test(
    "only files that are pages of songs are requested", arguments: ["../secret", "a/b", "a.b", "é"])
  func elsewhere(name: String) async throws {
    let service = try service { _ in (200, "{\"songs\": [], \"next\": \"\(name)\"}") }
    let next = try await service.songs(after: nil).next
    await #expect(throws: BookServiceError.self) { try await service.songs(after: next) }
    #expect(requests.count == 1)
  }

  @Test("a server that only serves files refuses edits, which are undone")
  func changes() async throws {
    let session = Session(
      try service { name in name == "shelf.json" ? (200, json(page: 1, total: 1, ids: [7])) : (501, "") })
    await session.type("shelf")
    requests.takeAll()
    #expect(
      await session.type("rename 7 Other") == [
        "   7  Other · Nobody (1800)  … not saved yet",
        "! http://server/books/book-7.json answered PUT with status 501. It was undone:",
        "   7  Book 7 · Nobody (1800)",
      ])
    await session.type("remove 7")
    #expect(
      requests.values == ["PUT http://server/books/book-7.json", "DELETE http://server/books/book-7.json"])
    #expect(session.app.store.state.shelf.items.count == 1)
  }
}

private func json(page: Int, total: Int, ids: [Int]) -> String {
  let books = ids.map { #"{"id": \#($0), "title": "Book \#($0)", "author": "Nobody", "year": 1800}"# }
  return #"{"page": \#(page), "total": \#(total), "books": [\#(books.joined(separator: ", "))]}"#
}
