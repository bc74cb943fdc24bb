import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Which actions changed a path", .timeLimit(.minutes(15)))
struct FindTests {
  private func found(_ answer: JSONValue) -> [Int]? {
    answer["entries"]?.elements.compactMap(\.integer)
  }

  @Test("an answer contains the newest actions first, and says how far the search went")
  func found() async throws {
    let desk = Desk()
    desk.store.dispatch(AddBook(id: 1, title: "Emma"))
    desk.count(2)
    desk.store.dispatch(AddBook(id: 2, title: "Ulysses"))
    desk.count(1)
    let page = try await desk.open()
    let answer = try await page.ask("find", ["path": "count", "from": 5, "limit": 20])
    #expect(answer["type"] == "found")
    #expect(found(answer) == [5, 3, 2])
    #expect(answer["through"] == 1)
    #expect(found(try await page.ask("find", ["path": "books[2]", "from": 5, "limit": 20])) == [4])
    #expect(found(try await page.ask("find", ["path": "count", "from": 4, "limit": 2])) == [3])
  }

  @Test("one answer covers at most twenty actions, however many are requested", arguments: [20, 21, .max])
  func bounded(limit: Int) async throws {
    let desk = Desk()
    desk.count(50)
    let page = try await desk.open()
    let answer = try await page.ask("find", ["path": "count", "from": 50, "limit": .integer(limit)])
    #expect(found(answer) == Array((31...50).reversed()))
    #expect(answer["through"] == 31)
    let least = try await page.ask("find", ["path": "count", "from": 30, "limit": .integer(-1)])
    #expect(found(least) == [30])
    #expect(least["through"] == 30)
  }

  @Test("numbers that no action has are skipped, a thousand at a time")
  func gaps() async throws {
    let desk = Desk()
    desk.count(2)
    let page = try await desk.open()
    for _ in 0..<3 {
      try await page.command("jump", entry: 1)
      desk.count(1)
    }
    #expect(found(try await page.ask("find", ["path": "count", "from": 5, "limit": 20])) == [5, 1])
    let beyond = try await page.ask("find", ["path": "count", "from": 1_500, "limit": 20])
    #expect(found(beyond) == [])
    #expect(beyond["through"] == 501)
    for number in [Int.min, -7, 0] {
      let below = try await page.ask("find", ["path": "count", "from": .integer(number), "limit": 20])
      #expect(found(below) == [])
      #expect(below["through"] == .integer(number))
    }
  }

  @Test("a search does not reveal a secret, only that the secret changed")
  func secrets() async throws {
    let desk = Desk(redacting: .fields("password"))
    desk.store.dispatch(SetPassword(password: "swordfish"))
    let page = try await desk.open()
    for (path, entries) in [("owner.password", [1]), ("swordfish", []), ("password.swordfish", [])] {
      let answer = try await page.ask("find", ["path": .string(path), "from": 1, "limit": 20])
      #expect(found(answer) == entries, "\(path)")
    }
  }

  @Test("a search reports no changes of a state that is not kept")
  func notKept() async throws {
    let desk = Desk(history: History(keepingEvery: 3))
    desk.count(6)
    let page = try await desk.open()
    let answer = try await page.ask("find", ["path": "count", "from": 6, "limit": 20])
    #expect(found(answer) == [])
    #expect(answer["through"] == 1)
  }

  @Test(
    "a path matches if its parts match",
    arguments: [
      ("movies[27].title", "movies.27", true), ("movies[27].title", "27.title", true),
      ("movies[27].title", "movies[2]", false), ("movies[27].title", "MOV", true),
      ("movies[27].title", "ovies", false), ("movies", "movies.27.title", true), ("", "movies", true),
      ("count", "movies", false), ("movies[27]", "movies.28", false),
      ("movies[27].title", "movies.title", false),
      (#"tags["a.b"]"#, #"tags["a.b"]"#, true), (#"tags["a.b"]"#, "tags.a", true),
      (#"tags["a.b"]"#, "tags.b", false), (#"tags["a\"].b"]"#, #"tags["a\"].b"]"#, true),
      ("files[a.b[0].swift]", "files.a", true), ("tags[", "tags[", true),
      ("a[b].c[d", "b.c.d", true), ("]..[", "", true),
    ])
  func pattern(path: String, wanted: String, fits: Bool) {
    #expect(PathPattern(wanted).matches(path) == fits)
  }
}
