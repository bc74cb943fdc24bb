import Flux
import FluxInspector
import FluxTesting
import Foundation
import Testing

@Suite("The table of queries", .timeLimit(.minutes(15)))
struct QueryTableTests {
  // MARK: Rows

  @Test("an entry has a row with its query, type, path, status, subscribers, and tags")
  func row() async throws {
    let office = BoxOffice()
    office.write([7])
    let observers = (1...2).map { _ in office.store.observe(FilmTitle(id: 7)) { _ in } }
    let answer = try await office.table()
    #expect(answer["at"] == .null)
    let table = try #require(answer["table"])
    #expect(table["caches"] == 1 && table["count"] == 1 && table["first"] == 0)
    guard case .object(var row)? = table["rows"]?[0] else {
      Issue.record("There is no row: \(table)")
      return
    }
    #expect(row.removeValue(forKey: "fulfilledAt") != nil)
    #expect(
      row == [
        "query": "FilmTitle(id: 7)", "type": "FilmTitle", "path": "queries.entries[FilmTitle(id: 7)]",
        "status": "success", "isInvalidated": false, "subscribers": 2, "tags": ["Film(7)"], "tagCount": 1,
      ])
    withExtendedLifetime(observers) {}
  }

  @Test("the type of a query is in the row, even if its description does not contain the type")
  func described() async throws {
    let office = BoxOffice()
    office.store.write("Ran", to: Described(description: "seven"))
    let row = try #require(try await office.rows().first)
    #expect(row["query"] == "seven")
    #expect(row["type"] == "Described")
  }

  @Test("the status is that of the request and its result")
  func status() async throws {
    let office = BoxOffice()
    let store = office.store
    store.prefetch(Unanswered())
    #expect(try await office.rows("status") == ["loading"])
    store.write("film", to: Unanswered())
    #expect(try await office.rows("status") == ["success"])
    store.prefetch(Unanswered(), .always)
    #expect(try await office.rows("status") == ["fetching"])
    _ = try? await store.fetch(FilmTitle(id: 7))
    #expect(try await office.rows("status") == ["fetching", "failed"])
    #expect(try await office.rows("error")[1] == "NoAnswer(password: \"\")")
  }

  @Test("a result that was invalidated is marked")
  func invalidated() async throws {
    let office = BoxOffice()
    office.store.write("film", to: FilmTitle(id: 7))
    // While a request is running, invalidated entries are not removed.
    office.store.prefetch(Unanswered())
    office.store.dispatch(InvalidateTags(.type("Film")))
    #expect(try await office.rows("isInvalidated") == [true, false])
  }

  @Test("an edit is counted until the server confirms it")
  func edits() async throws {
    let office = BoxOffice()
    office.write(7...8)
    office.store.mutate(Retitle(id: 8))
    #expect(try await office.rows("pendingEdits") == [nil, 1])
  }

  @Test("the times of two results differ by the time of the store's clock, and do not change")
  func times() async throws {
    let office = BoxOffice()
    office.write([7])
    office.clock.advance(by: .seconds(5))
    office.write([8])
    let page = try await office.open()
    let tables = [try await page.ask("queries"), try await page.ask("queries")]
    let times = tables.map { $0["table"]?["rows"]?.elements.map { $0["fulfilledAt"]?.number ?? .nan } ?? [] }
    #expect((times[0][1] - times[0][0] - 5_000).magnitude < 0.01)
    #expect(times[0] == times[1])
  }

  @Test("the tags of whole types and of lists come first, at most six are sent, and all are counted")
  func tags() async throws {
    let office = BoxOffice()
    let films = (1...50).map { QueryTag.type("Film", id: $0) }
    let query = Described(description: "films", tags: Set(films + [.list("Film"), .type("Actor")]))
    office.store.write("films", to: query)
    let row = try #require(try await office.rows().first)
    let tags = (row["tags"]?.elements ?? []).compactMap(\.string)
    #expect(tags.count == 6)
    #expect(tags.prefix(2) == ["Actor", "Film(list)"])
    #expect(row["tagCount"] == 52)
  }

  // MARK: States

  @Test("a state of the past has its own entries, and no subscribers")
  func past() async throws {
    let office = BoxOffice()
    office.write(7...8)
    #expect(try await office.rows(at: 0).isEmpty)
    let rows = try await office.rows(at: 1)
    #expect(rows.map { $0["query"] } == ["FilmTitle(id: 7)"])
    #expect(rows.map { $0["subscribers"] } == [nil])
    #expect(try await office.rows("subscribers") == [0, 0])
    #expect(try await office.table(at: 99)["code"] == "noSuchEntry")
  }

  @Test("if a state has several caches, each row names its cache")
  func severalCaches() async throws {
    let office = BoxOffice()
    office.write([7])
    #expect(try await office.rows("cache") == [nil])
    office.store.dispatch(ArchiveQueries())
    office.write([8])
    let table = try #require(try await office.table()["table"])
    #expect(table["caches"] == 2 && table["count"] == 3)
    #expect(try await office.rows("cache") == ["queries", "queries", "archive.queries"])
  }

  @Test("only the log of a store with a query cache says that there is one")
  func gate() async throws {
    let office = BoxOffice()
    #expect(try await office.open().watch()["hasQueries"] == true)
    let desk = Desk()
    let page = try await desk.open()
    #expect(try await page.watch()["hasQueries"] == false)
    let table = try await page.ask("queries")["table"]
    #expect(table == ["caches": 0, "count": 0, "first": 0, "rows": [], "isRedacted": false])
  }

  // MARK: Limits

  @Test("a section has at most as many rows as a value has parts, and the next section follows it")
  func sections() async throws {
    let office = BoxOffice(limits: InspectorLimits(breadth: 2))
    office.write(1...5)
    let second = try #require(try await office.table(from: 2)["table"])
    #expect(second["first"] == 2 && second["count"] == 5)
    #expect(
      second["rows"]?.elements.map { $0["query"] } == ["FilmTitle(id: 3)", "FilmTitle(id: 4)"])
    #expect(try await office.rows(from: 4).count == 1)
  }

  @Test("a section spans caches")
  func sectionOfCaches() async throws {
    let office = BoxOffice(limits: InspectorLimits(breadth: 2))
    office.write(1...3)
    office.store.dispatch(ArchiveQueries())
    #expect(try await office.rows("cache", from: 2) == ["queries", "archive.queries"])
    #expect(try await office.rows("query", from: 4) == ["FilmTitle(id: 2)", "FilmTitle(id: 3)"])
  }

  @Test("a position that no entry has selects the first section", arguments: [-1, 3, Int.min, Int.max])
  func outOfBounds(first: Int) async throws {
    let office = BoxOffice()
    office.write(1...3)
    let table = try #require(try await office.table(from: first)["table"])
    #expect(table["first"] == 0)
    #expect(table["rows"]?.elements.count == 3)
  }

  @Test("texts are cut, and a path that would be cut is not sent")
  func cut() async throws {
    let office = BoxOffice(limits: InspectorLimits(characters: 8))
    office.store.write("Ran", to: Described(description: "0123456789"))
    let row = try #require(try await office.rows().first)
    #expect(row["query"] == "01234567…")
    #expect(row["type"] == "Describe…")
    #expect(row["path"] == nil)
  }

  @Test("a section ends when its texts are too long together, but has at least one row")
  func bytes() async throws {
    let office = BoxOffice(limits: InspectorLimits(nodes: 3))
    office.write(1...9)
    let table = try #require(try await office.table()["table"])
    #expect(table["count"] == 9)
    #expect((1...5).contains(table["rows"]?.elements.count ?? 0))
    #expect(try await BoxOffice(limits: InspectorLimits(nodes: 1)).rows().isEmpty)
  }

  // MARK: Secrets

  /// The text of the table of a query with a secret, of which one succeeded and one failed.
  private func secretTable(_ redaction: Redaction) async throws -> (text: String, table: JSONValue) {
    let office = BoxOffice(redacting: redaction)
    let account = Account(user: "Ada", password: "swordfish")
    _ = try? await office.store.fetch(account)
    let table = try #require(try await office.table()["table"])
    return (String(decoding: try JSONEncoder().encode(table), as: UTF8.self), table)
  }

  @Test("no row contains a secret in a query, a tag, or an error")
  func redacted() async throws {
    #expect(try await secretTable(.none).text.contains("swordfish"))
    for redaction in [Redaction.fields("password"), Redaction { $0.hasSuffix("password") }] {
      let (text, table) = try await secretTable(redaction)
      #expect(!text.contains("swordfish"))
      let row = try #require(table["rows"]?[0])
      #expect(row["status"] == "failed")
      #expect(row["query"] == "Account(user: \"Ada\", password: •••)")
      #expect(row["path"] == "queries.entries[Account(user: \"Ada\", password: •••)]")
    }
  }

  @Test("a rule for a part of an entry hides the part")
  func redactedParts() async throws {
    let row = try #require(try await secretTable(.fields("tags", "error")).table["rows"]?[0])
    #expect(row["tags"] == ["•••"])
    #expect(row["tagCount"] == nil)
    #expect(row["error"] == "•••")
  }

  @Test("a rule for an entry hides everything except its query")
  func redactedEntry() async throws {
    let redaction = Redaction { $0.hasPrefix("queries.entries[Account") && $0.hasSuffix("]") }
    let row = try #require(try await secretTable(redaction).table["rows"]?[0])
    #expect(row["isRedacted"] == true)
    for name in ["status", "tags", "error", "subscribers", "type"] { #expect(row[name] == nil, "\(name)") }
  }

  @Test("a rule for the entries hides all rows, and the table says so")
  func redactedEntries() async throws {
    let table = try await secretTable(.fields("entries")).table
    #expect(table == ["caches": 1, "count": 0, "first": 0, "rows": [], "isRedacted": true])
  }

  @Test("a cache in a secret part of the state is not found")
  func redactedCache() async throws {
    #expect(try await secretTable(.fields("queries")).table["caches"] == 0)
  }
}
