import FluxAsync
import FluxCore
import FluxQuery
import Foundation
import TestSupport
import Testing

@Suite("Misuse of query caches stops the program with a message", .unlessItHangs)
struct QueryMisuseTests {
  private struct TwoCaches: FluxState {
    var first = QueryCache()
    var second = QueryCache()

    /// Creates a store with a plug-in for each cache.
    static func makeStore(_ paths: any WritableKeyPath<TwoCaches, QueryCache> & Sendable...) -> Store<Self> {
      Store(
        reducer: { (_: inout TwoCaches, _: any Action) in },
        plugins: paths.map { QuerySlice(at: $0).plugin }, state: TwoCaches())
    }
  }

  private func expectSays(_ result: ExitTest.Result?) {
    expect(
      result, says: "two plug-ins of a QuerySlice were added to one store", "A store has one cache",
      "Remove one of the plug-ins.")
  }

  @Test("a second cache of a store, in either order of the plug-ins")
  func secondCache() async {
    expectSays(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TwoCaches.makeStore(\.first, \.second)
      })
    expectSays(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TwoCaches.makeStore(\.second, \.first)
      })
  }

  private struct Title: SavedQuery {
    static let savedName = "Title"

    func fetch(in context: RequestContext<TwoCaches>) async throws -> String { "" }
  }

  private struct OldTitle: SavedQuery {
    static let savedName = "Title"

    func fetch(in context: RequestContext<TwoCaches>) async throws -> String { "" }
  }

  @Test("two types of saved queries with one name, when they are encoded or decoded")
  func savedName() async {
    let encoding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try JSONEncoder().encode(SavedQueries<Title, OldTitle>(of: QueryCache()))
    }
    let decoding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try JSONDecoder().decode(SavedQueries<Title, OldTitle>.self, from: Data("{}".utf8))
    }
    for result in [encoding, decoding] {
      expect(
        result, says: ".Title and", ".OldTitle have the same savedName",
        "Give one of the types another savedName.")
    }
  }

  @Test("a plug-in that is added twice")
  func samePlugin() async {
    expectSays(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TwoCaches.makeStore(\.first, \.first)
      })
  }
}
