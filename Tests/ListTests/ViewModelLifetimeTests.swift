import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

@MainActor
@Suite("Lifetimes of the repositories of view models", .unlessItHangs)
struct ViewModelLifetimeTests {
  private struct Profile: AnyRepository {
    let tracked: LifetimeTracker.Tracked

    func fetch() async throws -> String? { "name" }
  }

  private let tracker = LifetimeTracker()
  private let released = EventLog<String>()

  private func track(_ name: String) -> LifetimeTracker.Tracked {
    tracker.make { [released] in released.record(name) }
  }

  @Test("loaded view models that are released also release their repositories with their closures")
  func released() async throws {
    do {
      let (all, paged) = (track("all"), track("paged"))
      let list = ListViewModel(
        repository: ListRepository<Book> {
          all.touch()
          return [Book(1)]
        })
      let pages = PaginatedListViewModel(
        repository: PaginatedListRepository(PageNumberPaginationStrategy()) { _ in
          paged.touch()
          return ListPage([Book(2)])
        })
      let item = ItemViewModel(repository: Profile(tracked: track("item")))
      try await list.reload()
      try await pages.reload()
      try await item.reload()
      #expect(list.data.ids == [1])
      #expect(pages.data.ids == [2])
      #expect(item.data == "name")
      #expect(tracker.alive == 3)
    }
    await released.count(atLeast: 3)
    #expect(tracker.alive == 0)
  }
}
