import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

@Suite("Sources/FluxLists/FluxLists.docc/Lists.md", .unlessItHangs)
@MainActor
struct ListGuideTests {
  private func lines(of state: AppState) -> [String] {
    var lines: [String] = []

    switch state.books.loadingState {
    case .initialized: lines.append("Not loaded yet.")
    case .loading where state.books.items.isEmpty: lines.append("Loading…")
    case .error: lines.append("Sorry: \(state.books.error?.description ?? "")")
    default: lines += state.books.items.map(\.title)
    }
    switch state.books.endState {
    case .idle: break
    case .loading: lines.append("Loading more…")
    case .error: lines.append("There is more, which could not be loaded. Try again?")
    case .reachedEnd: lines.append("That is all.")
    }

    return lines
  }

  @Test("its lists are loaded, shown, changed, and observed by view models", .stoppedTime)
  func examples() async throws {
    let library = Self.library
    let books = ListSlice(
      "Books", at: \AppState.books, from: BooksRepository(),
      options: ListOptions(
        policy: .latest.retrying(.times(2)).timingOut(after: .seconds(10)), lifetime: .seconds(300)))
    let songs = ListSlice("Songs", at: \AppState.songs, from: SongsRepository())
    let everything = ListGroup(books, songs)

    let counter = on(ListLoad<Book>.Fulfilled.self) { (state: inout AppState, loaded) in
      if loaded.request.list == books.id { state.loads += 1 }
    }
    let counted = Store(reducer: combine(everything.reducer, counter), state: AppState())
    _ = await counted.request(books.reload).result
    #expect(counted.state.loads == 1)

    let store = Store(reducer: everything.reducer, state: AppState())

    store.dispatch(books.reload)
    let page = await store.request(books.fetchNext).result
    await store.dispatchAsync(everything.refresh).finished()

    #expect(page.failure == "unwanted", "the first page is on its way")
    #expect(lines(of: store.state).count == 20)
    #expect(lines(of: AppState()) == ["Not loaded yet."])

    let rename = books.update(7) { book in
      book.title = "Emma"
    } commit: { book in
      try await library.save(book)
    }
    let result = await store.request(rename).result

    #expect(try result.get()?.title == "Emma")

    let viewModel = PaginatedListViewModel(repository: BooksRepository())

    try await viewModel.reload()
    try await viewModel.fetchNext()

    #expect(viewModel.data.first?.title == "Book 0")
    #expect(viewModel.repository.shouldFetch())

    let inApp = ListViewModel(ListModel(books, in: store.proxy), repository: BooksRepository())

    #expect(inApp.data[id: 7]?.title == "Emma")
    var lines: [String] = []

    let byAuthor = ListSections(of: viewModel.model, by: .by { book in book.author })
    for section in byAuthor.sections {
      lines.append("\(section.id): \(section.items.count)")
    }

    let all = MultipleEntitiesListViewModel(
      ListSections(of: viewModel.model, by: .chunks(of: 5), prefix: "Books "),
      ListSections(of: ListModel(songs, in: store.proxy), by: .whole("Songs")))

    try await all.refresh()
    for section in all.sections { lines.append(section.id) }

    #expect(lines.prefix(2) == ["Austen: 20", "Joyce: 20"])
    #expect(lines.dropFirst(2) == ["Books 1", "Books 2", "Books 3", "Books 4", "Songs"])
  }

  @Test("its test list times out")
  func inTests() {
    var list = ListState<Book>()
    list.began(.reload, id: RequestID(rawValue: 1))
    list.failed(ListFailure(.timedOut), for: RequestID(rawValue: 1))

    #expect(list.loadingState == .error)
  }

  @Test("its subclass removes its marks when it is flushed")
  func subclass() {
    let viewModel = MarkedBooks(repository: BooksRepository())
    viewModel.marked = [1]
    viewModel.flush()
    #expect(viewModel.marked.isEmpty)
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxLists/FluxLists.docc/Lists.md").expectTested(
      in: "Tests/ListTests/ListGuideExample.swift", "Tests/ListTests/ListGuideTests.swift", atLeast: 10)
  }
}
