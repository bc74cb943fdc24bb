import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import Foundation
import TestSupport
import Testing

@Suite("Encoded lists", .unlessItHangs)
struct ListCodingTests {
  private struct Note: Codable, Hashable, Identifiable {
    let id: Int
  }

  private struct AppState: FluxState {
    var notes = ListState<Note>()
  }

  private func roundTrip(_ list: ListState<Note>) throws -> ListState<Note> {
    try JSONDecoder().decode(ListState<Note>.self, from: JSONEncoder().encode(list))
  }

  /// A list that shows its first page, and is loading the next one.
  private var loading: ListState<Note> {
    var list = ListState<Note>()
    list.began(.reload, id: RequestID(rawValue: 1))
    let page = LoadedPage(at: .first, count: 2, total: 3)
    list.received(
      ListAnswer([Note(id: 1), Note(id: 2)], page: page, nextPage: page.following, at: .seconds(9)),
      for: RequestID(rawValue: 1))
    list.began(.next, id: RequestID(rawValue: 2))
    return list
  }

  @Test("loaded items and the position in the list are encoded, and loads in progress are not")
  func roundTrip() throws {
    let list = try roundTrip(loading)
    #expect(list.items == [Note(id: 1), Note(id: 2)])
    #expect(list.loadingState == .loaded)
    #expect(list.endState == .idle)
    #expect(list.nextPage?.offset == 2)
    #expect(list.total == 3)
    #expect(list.loadedAt == nil)
  }

  @Test("a list that reached its end is still at its end when decoded")
  func end() throws {
    var list = loading
    list.received(
      ListAnswer([], page: LoadedPage(at: PagePosition(number: 1, offset: 2), count: 0), at: .zero),
      for: RequestID(rawValue: 2))
    #expect(try roundTrip(list).endState == .reachedEnd)
  }

  @Test("a list that was never loaded is still not loaded when decoded")
  func initialised() throws {
    #expect(try roundTrip(ListState()) == ListState())
  }

  @Test("a decoded list is shown, and refreshed when it is needed")
  func refreshed() async throws {
    let notes = ListSlice("Notes", at: \AppState.notes, from: ListRepository { [Note(id: 3)] })
    let store = Store(reducer: notes.reducer, state: AppState(notes: try roundTrip(loading)))
    await store.dispatchAsync(notes.loadIfNeeded).finished()
    #expect(store.state.notes.items == [Note(id: 3)])
  }
}
