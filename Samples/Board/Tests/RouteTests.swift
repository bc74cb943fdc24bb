import Board
import Flux
import FluxLog
import Testing

@Suite("Routes, over a connection", .timeLimit(.minutes(15)))
struct RouteTests {
  @Test("items are added, listed, changed, moved and removed")
  func items() async throws {
    try await withServer(try await BoardApp.test()) { port in
      let client = try await Client(to: port)
      let added = try await client.ask("POST", "/items", #"{"text": "  buy milk\n"}"#)
      #expect(added.status == 201)
      #expect(added.headers["location"] == "/items/1")
      #expect(added.body == #"{"item":{"done":false,"id":1,"text":"buy milk"},"version":1}"#)
      _ = try await client.ask("POST", "/items", #"{"text": "walk"}"#)
      let changed = try await client.ask("PATCH", "/items/2", #"{"text": "run", "done": true, "place": 0}"#)
      #expect(changed.status == 200)
      #expect(changed.body == #"{"item":{"done":true,"id":2,"text":"run"},"version":3}"#)
      let listed = try await client.ask("GET", "/items")
      #expect(listed.status == 200)
      #expect(listed.headers["content-type"] == "application/json")
      #expect(
        listed.body == #"{"items":[{"done":true,"id":2,"text":"run"},"#
          + #"{"done":false,"id":1,"text":"buy milk"}],"version":3}"#)
      let removed = try await client.ask("DELETE", "/items/1")
      #expect(removed.body == #"{"item":{"done":false,"id":1,"text":"buy milk"},"version":4}"#)
      let status = try await client.ask("GET", "/status")
      #expect(status.body == #"{"items":1,"listeners":0,"requests":6,"version":4}"#)
    }
  }

  @Test(
    "what cannot be understood is answered with the reason",
    arguments: [
      ("POST", "/items", "{", 400, "The body is not a JSON object."),
      ("POST", "/items", "[]", 400, "The body is not a JSON object."),
      ("POST", "/items", String(repeating: "[", count: 600), 400, "The body is not a JSON object."),
      ("POST", "/items", "{}", 400, #"The body must contain a text, such as {\"text\": \"buy milk\"}."#),
      ("POST", "/items", #"{"text": 7}"#, 400, "The field text has the wrong type."),
      ("POST", "/items", #"{"text": " \n "}"#, 400, "The text is empty."),
      (
        "POST", "/items", #"{"text": "\#(String(repeating: "x", count: 501))"}"#, 400,
        "The text must have at most 500 characters."
      ),
      ("PATCH", "/items/1", "{}", 400, "The body must contain a text, a done value, or a place."),
      ("PATCH", "/items/1", #"{"place": -1}"#, 400, "The place must not be negative."),
      ("PATCH", "/items/1", #"{"place": 1e99}"#, 400, "The body is not a JSON object."),
      ("PATCH", "/items/1", #"{"done": "yes"}"#, 400, "The field done has the wrong type."),
      ("PATCH", "/items/1", #"{"done": true}"#, 404, "There is no item 1."),
      ("DELETE", "/items/1", nil, 404, "There is no item 1."),
      ("DELETE", "/items/x", nil, 404, "There is no item x."),
      ("GET", "/nothing", nil, 404, "The path /nothing does not exist."),
      ("GET", "/items/1/2", nil, 404, "The path /items/1/2 does not exist."),
      ("PUT", "/items", "{}", 405, "Allowed methods: GET, POST."),
      ("GET", "/items/1", nil, 405, "Allowed methods: PATCH, DELETE."),
      ("POST", "/events", "{}", 405, "Allowed methods: GET."),
      ("DELETE", "/", nil, 405, "Allowed methods: GET."),
    ] as [(String, String, String?, Int, String)])
  func refused(method: String, path: String, body: String?, status: Int, error: String) async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let client = try await Client(to: port)
      let response = try await client.ask(method, path, body)
      #expect(response.status == status)
      #expect(response.body == #"{"error":"\#(error)"}"#)
      // The connection can be used for another request.
      #expect(try await client.ask("POST", "/items", #"{"text": "milk"}"#).status == 201)
    }
  }

  @Test("a body that is no JSON by its type is refused, as other sites' pages would send it")
  func otherTypes() async throws {
    try await withServer(try await BoardApp.test()) { port in
      let client = try await Client(to: port)
      for kind in [nil, "text/plain", "application/x-www-form-urlencoded"] {
        try await client.send("POST", "/items", body: #"{"text": "milk"}"#, kind: kind)
        #expect(try await client.response().status == 415)
      }
      try await client.send(
        "POST", "/items", body: #"{"text": "milk"}"#, kind: "Application/JSON; charset=utf-8")
      #expect(try await client.response().status == 201)
    }
  }

  @Test(
    "a body that is too large is refused before it is read, and ends the connection",
    arguments: [
      4_097, 100_000, 3_000_000,
    ])
  func largeBodies(count: Int) async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let client = try await Client(to: port)
      let kind = "Content-Type: application/json"
      try await client.send("POST", "/items", headers: kind, "Content-Length: \(count)")
      let response = try await client.response()
      #expect(response.status == 413)
      #expect(response.body == #"{"error":"The body must have at most 4096 bytes."}"#)
      #expect(response.headers["connection"] == "close")
      #expect(try await client.rest().isEmpty)
    }
  }

  @Test("a body that comes in parts is taken, and refused where it gets too large")
  func partedBodies() async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let client = try await Client(to: port)
      let headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"]
      try await client.send("POST", "/items", headers: headers[0], headers[1])
      try await client.send("8\r\n{\"text\":\r\n7\r\n \"tea\"}\r\n0\r\n\r\n")
      #expect(try await client.response().status == 201)
      try await client.send("POST", "/items", headers: headers[0], headers[1])
      for _ in 1...5 { try await client.send("400\r\n\(String(repeating: " ", count: 1_024))\r\n") }
      #expect(try await client.response().status == 413)
      #expect(app.texts == ["tea"])
    }
  }

  @Test("what is no HTTP harms nobody else")
  func noHTTP() async throws {
    try await withServer(try await BoardApp.test()) { port in
      for text in [
        "\r\n\r\n", "GET\r\n\r\n", "POST /items HTTP/1.1\r\nContent-Length: x\r\n\r\n", "\0\u{1}\u{2}\n\n",
      ] {
        let client = try await Client(to: port)
        try await client.send(text)
        #expect(try await client.rest().isEmpty)
      }
      #expect(try await Client(to: port).ask("GET", "/items").status == 200)
    }
  }

  @Test("when nothing can be saved, a change is answered so")
  func unsaved() async throws {
    let log = TestLog()
    try await withServer(try await BoardApp.test(log)) { port in
      log.fail(.refuses)
      let response = try await Client(to: port).ask("POST", "/items", #"{"text": "milk"}"#)
      #expect(response.status == 503)
      #expect(try await Client(to: port).ask("GET", "/items").body == #"{"items":[],"version":0}"#)
    }
  }

  @Test(
    "the page is served with what it loads, and may load nothing from elsewhere",
    arguments: [
      ("/", "text/html; charset=utf-8"), ("/board.js", "text/javascript; charset=utf-8"),
      ("/board.css", "text/css; charset=utf-8"),
    ])
  func page(path: String, kind: String) async throws {
    try await withServer(try await BoardApp.test()) { port in
      let response = try await Client(to: port).ask("GET", path)
      #expect(response.status == 200)
      #expect(response.headers["content-type"] == kind)
      #expect(response.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      #expect(!response.body.isEmpty)
      #expect(!response.body.contains("http"))
    }
  }
}
