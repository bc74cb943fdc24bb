import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

// The code that the guide of RepositoryList shows, without views, under the same names.

private struct Novel: Hashable, Identifiable {
  var id: String { name }
  let name: String
}

private let bookAPI = BookAPI()

/// The function that the guide calls to get books.
private struct BookAPI {
  private let books = (1...5).map { Novel(name: "Novel \($0)") }

  func getBooksList() async throws -> [Novel] { books }

  func getBooksList(limit: Int, offset: Int) async throws -> [Novel] {
    Array(books.dropFirst(offset).prefix(limit))
  }
}

private final class OnePagedBooksRepository: AnyListRepository {
  func fetch() async throws -> [Novel] {
    try await bookAPI.getBooksList()
  }
}

private final class PaginatedBooksListRepository: AnyPaginatedListRepository {
  let paginationStrategy = LimitOffsetPaginationStrategy(limit: 2)

  func fetch() async throws -> [Novel] {
    try await bookAPI.getBooksList(limit: paginationStrategy.limit, offset: paginationStrategy.offset)
  }
}

private struct BooksListSection: ListSection {
  var id: String
  var items: [Novel]
  var loadingState: LoadingState
  var error: String?

  var name: String { "Page \(id)" }
}

private class BooksPaginatedListViewModel: PaginatedListViewModel<PaginatedBooksListRepository> {}

extension BooksPaginatedListViewModel: SectionsConvertibleListViewModel {
  fileprivate var sections: [BooksListSection] {
    stride(from: 0, to: data.count, by: 2).map { start in
      BooksListSection(
        id: "\(start / 2 + 1)", items: Array(data[start..<min(start + 2, data.count)]), loadingState: .loaded)
    }
  }
}

@Suite("The guide of RepositoryList", .unlessItHangs)
@MainActor
struct RepositoryListGuideTests {
  /// The strings that the guide's views show for a list.
  private func shown(
    _ state: LoadingState, isEmpty: Bool, _ names: @autoclosure () -> [String]
  ) -> [String] {
    switch state {
    case .initialized,
      .loading where isEmpty:
      ["ProgressView"]
    case .error:
      ["Error"]
    default:
      names()
    }
  }

  private func shown(_ viewModel: some ListViewModel<OnePagedBooksRepository>) -> [String] {
    shown(viewModel.state, isEmpty: viewModel.data.isEmpty, viewModel.data.map { book in book.name })
  }

  @Test("a list of one page is reloaded and refreshed")
  func onePage() async {
    let viewModel = ListViewModel(
      repository: OnePagedBooksRepository()
    )
    #expect(shown(viewModel) == ["ProgressView"])
    try? await viewModel.reload()
    #expect(shown(viewModel) == (1...5).map { "Novel \($0)" })
    try? await viewModel.refresh()
    #expect(shown(viewModel) == (1...5).map { "Novel \($0)" })
  }

  @Test("a paged list loads more until the repository reports the end")
  func pages() async {
    let viewModel = PaginatedListViewModel(
      repository: PaginatedBooksListRepository()
    )
    try? await viewModel.reload()
    var indicators: [String] = []
    for _ in 1...3 {
      if viewModel.repository.shouldFetch() {
        if viewModel.data.isEmpty == false {
          indicators.append("Fetching more...")
          try? await viewModel.fetchNext()
        }
      } else {
        indicators.append("End of list")
      }
    }
    #expect(indicators == ["Fetching more...", "Fetching more...", "End of list"])
    #expect(viewModel.data.map(\.name) == (1...5).map { "Novel \($0)" })
    #expect("Page: \(viewModel.repository.currentPage)" == "Page: 3")
    try? await viewModel.refresh()
    #expect(viewModel.data.count == 2)
    viewModel.flush()
    #expect(viewModel.data.isEmpty)
  }

  @Test("a subclass maps its data to sections, which a view receives when they change")
  func sections() async {
    var sections: [BooksListSection] = []
    let viewModel = BooksPaginatedListViewModel(
      repository: PaginatedBooksListRepository()
    )
    try? await viewModel.reload()
    try? await viewModel.fetchNext()
    for await newSections in viewModel.sectionsPublisher {
      sections = newSections as! [BooksListSection]
      break
    }
    #expect(sections.map(\.name) == ["Page 1", "Page 2"])
    #expect(
      sections.map { section in
        shown(section.loadingState, isEmpty: section.items.isEmpty, section.items.map { book in book.name })
      } == [["Novel 1", "Novel 2"], ["Novel 3", "Novel 4"]])
    #expect(sections.allSatisfy { $0.error == nil })
  }

  @Test("initial data is shown before the first load, and data can be overridden")
  func data() {
    let viewModel = ListViewModel(
      initialData: [Novel(name: "Emma")], repository: OnePagedBooksRepository())
    #expect(viewModel.data == [Novel(name: "Emma")])
    #expect(viewModel.state == .loaded)
    #expect(viewModel.isLoading == false)
    #expect(viewModel.error == nil)
    viewModel.overrideData(by: [Novel(name: "Ulysses")])
    #expect(viewModel.data == [Novel(name: "Ulysses")])
  }
}
