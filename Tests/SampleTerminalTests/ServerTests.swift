import Foundation
import SampleTerminal
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A server")
struct ServerTests {
  private let requests = Recorder<String>()

  private func server(status: Int) throws -> Server {
    let address = try #require(URL(string: "http://server/files"))
    return Server(at: address) { [requests] request in
      let url = try #require(request.url)
      let body = request.httpBody.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
      requests.record("\(request.httpMethod ?? "") \(url.absoluteString)\(body)")
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
      return (Data("contents".utf8), try #require(response))
    }
  }

  private func server(throwing code: URLError.Code) throws -> Server {
    Server(at: try #require(URL(string: "http://server"))) { _ in throw URLError(code) }
  }

  @Test("files are read, written, and deleted by their names")
  func requests() async throws {
    let server = try server(status: 200)
    #expect(try await server.get("a.json") == Data("contents".utf8))
    try await server.put("b.json", Data("new".utf8))
    try await server.delete("c.json")
    #expect(
      requests.values == [
        "GET http://server/files/a.json", "PUT http://server/files/b.json new",
        "DELETE http://server/files/c.json",
      ])
    #expect(server.address(of: "a.json") == "http://server/files/a.json")
  }

  @Test(
    "a status other than success is reported with the file",
    arguments: [
      (404, "http://server/files/a.json was not found."),
      (500, "http://server/files/a.json answered with status 500."),
      (300, "http://server/files/a.json answered with status 300."),
    ])
  func status(_ status: Int, text: String) async throws {
    let server = try server(status: status)
    let trouble = await #expect(throws: ServerTrouble.self) { try await server.get("a.json") }
    #expect(trouble?.kind == .status(status))
    #expect(trouble?.description == text)
  }

  @Test("the error of a request other than GET contains the method")
  func method() async throws {
    let server = try server(status: 501)
    let trouble = await #expect(throws: ServerTrouble.self) { try await server.delete("a.json") }
    #expect(trouble?.description == "http://server/files/a.json answered DELETE with status 501.")
  }

  @Test("a server that cannot be reached and a server that times out cause different errors")
  func noAnswer() async throws {
    let (gone, late) = (try server(throwing: .cannotConnectToHost), try server(throwing: .timedOut))
    let trouble = await #expect(throws: ServerTrouble.self) { try await gone.get("a.json") }
    #expect(trouble?.kind == .unreachable)
    #expect(trouble?.description == "http://server cannot be reached.")
    let lateness = await #expect(throws: ServerTrouble.self) { try await late.get("a.json") }
    #expect(lateness?.kind == .timedOut)
    #expect(lateness?.description == "http://server did not answer in time.")
  }
}
