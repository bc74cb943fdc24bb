import Board
import Testing

@Suite("Requests from elsewhere")
struct GateTests {
  private func status(
    _ method: String = "GET", _ path: String = "/items", host: String, origin: String? = nil,
    names: [String] = [], address: String = "127.0.0.1"
  ) async throws -> Int {
    var status = 0
    try await withServer(try await BoardApp.test(), address: address, names: names) { port in
      let client = try await Client(to: port)
      let place = { (text: String) in text.replacing("PORT", with: "\(port)") }
      try await client.send(
        method, path, body: method == "POST" ? #"{"text": "milk"}"# : nil, kind: "application/json",
        host: place(host), headers: origin.map { ["Origin: \(place($0))"] } ?? [])
      status = try await client.response().status
    }
    return status
  }

  @Test(
    "a request for another host is refused, whatever it is for",
    arguments: [
      "evil.example", "evil.example:PORT", "board", "", "127.0.0.1.evil.example", "127.0.0.1:x",
      "localhost:PORT:PORT", "10.0.0.1",
    ])
  func otherHosts(host: String) async throws {
    for path in ["/items", "/events", "/", "/status"] {
      #expect(try await status("GET", path, host: host) == 421)
    }
    #expect(try await status("POST", host: host) == 421)
  }

  @Test(
    "a request from the page of another site is refused",
    arguments: [
      "http://evil.example", "null", "http://127.0.0.1:1", "http://localhost:PORT",
      "https://evil.example:PORT",
      "file://", "http://127.0.0.1:PORT.evil.example",
    ])
  func otherSites(origin: String) async throws {
    #expect(try await status("GET", host: "127.0.0.1:PORT", origin: origin) == 403)
    #expect(try await status("POST", host: "127.0.0.1:PORT", origin: origin) == 403)
  }

  @Test(
    "a request to the server's own names, and from its own page, is answered",
    arguments: [
      ("127.0.0.1:PORT", nil), ("localhost:PORT", nil), ("LocalHost:PORT", "http://localhost:PORT"),
      ("127.0.0.1:PORT", "http://127.0.0.1:PORT"), ("board.example", "https://board.example"),
    ] as [(String, String?)])
  func own(host: String, origin: String?) async throws {
    #expect(try await status("POST", host: host, origin: origin, names: ["Board.example"]) == 201)
  }

  @Test("a server on all addresses answers to each address, and to no other name")
  func allAddresses() async throws {
    #expect(try await status(host: "192.168.0.7:PORT", address: "0.0.0.0") == 200)
    for host in ["evil.example:PORT", "1.2.3", "1.2.3.4.5", "1.2.3.400", "1.2.3.a"] {
      #expect(try await status(host: host, address: "0.0.0.0") == 421)
    }
  }
}
