import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import Observation
import TestSupport
import Testing

@Suite("Lists of several entities", .unlessItHangs)
@MainActor
struct SeveralListsTests {
  private let bookServer = BookServer()
  private let songServer = Server<[Song]>()
  private let books: PaginatedListViewModel<PagedBooks>
  private let songs: ListViewModel<AllSongs>
  private let library: MultipleEntitiesListViewModel

  init() {
    books = PaginatedListViewModel(repository: PagedBooks(bookServer), id: "Books")
    songs = ListViewModel(repository: AllSongs(server: songServer), id: "Songs")
    library = MultipleEntitiesListViewModel(
      ListSections(of: books.model, by: .chunks(of: 2), prefix: "Books "),
      ListSections(of: songs.model, by: .whole("Songs")))
  }

  private var texts: [String] { library.sections.map { text($0) } }

  /// A section in a short form: "Books 1: 1 2 (loading)".
  private func text(_ section: some ListSection) -> String {
    "\(section.id): " + section.items.map { "\($0.id)" }.joined(separator: " ")
      + (section.loadingState == .loaded ? "" : " (\(section.loadingState))")
  }

  @Test("the sections of all lists form one list, each with its own status")
  func sections() async throws {
    #expect(texts == ["Books Books:  (initialized)", "Songs:  (initialized)"])
    bookServer.answer(1, 1...3)
    try await books.reload()
    #expect(texts == ["Books 1: 1 2", "Books 2: 3", "Songs:  (initialized)"])
  }

  @Test("the lists are loaded concurrently, and each is shown when it arrives")
  func sideBySide() async throws {
    let loading = Task { try await library.reload() }
    await bookServer.calls.count(atLeast: 1)
    await songServer.calls.count(atLeast: 1)
    #expect(texts == ["Books Books:  (loading)", "Songs:  (loading)"])
    #expect(library.isLoading)
    songServer.answer(1, with: .success([Song(id: "a")]))
    for await list in songs.states where !list.isLoading { break }
    #expect(texts == ["Books Books:  (loading)", "Songs: a"])
    bookServer.answer(1, 1...2)
    try await loading.value
    #expect(texts == ["Books 1: 1 2", "Songs: a"])
    #expect(!library.isLoading)
  }

  @Test("each list fails separately: the others are loaded, and the errors are thrown when all are done")
  func failsAlone() async {
    bookServer.fail(1)
    songServer.answer(1, with: .success([Song(id: "a")]))
    await #expect(throws: ListFailure(BookServer.Trouble())) { try await library.reload() }
    #expect(texts == ["Books Books:  (error)", "Songs: a"])
    #expect(library.sections.map(\.error) == ["trouble", nil])
    #expect(library.errors == [ListFailure(BookServer.Trouble()), nil])
  }

  @Test("a refresh keeps the shown items of each list, and replaces them when the answer arrives")
  func refresh() async throws {
    bookServer.answer(1, 1...2)
    songServer.answer(1, with: .success([Song(id: "a")]))
    try await library.reload()
    bookServer.fail(2)
    songServer.answer(2, with: .success([Song(id: "b")]))
    await #expect(throws: ListFailure.self) { try await library.refresh() }
    #expect(texts == ["Books 1: 1 2 (error)", "Songs: b"])
  }

  @Test("the lists are flushed together")
  func flush() async throws {
    bookServer.answer(1, 1...2)
    songServer.answer(1, with: .success([Song(id: "a")]))
    try await library.reload()
    library.flush()
    #expect(texts == ["Books Books:  (initialized)", "Songs:  (initialized)"])
  }

  @Test("canceling the waiting task cancels all loads")
  func cancelled() async {
    let loading = Task { try await library.reload() }
    await bookServer.calls.count(atLeast: 1)
    await songServer.calls.count(atLeast: 1)
    loading.cancel()
    await #expect(throws: ListFailure(.cancelled)) { try await loading.value }
    #expect(texts == ["Books Books:  (initialized)", "Songs:  (initialized)"])
  }

  @Test("a closure receives the sections of all lists when any list has changed")
  func subscribing() async {
    let inbox = Inbox<Int>()
    let tokens = library.subscribe { sections in inbox.receive(sections.count) }
    #expect(inbox.values == [2])
    books.overrideData(by: (1...5).map { Book($0) })
    await inbox.wait { $0 == 4 }
    for token in tokens { token.cancel() }
  }

  @Test("the sections are an asynchronous sequence that ends when all lists are released")
  func publisher() async {
    var models: [ListModel<Book>] = (1...2).map { _ in
      ListModel(from: ListRepository { [Book(1)] }, initialData: [Book(1)])
    }
    var library: MultipleEntitiesListViewModel? = MultipleEntitiesListViewModel(
      models.map { ListSections(of: $0, by: .whole("all")) })
    let sections = library?.sectionsPublisher
    library = nil
    models = []
    if let sections { for await _ in sections {} }
  }

  /// The sections of a subclass.
  private final class BooksViewModel: PaginatedListViewModel<PagedBooks>, SectionsConvertibleListViewModel {
    struct Shelf: ListSection {
      let id: String
      let items: [Book]
      let loadingState: LoadingState
      let error: String?
    }

    var sections: [Shelf] {
      [Shelf(id: "Shelf", items: Array(data), loadingState: state, error: error.map { "\($0)" })]
    }
  }

  @Test("a subclass defines its own sections, which are an asynchronous sequence")
  func ownSections() async throws {
    let viewModel = BooksViewModel(repository: PagedBooks(bookServer))
    let both = MultipleEntitiesListViewModel(viewModel, ListSections(of: songs.model, by: .whole("Songs")))
    bookServer.answer(1, 1...2)
    songServer.answer(1, with: .success([]))
    try await both.reload()
    #expect(both.sections.map(\.id) == ["Shelf", "Songs"])
    var sections = viewModel.sectionsPublisher.makeAsyncIterator()
    let first = await sections.next() as? [BooksViewModel.Shelf]
    #expect(first?.first?.items.map(\.id) == [1, 2])
  }

  // MARK: In the store of an app

  private struct AppState: FluxState, Equatable {
    var books = ListState<Book>()
    var songs = ListState<Song>()
  }

  @Test("a group of lists in a store is loaded concurrently by one action, and each list fails separately")
  func group() async {
    let everything = ListGroup(
      ListSlice("Books", at: \AppState.books, from: PagedBooks(bookServer)),
      ListSlice("Songs", at: \AppState.songs, from: AllSongs(server: songServer)))
    let store = Store(reducer: everything.reducer, state: AppState())
    bookServer.fail(1)
    songServer.answer(1, with: .success([Song(id: "a")]))
    await store.dispatchAsync(everything.reload).finished()
    #expect(store.state.books.loadingState == .error)
    #expect(store.state.songs.items.ids == ["a"])

    bookServer.answer(2, 1...2)
    await store.dispatchAsync(everything.loadIfNeeded).finished()
    #expect(store.state.books.ids == [1, 2])
    #expect(songServer.calls.values.count == 1, "the songs are loaded")

    let loading = store.dispatchAsync(everything.refresh)
    #expect(store.state.books.isLoading && store.state.songs.isLoading)
    #expect(everything.isLoading(in: store.state))
    store.dispatch(everything.cancel)
    #expect(!store.state.books.isLoading && !store.state.songs.isLoading)
    #expect(!everything.isLoading(in: store.state))
    await loading.finished()

    store.dispatch(everything.invalidate)
    #expect(store.state.books.isInvalidated && store.state.songs.isInvalidated)

    store.dispatch(everything.flush)
    #expect(store.state == AppState())
    #expect("\(everything.reload)" == "ActionPlan(Books, Songs: reload)")
  }
}
