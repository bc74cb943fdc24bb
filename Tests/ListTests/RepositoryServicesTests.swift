import FluxAsync
import FluxCore
import FluxLists
import TestSupport
import Testing

@Suite("Services of repositories", .unlessItHangs)
struct RepositoryServicesTests {
  private struct Titles: Sendable {
    let first: String
  }

  private let books = ListSlice(
    "Books", at: \Library.books,
    from: ListRepository { [Book(1, try Services.ofRepository(Titles.self).first)] })

  private func store(_ services: Services) -> Store<Library> {
    Store(reducer: books.reducer, services: services, state: Library())
  }

  @Test("a repository finds the services of the store that loads its list")
  func load() async {
    let store = store(Services().with(Titles(first: "a")))
    _ = await store.request(books.reload).result
    #expect(store.state.books.items.map(\.title) == ["a"])
  }

  @Test("two stores load the same list with their own services")
  func twoStores() async {
    let (one, two) = (store(Services().with(Titles(first: "1"))), store(Services().with(Titles(first: "2"))))
    async let first = one.request(books.reload).result
    async let second = two.request(books.reload).result
    _ = await (first, second)
    #expect(one.state.books.items.map(\.title) == ["1"])
    #expect(two.state.books.items.map(\.title) == ["2"])
  }

  @Test("a commit of an edit finds the services of the store")
  func edit() async {
    let store = store(Services().with(Titles(first: "a")))
    _ = await store.request(books.reload).result
    let edit = books.update(1) {
      $0.title = "b"
    } commit: { book in
      Book(book.id, "\(book.title) after \(try Services.ofRepository(Titles.self).first)")
    }
    _ = await store.request(edit).result
    #expect(store.state.books.items.map(\.title) == ["b after a"])
  }

  @Test("a load without its service fails with an error that names the load and the service")
  func missing() async {
    let store = store(Services())
    guard case .failure(.failed(let error)) = await store.request(books.reload).result else {
      Issue.record("the list was loaded")
      return
    }
    let missing = error as? MissingService
    #expect(missing?.action == "ListLoad<Book>")
    #expect(missing?.service == "Titles")
    withExtendedLifetime(store) {}
  }

  @Test("outside a load there are no services")
  func outside() {
    #expect(throws: MissingService.self) { try Services.ofRepository(Titles.self) }
  }
}
