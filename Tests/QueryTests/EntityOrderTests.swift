import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

/// A mutation that marks a book, and whose answer contains nothing.
private struct MarkBook: Mutation {
  let id: Int

  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("mark \(id)")
  }

  func optimisticEdits() -> [QueryEdit] { [.edit(BookByID(id: id)) { $0.title += "!" }] }
}

/// A mutation that adds a book to a list, and then knows the book.
private struct AddBook: Mutation {
  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("add")
  }

  func optimisticEdits() -> [QueryEdit] {
    [.edit(BookList(name: "new")) { $0.append(Book(id: 4, title: "Hamlet")) }]
  }
}

/// A mutation that writes a book while it is running.
private struct WriteBook: Mutation {
  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("write")
  }

  func optimisticEdits() -> [QueryEdit] { [.write(Book(id: 4, title: "Macbeth"), to: BookByID(id: 4))] }
}

/// A mutation whose answer contains a whole list.
private struct ReplaceList: Mutation {
  func perform(in context: RequestContext<AppState>) async throws -> [Book] {
    Book.books(in: try await context.services(Service.self).call("replace"))
  }

  func edits(for books: [Book]) -> [QueryEdit] { [.write(books, to: BookList(name: "new"))] }
}

/// A pair of books, which can be the same book.
private struct Pair: Query {
  struct Value: Hashable, Sendable {
    var first: Book
    var all: [Book]
  }

  var entities: [EntityPath<Value>] {
    [.one(BookByID.self, at: \.first), .each(BookByID.self, in: \.all)]
  }

  func fetch(in context: RequestContext<AppState>) async throws -> Value {
    let books = Book.books(in: try await context.services(Service.self).call("pair"))
    return Value(first: books[0], all: books)
  }
}

@Suite("Entities: rare orders of events", .unlessItHangs)
struct EntityOrderTests {
  private let world = World()

  private func isInvalidated(_ query: some Query) -> Bool? {
    world.cache.entries[id: QueryKey(query)]?.isInvalidated
  }

  // MARK: Requests and changes

  @Test("a written list is newer than a running request of its entity")
  func writtenDuringRequest() async {
    world.store.prefetch(BookByID(id: 1))
    world.store.write([Book(id: 1, title: "Persuasion")], to: BookList(name: "new"))
    await world.answer("book 1", "Emma")
    #expect(world.book(1).data?.title == "Persuasion")
    #expect(world.titles("new") == "Persuasion")
  }

  @Test("a confirmed edit applies to an entity that first arrives in an older list")
  func firstInOlderList() async {
    world.store.prefetch(BookList(name: "new"))
    let task = world.store.mutate(MarkBook(id: 1))
    world.service.answer("mark 1", with: .success(""))
    _ = await task.result
    await world.answer("new", "1=Emma 2=Ulysses")
    #expect(world.titles("new") == "Emma! Ulysses")
    #expect(world.book(1).data?.title == "Emma!")
  }

  @Test("a confirmed edit of a list stores the entities that it adds and changes")
  func confirmedListEdit() async {
    await world.loadList("new", "1=Emma")
    await world.loadList("old", "1=Emma")
    let task = world.store.mutate(AddBook())
    #expect(world.book(4).data == nil)
    world.service.answer("add", with: .success(""))
    _ = await task.result
    #expect(world.titles("new") == "Emma Hamlet")
    #expect(world.book(4).data?.title == "Hamlet")
    #expect(world.titles("old") == "Emma")
  }

  @Test("an optimistic edit of a list that fails leaves no entity with a result")
  func failedListEdit() async {
    await world.loadList("new", "1=Emma")
    let task = world.store.mutate(AddBook())
    world.service.fail("add")
    _ = await task.result
    #expect(world.titles("new") == "Emma")
    #expect(world.book(4).data == nil)
  }

  @Test("a failed write of an entity without a result restores the lists that contain the entity")
  func failedWrite() async {
    await world.loadList("new", "1=Emma")
    world.store.mutate(AddBook())
    let task = world.store.mutate(WriteBook())
    #expect(world.titles("new") == "Emma Macbeth")
    world.service.fail("write")
    _ = await task.result
    #expect(world.titles("new") == "Emma Hamlet")
  }

  @Test("a failure of an entity's own request keeps its value in the lists")
  func failedRequest() async {
    await world.loadList("new", "1=Emma")
    world.store.prefetch(BookByID(id: 1), .always)
    await world.fail("book 1")
    #expect(world.book(1).error != nil)
    #expect(world.titles("new") == "Emma")
    // The next list contains a newer version.
    await world.loadList("new", "1=Persuasion")
    #expect(world.book(1).error == nil)
  }

  @Test("a server that answers with another entity does not change the lists")
  func otherEntity() async {
    await world.loadList("new", "1=Emma")
    world.store.write(Book(id: 2, title: "Ulysses"), to: BookByID(id: 1))
    #expect(world.titles("new") == "Emma")
  }

  @Test("a list in the answer of a mutation is newer than the running requests of the list and its entities")
  func listInAnswer() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    world.store.prefetch(BookList(name: "new"), .always)
    world.store.prefetch(BookByID(id: 1), .always)
    let task = world.store.mutate(ReplaceList())
    world.service.answer("replace", with: .success("1=Persuasion"))
    _ = await task.result
    world.service.answer("book 1", with: .success("Emma"))
    await world.answer("new", "1=Emma 2=Ulysses")
    #expect(world.titles("new") == "Persuasion")
    #expect(world.book(1).data?.title == "Persuasion")
  }

  @Test("an entity at two places of a result changes at both")
  func twoPlaces() async {
    world.store.prefetch(Pair())
    await world.answer("pair", "1=Emma 2=Ulysses")
    let undo = world.store.edit([.edit(BookByID(id: 1)) { $0.title = "Persuasion" }])
    #expect(world.cache[Pair()].data?.first.title == "Persuasion")
    #expect(world.cache[Pair()].data?.all.map(\.title) == ["Persuasion", "Ulysses"])
    undo.undo()
    #expect(world.cache[Pair()].data?.first.title == "Emma")
    #expect(world.cache[Pair()].data?.all.map(\.title) == ["Emma", "Ulysses"])
  }

  // MARK: Removals

  @Test("an entity that is removed during a mutation is not created again by a failure of the mutation")
  func removedDuringMutation() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    let task = world.store.mutate(MarkBook(id: 1))
    #expect(world.titles("new") == "Emma! Ulysses")
    await world.loadListDuringMutation("new", "2=Ulysses", .always)
    world.store.dispatch(RemoveQueries(BookByID(id: 1)))
    world.service.fail("mark 1")
    _ = await task.result
    #expect(world.book(1).data == nil)
    #expect(!world.cache.entries.contains(id: QueryKey(BookByID(id: 1))))
    await world.loadList("new", "1=Faust")
    #expect(world.titles("new") == "Faust")
  }

  @Test(
    "the order of the keys does not matter when an entity and an entity inside it are removed",
    arguments: [true, false])
  func removalOrder(isReversed: Bool) async {
    await world.loadList("new", "1=Emma")
    let keys = [QueryKey(AuthorByID(id: "A")), QueryKey(BookByID(id: 1))]
    world.store.dispatch(RemoveQueries(isReversed ? keys.reversed() : keys))
    #expect(world.cache[AuthorByID(id: "A")].data?.name == "Austen")
    #expect(world.book(1).data?.title == "Emma")
    #expect(isInvalidated(AuthorByID(id: "A")) == true)
    #expect(isInvalidated(BookByID(id: 1)) == true)
  }

  @Test("a reset during the request of a list leaves no entities")
  func reset() async {
    await world.loadList("new", "1=Emma")
    world.store.prefetch(BookList(name: "new"), .always)
    world.store.dispatch(ResetQueries())
    await world.settled()
    #expect(world.cache.entries.isEmpty)
  }
}
