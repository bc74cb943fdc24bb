import FluxAsync
import FluxCore
import FluxLists
import TestSupport
import Testing

@Suite("Streams of lists in the running store of an app")
struct StreamEndTests {
  private let books: ListSlice<Library, Book>
  private let store: Store<Library>

  init() {
    books = ListSlice("Books", at: \Library.books, from: AllBooks(server: BookServer()))
    store = Store(reducer: books.reducer, state: Library())
  }

  /// Whether a stream that has delivered a value ends after its model is released.
  private func ends<Element>(_ makeStream: (ListModel<Book>) -> StateStream<Element>) async -> Bool {
    var model: ListModel<Book>? = ListModel(books, in: store.proxy)
    guard let stream = model.map(makeStream) else { return false }
    var iterator = stream.makeAsyncIterator()
    guard await iterator.next() != nil else { return false }
    model = nil
    let hasEnded = await iterator.next() == nil
    // A stream that is started later delivers nothing.
    var late = stream.makeAsyncIterator()
    return await late.next() == nil && hasEnded
  }

  @Test("streams of lists end with their model", .unlessItHangs)
  func states() async {
    #expect(await ends { $0.states })
  }

  @Test("streams of changes end with the model", .unlessItHangs)
  func changes() async {
    #expect(await ends { $0.changes })
  }

  @Test("streams of the sections of several lists end with the lists", .unlessItHangs)
  @MainActor
  func sections() async {
    var all: MultipleEntitiesListViewModel? = MultipleEntitiesListViewModel(
      ListSections(of: ListModel(books, in: store.proxy), by: .whole("b")))
    var iterator = all?.sectionsPublisher.makeAsyncIterator()
    #expect(await iterator?.next()?.count == 1)
    all = nil
    #expect(await iterator?.next() == nil)
  }

  @Test("streams of the sections of a list end with the list", .unlessItHangs)
  func sectionsOfOne() async {
    var sections: ListSections? = ListSections(of: ListModel(books, in: store.proxy), by: .whole("b"))
    var iterator = sections?.states.makeAsyncIterator()
    #expect(await iterator?.next()?.count == 1)
    sections = nil
    #expect(await iterator?.next() == nil)
  }

  @Test(
    "a stream of sections ends with its sections object, even if the list is kept elsewhere", .unlessItHangs)
  func sectionsAlone() async {
    let model = ListModel(books, in: store.proxy)
    var sections: ListSections? = ListSections(of: model, by: .whole("b"))
    var iterator = sections?.states.makeAsyncIterator()
    #expect(await iterator?.next()?.count == 1)
    sections = nil
    #expect(await iterator?.next() == nil)
    withExtendedLifetime(model) {}
  }

  @Test("streams of the states of a value end with its model", .unlessItHangs)
  func item() async {
    struct Profile: AnyRepository {
      func fetch() async throws -> String? { "me" }
    }
    struct Home: FluxState {
      var profile = ItemState<String>("me")
    }
    let slice = ItemSlice("Profile", at: \Home.profile, from: Profile())
    let store = Store(reducer: slice.reducer, state: Home())
    var model: ItemModel<String>? = ItemModel(slice, in: store.proxy)
    var iterator = model?.states.makeAsyncIterator()
    #expect(await iterator?.next()?.item == "me")
    model = nil
    #expect(await iterator?.next() == nil)
    withExtendedLifetime(store) {}
  }

  @Test("a model does not keep a stream that is no longer read")
  func release() async {
    let model = ListModel(books, in: store.proxy)
    let tracker = LifetimeTracker()
    do {
      let tracked = tracker.make()
      var iterator = model.states.removingDuplicates { _, _ in
        _ = tracked
        return false
      }.makeAsyncIterator()
      _ = await iterator.next()
    }
    #expect(tracker.alive == 0)
    withExtendedLifetime(model) {}
  }
}
