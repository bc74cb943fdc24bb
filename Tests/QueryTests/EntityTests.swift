import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Entities that several results contain", .unlessItHangs)
struct EntityTests {
  private let world = World()

  private func edit(_ id: Int, _ title: String) -> QueryUndo {
    world.store.edit([.edit(BookByID(id: id)) { $0.title = title }])
  }

  // MARK: Arrival

  @Test("a list stores its elements as results of their own queries")
  func stored() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    #expect(world.book(2).data?.title == "Ulysses")
    #expect(world.book(2).fulfilledAt == world.cache[BookList(name: "new")].fulfilledAt)
    #expect(world.cache.keys(providing: .type("Book", id: 2)) == [QueryKey(BookByID(id: 2))])
  }

  @Test("an observer of an entity that a list has stored does not fetch the entity")
  func noRequest() async {
    await world.loadList("new", "1=Emma")
    let titles = Recorder<String?>()
    let observer = world.store.observe(BookByID(id: 1)) { titles.record($0.data?.title) }
    #expect(titles.values == ["Emma"])
    #expect(world.service.calls.values == ["new"])
    observer.cancel()
  }

  @Test("an answer of an entity's own query changes all lists that contain the entity")
  func ownAnswer() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    await world.loadList("old", "3=Faust 1=Emma")
    await world.loadBook(1, "Persuasion")
    #expect(world.titles("new") == "Persuasion Ulysses")
    #expect(world.titles("old") == "Faust Persuasion")
  }

  @Test("an answer of a list changes the other lists and the entity's own result")
  func otherList() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    await world.loadList("old", "1=Persuasion")
    #expect(world.titles("new") == "Persuasion Ulysses")
    #expect(world.book(1).data?.title == "Persuasion")
  }

  @Test("an entity that occurs several times in a list changes everywhere")
  func repeated() async {
    await world.loadList("new", "1=Emma 2=Ulysses 1=Emma")
    await world.loadBook(1, "Persuasion")
    #expect(world.titles("new") == "Persuasion Ulysses Persuasion")
  }

  @Test("an entity that a list no longer contains does not change the list")
  func left() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    await world.loadList("new", "2=Ulysses")
    await world.loadBook(1, "Persuasion")
    #expect(world.titles("new") == "Ulysses")
  }

  @Test("a written result stores its entities")
  func written() async {
    await world.loadList("old", "1=Emma")
    world.store.write([Book(id: 1, title: "Persuasion")], to: BookList(name: "new"))
    #expect(world.titles("old") == "Persuasion")
    #expect(world.book(1).data?.title == "Persuasion")
  }

  @Test("an entity inside an entity changes all results that contain it directly or indirectly")
  func nested() async {
    await world.loadList("new", "1=Emma")
    world.store.prefetch(AuthorByID(id: "A"), .always)
    await world.answer("author A", "Jane Austen")
    #expect(world.book(1).data?.author.name == "Jane Austen")
    #expect(world.cache[BookList(name: "new")].data?.first?.author.name == "Jane Austen")
  }

  // MARK: Notifications

  @Test("an observer of an entity is not called when another entity of the list changes")
  func otherEntity() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    let calls = Recorder<String?>()
    let observer = world.store.observe(BookByID(id: 2)) { calls.record($0.data?.title) }
    await world.loadBook(1, "Persuasion")
    #expect(calls.values == ["Ulysses"])
    observer.cancel()
  }

  @Test("an observer of a list is called once when an entity has changed")
  func listObserver() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    let calls = Recorder<String?>()
    let observer = world.store.observe(BookList(name: "new")) { calls.record($0.data?.first?.title) }
    world.store.write(Book(id: 1, title: "Persuasion"), to: BookByID(id: 1))
    #expect(calls.values == ["Emma", "Persuasion"])
    observer.cancel()
  }

  @Test("a list whose elements are equal does not change")
  func equalList() async throws {
    await world.loadList("new", "1=Emma")
    let calls = Recorder<String?>()
    let observer = world.store.observe(BookByID(id: 1), of: { $0.data?.title }) { calls.record($0) }
    await world.loadList("new", "1=Emma")
    #expect(calls.values == ["Emma"])
    observer.cancel()
  }

  @Test("a list that arrives later does not call the observers of its unchanged entities")
  func laterList() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    let calls = Recorder<String?>()
    let observer = world.store.observe(BookByID(id: 1)) { calls.record($0.data?.title) }
    world.clock.advance(by: .seconds(3))
    await world.loadList("old", "1=Emma 2=Ulysses")
    #expect(calls.values == ["Emma"])
    #expect(world.book(1).fulfilledAt == .seconds(3))
    observer.cancel()
  }

  // MARK: Edits

  @Test("an optimistic edit of an entity is shown in all lists, and a failure removes it everywhere")
  func optimistic() async {
    await world.loadList("new", "1=Emma")
    let task = world.store.mutate(RetitleBook(id: 1, title: "Persuasion"))
    #expect(world.titles("new") == "Persuasion")
    // A list that arrives later also shows the edit.
    await world.loadListDuringMutation("old", "1=Emma 2=Ulysses")
    #expect(world.titles("old") == "Persuasion Ulysses")
    world.service.fail("retitle 1")
    _ = await task.result
    #expect(world.titles("new") == "Emma")
    #expect(world.titles("old") == "Emma Ulysses")
  }

  @Test("the answer of a mutation changes all lists that contain the entity")
  func mutationAnswer() async {
    await world.loadList("new", "1=Emma")
    let task = world.store.mutate(RetitleBook(id: 1, title: "persuasion"))
    world.service.answer("retitle 1", with: .success("Persuasion"))
    _ = await task.result
    #expect(world.titles("new") == "Persuasion")
    #expect(world.book(1).data?.title == "Persuasion")
  }

  @Test("a manual edit of an entity is shown in a list until it is undone")
  func manual() async {
    await world.loadList("new", "1=Emma")
    let undo = edit(1, "Persuasion")
    #expect(world.titles("new") == "Persuasion")
    undo.undo()
    #expect(world.titles("new") == "Emma")
  }

  @Test("a list that arrives replaces a manual edit of its entity")
  func manualReplaced() async {
    await world.loadList("new", "1=Emma")
    let undo = edit(1, "Persuasion")
    await world.loadList("new", "1=Emma")
    #expect(world.titles("new") == "Emma")
    #expect(world.book(1).data?.title == "Emma")
    _ = undo
  }

  @Test("an answer of a list that can be older than a confirmed change keeps the change")
  func olderList() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    world.store.prefetch(BookList(name: "new"), .always)
    let task = world.store.mutate(RetitleBook(id: 1, title: "Persuasion"))
    world.service.answer("retitle 1", with: .success("Persuasion"))
    _ = await task.result
    await world.answer("new", "1=Emma 2=Faust")
    #expect(world.titles("new") == "Persuasion Faust")
    #expect(world.book(1).data?.title == "Persuasion")
  }

  @Test("an edit of a list can remove and add entities, which show the versions of their own entries")
  func editedList() async {
    await world.loadList("new", "1=Emma 2=Ulysses")
    await world.loadList("old", "3=Faust")
    let undo = world.store.edit([
      .edit(BookList(name: "new")) {
        $0 = [$0[1], Book(id: 3, title: "faust"), Book(id: 4, title: "Hamlet")]
      }
    ])
    #expect(world.titles("new") == "Ulysses Faust Hamlet")
    // An edit does not confirm an entity.
    #expect(world.book(4).data == nil)
    await world.loadBook(4, "Macbeth")
    #expect(world.titles("new") == "Ulysses Faust Macbeth")
    undo.undo()
    #expect(world.titles("new") == "Emma Ulysses")
  }

  // MARK: Tags

  @Test("an entity whose tag was invalidated during the request of a list remains out of date")
  func invalidatedDuringRequest() async {
    await world.loadList("new", "1=Emma")
    world.store.prefetch(BookList(name: "new"), .always)
    world.store.dispatch(InvalidateTags(.type("Book", id: 1)))
    await world.answer("new", "1=Persuasion")
    #expect(world.cache.entries[id: QueryKey(BookByID(id: 1))]?.isInvalidated == true)
    #expect(world.cache.entries[id: QueryKey(BookList(name: "new"))]?.isInvalidated == false)
  }

  @Test("an entity that was invalidated is kept for the lists that contain it, and fetched when observed")
  func invalidated() async {
    await world.loadList("new", "1=Emma")
    world.store.dispatch(InvalidateTags(.type("Book", id: 1)))
    #expect(world.book(1).data?.title == "Emma")
    let observer = world.store.observe(BookByID(id: 1)) { _ in }
    await world.answer("book 1", "Persuasion")
    #expect(world.titles("new") == "Persuasion")
    observer.cancel()
  }

  // MARK: Lifetime

  @Test("an entity without subscribers is kept as long as a list contains it")
  func kept() async {
    await world.loadList("new", "1=Emma")
    let observer = world.store.observe(BookList(name: "new")) { _ in }
    world.clock.advance(by: .seconds(600))
    #expect(world.book(1).data?.title == "Emma")
    observer.cancel()
    world.clock.advance(by: .seconds(60))
    await world.until { $0.queries.entries[id: QueryKey(BookList(name: "new"))] == nil }
    #expect(world.book(1).data?.title == "Emma")
    // The book, and then the author that the book contains, are kept for 60 seconds each.
    world.clock.advance(by: .seconds(60))
    await world.until { $0.queries[BookByID(id: 1)].data == nil }
    #expect(world.cache[AuthorByID(id: "A")].data?.name == "Austen")
    world.clock.advance(by: .seconds(60))
    await world.until { $0.queries.entries.isEmpty }
  }

  @Test("an entity that an action removes keeps its value for the lists, and is out of date")
  func removed() async {
    await world.loadList("new", "1=Emma")
    world.store.dispatch(RemoveQueries(BookByID(id: 1)))
    #expect(world.titles("new") == "Emma")
    #expect(world.cache.entries[id: QueryKey(BookByID(id: 1))]?.isInvalidated == true)
    let undo = edit(1, "Persuasion")
    #expect(world.titles("new") == "Persuasion")
    _ = undo
  }

  @Test("a list and its entities can be removed together")
  func removedTogether() async {
    await world.loadList("new", "1=Emma")
    world.store.dispatch(
      RemoveQueries([
        QueryKey(BookByID(id: 1)), QueryKey(BookList(name: "new")), QueryKey(AuthorByID(id: "A")),
      ]))
    #expect(world.cache.entries.isEmpty)
  }
}

extension World {
  /// Fetches a list while a mutation is running.
  func loadListDuringMutation(
    _ name: String, _ books: String, _ condition: QueryCondition = .ifNeeded
  ) async {
    store.prefetch(BookList(name: name), condition)
    service.answer(name, with: .success(books))
    await until { !$0.queries[BookList(name: name)].isFetching }
  }
}
