import FluxAsync
import FluxCore
import FluxQuery
import Foundation
import TestSupport
import Testing

@Suite("The tables of Queries.md", .unlessItHangs)
struct QueryGuideTableTests {
  private typealias AppState = QueryGuideTests.AppState
  private typealias Film = QueryGuideTests.Film
  private typealias FilmByID = QueryGuideTests.FilmByID
  private typealias RenameFilm = QueryGuideTests.RenameFilm

  private struct Server: QueryGuideTests.FilmService {
    let calls = Recorder<Int>()

    func film(_ id: Int) async throws -> Film {
      calls.record(id)
      return Film(id: id, title: "Playtime")
    }
    func films(about words: String) async throws -> [Film] { [] }
    func newest(limit: Int, offset: Int) async throws -> [Film] { [] }
    func rename(_ id: Int, to title: String) async throws -> Film { Film(id: id, title: title) }
    func person(_ id: Int) async throws -> QueryGuideTests.Person { .init(id: id, name: "") }
    func cast(of film: Int) async throws -> [QueryGuideTests.Person] { [] }
    func comments(on film: Int) async throws -> [String] { [] }
    func newComments(on film: Int) -> AsyncStream<String> { AsyncStream { $0.finish() } }
  }

  @Test("the code of the first table has the effects that the table names") @MainActor
  func firstTable() async throws {
    let server = Server()
    let store = Store(
      reducer: ActionHandlers<AppState> {}, plugins: [QueryGuideTests.queries.plugin],
      services: Services().with(server, as: (any QueryGuideTests.FilmService).self), state: AppState())
    let titles = Recorder<String?>()
    let query = FilmByID(id: 7)

    store.prefetch(FilmByID(id: 7))
    let film = try await store.fetch(FilmByID(id: 7))
    #expect(store.state.queries[FilmByID(id: 7)].data == film)
    let observer = store.observe(FilmByID(id: 7)) { film in titles.record(film.data?.title) }
    let part = store.observe(FilmByID(id: 7), of: { $0.data?.title }) { title in titles.record(title) }
    let onMain = store.observe(FilmByID(id: 7), onMain: { film in titles.record(film.data?.title) })
    #expect(titles.values == ["Playtime", "Playtime", "Playtime"])
    for await film in store.values(of: FilmByID(id: 7)) where film.data != nil { break }
    #expect(store.state.queries.queries(of: FilmByID.self) == [query])

    observer.refetch()
    _ = try await store.fetch(query)
    store.prefetch(query, .always)
    _ = try await store.fetch(query)
    store.dispatch(InvalidateTags(.type("Film", id: 7)))
    _ = try await store.fetch(query)
    #expect(server.calls.count == 4)

    store.write(film, to: FilmByID(id: 7))
    #expect(store.state.queries[query].data == film)
    _ = try await store.mutate(RenameFilm(id: 7, title: "Playtime")).value
    store.dispatch(ResetQueries())
    _ = try await store.fetch(query)
    #expect(server.calls.count == 5)
    withExtendedLifetime((observer, part, onMain)) {}
  }

  /// The cells of a column of the table that begins with a row, without the heading.
  private func column(_ column: Int, ofTable heading: String) throws -> [String] {
    let lines = try GuideExamples.text(of: Self.page).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix(heading) })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { row in
      row.components(separatedBy: "|")[column + 1].trimmingCharacters(in: .whitespaces)
    }
  }

  private static let page = "Sources/FluxQuery/FluxQuery.docc/Queries.md"

  /// The parts of a cell that are code.
  private func code(in cell: String) -> [String] {
    cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  @Test("the code of the first table is in the test of its effects, word for word")
  func firstTableIsTested() throws {
    let tests = try [
      "Tests/QueryTests/QueryGuideTableTests.swift", "Tests/SwiftUIFace/Tests/Guide/QueryExample.swift",
    ]
    .map(GuideExamples.text).joined()
    let cells = try column(1, ofTable: "| to | write |")
    #expect(cells.count >= 14)
    for code in cells.flatMap(code(in:)) {
      // The table abbreviates the body of a closure.
      let part = code.components(separatedBy: "…")[0].trimmingCharacters(in: .whitespaces)
      #expect(tests.contains(part), "\(code)")
    }
  }

  @Test("the names in the table of other libraries are names of the public interface")
  func names() throws {
    let interface = try ["FluxQuery", "FluxUI"].map {
      try GuideExamples.text(of: "Documentation/API/\($0).txt")
    }
    .joined().components(separatedBy: "\n")
    let cells = try column(2, ofTable: "| RTK Query | TanStack Query |")
    #expect(cells.count >= 25)
    for name in cells.flatMap(code(in:)) where name != "nil" {
      let path = name.components(separatedBy: "(")
      let base = try #require(path[0].components(separatedBy: CharacterSet(charactersIn: ".@$")).last)
      let labels = path.dropFirst().joined().components(separatedBy: CharacterSet(charactersIn: "():"))
        .filter { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
      let isDeclared = interface.contains { line in
        let words = line.components(separatedBy: CharacterSet.alphanumerics.inverted)
        return words.contains(base) && labels.allSatisfy { line.contains("\($0):") }
      }
      #expect(isDeclared, "\(name)")
    }
  }
}
