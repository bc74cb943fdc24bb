import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

@Suite("Lifetimes of captured values in lists")
struct ClosureLifetimeTests {
  private static let keepers = [
    Keeper("ListOptions", endsLater: true) { touch in
      let options = ListOptions<Book>(merge: { _, new in
        touch()
        return new
      })
      return [options, await refreshed(books(options: options))]
    },
    Keeper("ListSlice, of what fetches", endsLater: true) { touch in
      let slice = books(fetching: touch)
      return [slice, await refreshed(slice)]
    },
    Keeper("ListSlice, of what reads", endsLater: true) { touch in
      let slice = reading(touch)
      return [slice, await refreshed(slice)]
    },
    Keeper("ListGroup", endsLater: true) { touch in
      let group = ListGroup(reading(touch), books("Wishes", at: \.wishes))
      let store = Store(reducer: group.reducer, state: Library())
      await store.dispatchAsync(group.reload).finished()
      #expect(!group.isLoading(in: store.state))
      return [group, store]
    },
    Keeper("ListSectioning") { touch in
      let sectioning = ListSectioning<Book>.by { book in
        touch()
        return book.title
      }
      let sections = ListSections(of: model(), by: sectioning)
      #expect(sections.sections.count == 2)
      return [sectioning, sections]
    },
    Keeper("ListSections, of its observers", endsLater: true) { touch in
      let sections = ListSections(of: model(), by: .whole("all"))
      let token = sections.onChange { touch() }
      await #expect(throws: Never.self) { try await sections.reload() }
      sections.flush()
      return [sections, token]
    },
    Keeper("MultipleEntitiesListViewModel, of its observers", endsLater: true) { touch in
      let lists = MultipleEntitiesListViewModel(ListSections(of: model(), by: .whole("all")))
      let tokens = lists.subscribe { _ in touch() }
      return [lists, tokens]
    },
  ]

  @Test(
    "a captured value lives as long as the object made from the closure, and the store that uses it",
    .unlessItHangs, arguments: keepers)
  func release(keeper: Keeper) async {
    await keeper.expectRelease()
  }

  @Test(
    "a value that the commit of an edit captured is released when the edit ends, while the ListSlice is kept",
    .unlessItHangs)
  func commit() async {
    let (tracker, released) = (LifetimeTracker(), EventLog<Bool>())
    let slice = Self.books()
    let store = await Self.refreshed(slice)
    do {
      let tracked = tracker.make { released.record(true) }
      await store.dispatchAsync(slice.delete(1) { _ in tracked.touch() }).finished()
    }
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
    #expect(store.state.books.ids == [2])
  }

  private static func model() -> ListModel<Book> {
    ListModel(from: ListRepository<Book> { [Book(1), Book(3)] }, initialData: [Book(1), Book(2)])
  }

  private static func books(
    _ id: ListID = "Books", at path: any WritableKeyPath<Library, ListState<Book>> & Sendable = \.books,
    options: ListOptions<Book> = ListOptions(), fetching touch: @escaping @Sendable () -> Void = {}
  ) -> ListSlice<Library, Book> {
    ListSlice(id, at: path, options: options) { _ in
      touch()
      return ListPage([Book(1), Book(2)])
    }
  }

  private static func reading(_ touch: @escaping @Sendable () -> Void) -> ListSlice<Library, Book> {
    ListSlice(
      "Books", in: .keyPath(\.books),
      reading: { library in
        touch()
        return library.books
      },
      from: ListRepository<Book> { [Book(1), Book(2)] })
  }

  /// A store that has loaded a list twice.
  private static func refreshed(_ slice: ListSlice<Library, Book>) async -> Store<Library> {
    let store = Store(reducer: slice.reducer, state: Library())
    for _ in 1...2 { await store.dispatchAsync(slice.refresh).finished() }
    return store
  }
}
