import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import FluxTesting
import Foundation
import TestSupport
import Testing

/// A reader with the book that the reader reads, and possibly the next book.
private struct Reader: Query {
  struct Value: Hashable, Sendable {
    var reads: Book
    var next: Book?
  }

  var entities: [EntityPath<Value>] { [.one(BookByID.self, at: \.reads), .one(BookByID.self, at: \.next)] }

  func fetch(in context: RequestContext<AppState>) async throws -> Value {
    let books = Book.books(in: try await context.services(Service.self).call("reader"))
    return Value(reads: books[0], next: books.dropFirst().first)
  }
}

private struct OrderedBooks: Query {
  var entities: [EntityPath<OrderedState<Book>>] { [.each(BookByID.self, in: \.self)] }

  func fetch(in context: RequestContext<AppState>) async throws -> OrderedState<Book> {
    OrderedState(Book.books(in: try await context.services(Service.self).call("ordered")))
  }
}

private struct BookPages: InfiniteQuery {
  let firstPage = 1

  var entities: [EntityPath<QueryPages<[Book], Int>>] { [.each(BookByID.self, inPages: \.self)] }

  func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> [Book] {
    Book.books(in: try await context.services(Service.self).call("page \(number)"))
  }

  func nextPage(after pages: QueryPages<[Book], Int>) -> Int? { pages.count + 1 }
}

/// A book that is saved, and whose updates begin with its first subscriber.
private struct SavedBook: EntityQuery, SavedQuery, StreamingQuery {
  struct Value: Codable, Hashable, Identifiable {
    let id: Int
    var title: String
  }

  let id: Int

  func fetch(in context: RequestContext<AppState>) async throws -> Value {
    Value(id: id, title: try await context.services(Service.self).call("book \(id)"))
  }

  func stream(to entry: QueryUpdates<SavedBook>) async throws {
    _ = try await entry.services(Service.self).call("updates \(id)")
  }
}

private struct SavedBooks: SavedQuery {
  var entities: [EntityPath<[SavedBook.Value]>] { [.each(SavedBook.self, in: \.self)] }

  func fetch(in context: RequestContext<AppState>) async throws -> [SavedBook.Value] {
    Book.books(in: try await context.services(Service.self).call("saved")).map {
      SavedBook.Value(id: $0.id, title: $0.title)
    }
  }
}

/// A mutation that shows another title.
private struct Rewrite: Mutation {
  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("rewrite")
  }

  func optimisticEdits() -> [QueryEdit] { [.edit(SavedBook(id: 1)) { $0.title = "unconfirmed" }] }
}

@Suite("Places of entities in results", .unlessItHangs)
struct EntityPathTests {
  private let world = World()

  @Test("a property can contain an entity, and an optional property can contain an entity")
  func properties() async {
    world.store.prefetch(Reader())
    await world.answer("reader", "1=Emma 2=Ulysses")
    #expect(world.book(1).data?.title == "Emma")
    await world.loadBook(2, "Faust")
    #expect(world.cache[Reader()].data?.reads.title == "Emma")
    #expect(world.cache[Reader()].data?.next?.title == "Faust")
  }

  @Test("an optional property can be empty")
  func missing() async {
    world.store.prefetch(Reader())
    await world.answer("reader", "1=Emma")
    await world.loadBook(1, "Persuasion")
    #expect(world.cache[Reader()].data == Reader.Value(reads: Book(id: 1, title: "Persuasion")))
  }

  @Test("an ordered state can contain entities")
  func ordered() async {
    world.store.prefetch(OrderedBooks())
    await world.answer("ordered", "1=Emma 2=Ulysses")
    #expect(world.book(1).data?.title == "Emma")
    await world.loadBook(2, "Faust")
    #expect(world.cache[OrderedBooks()].data?.map(\.title) == ["Emma", "Faust"])
  }

  @Test("an observer of one element of an ordered state is not called when other elements change")
  func orderedElement() async {
    let calls = Recorder<String?>()
    let observer = world.store.observe(OrderedBooks(), of: { $0.data?[id: 1] }) { calls.record($0?.title) }
    await world.answer("ordered", "1=Emma 2=Ulysses")
    observer.refetch()
    await world.answer("ordered", "3=Faust 1=Emma 2=Hamlet")
    #expect(calls.values == [nil, "Emma"])
    #expect(world.cache[OrderedBooks()].data?.map(\.title) == ["Faust", "Emma", "Hamlet"])
  }

  @Test("all pages of an infinite query can contain entities")
  func pages() async {
    for (page, books) in [(1, "1=Emma"), (2, "2=Ulysses")] {
      world.store.prefetch(BookPages(), .nextPage)
      await world.answer("page \(page)", books)
    }
    await world.loadBook(1, "Persuasion")
    #expect(world.cache[BookPages()].data?.joined().map(\.title) == ["Persuasion", "Ulysses"])
    await world.loadBook(2, "Faust")
    #expect(world.cache[BookPages()].data?.joined().map(\.title) == ["Persuasion", "Faust"])
  }

  @Test("the next page keeps the newest version of the entities of the earlier pages")
  func laterPage() async {
    world.store.prefetch(BookPages())
    await world.answer("page 1", "1=Emma")
    await world.loadBook(1, "Persuasion")
    world.store.prefetch(BookPages(), .nextPage)
    await world.answer("page 2", "2=Ulysses")
    #expect(world.cache[BookPages()].data?.joined().map(\.title) == ["Persuasion", "Ulysses"])
    #expect(world.book(1).data?.title == "Persuasion")
  }

  @Test("an entity of an earlier page that changes during the request for the next page keeps the change")
  func changedDuringPage() async {
    world.store.prefetch(BookPages())
    await world.answer("page 1", "1=Emma")
    world.store.prefetch(BookPages(), .nextPage)
    world.store.prefetch(BookByID(id: 1), .always)
    world.service.answer("book 1", with: .success("Persuasion"))
    await world.until { $0.queries[BookByID(id: 1)].data?.title == "Persuasion" }
    await world.answer("page 2", "2=Ulysses")
    #expect(world.book(1).data?.title == "Persuasion")
    #expect(world.cache[BookPages()].data?.joined().map(\.title) == ["Persuasion", "Ulysses"])
  }

  @Test("a new page renews an entity that an earlier page contains")
  func renewedByPage() async {
    world.store.prefetch(BookPages())
    await world.answer("page 1", "1=Emma")
    world.store.prefetch(BookPages(), .nextPage)
    await world.answer("page 2", "1=Persuasion 2=Ulysses")
    #expect(world.cache[BookPages()].data?.joined().map(\.title) == ["Persuasion", "Persuasion", "Ulysses"])
  }

  // MARK: Other features of queries

  @Test("the updates of an entity begin with its first subscriber")
  func updates() async {
    world.store.prefetch(SavedBooks())
    await world.answer("saved", "1=Emma 2=Ulysses")
    #expect(!world.service.calls.values.contains("updates 1"))
    let observer = world.store.observe(SavedBook(id: 1)) { _ in }
    await world.service.calls.count(atLeast: 2)
    #expect(world.service.calls.values == ["saved", "updates 1"])
    observer.cancel()
  }

  @Test("a saved list does not contain edits of entities that a mutation has not confirmed")
  func unconfirmed() async throws {
    world.store.prefetch(SavedBooks())
    await world.answer("saved", "1=Emma")
    let task = world.store.mutate(Rewrite())
    #expect(world.cache[SavedBooks()].data?.first?.title == "unconfirmed")
    var restored = QueryCache()
    let saved = SavedQueries<SavedBooks, SavedBook>(of: world.cache)
    try saved.decodedAgain().restore(in: &restored)
    #expect(restored[SavedBooks()].data?.first?.title == "Emma")
    #expect(restored[SavedBook(id: 1)].data?.title == "Emma")
    world.service.fail("rewrite")
    _ = await task.result
  }

  @Test("a restored list restores its entities, which are out of date")
  func restored() async throws {
    world.store.prefetch(SavedBooks())
    await world.answer("saved", "1=Emma")
    var restored = QueryCache()
    try SavedQueries<SavedBooks>(of: world.cache).decodedAgain().restore(in: &restored)
    #expect(restored[SavedBook(id: 1)].data?.title == "Emma")
    #expect(restored.entries[id: QueryKey(SavedBook(id: 1))]?.isInvalidated == true)
  }
}

extension SavedQueries {
  /// Encodes and decodes the value.
  fileprivate func decodedAgain() throws -> SavedQueries {
    try JSONDecoder().decode(SavedQueries.self, from: JSONEncoder().encode(self))
  }
}
