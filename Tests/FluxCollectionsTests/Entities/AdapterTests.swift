import FluxCollections
import Testing

// The rules of Redux Toolkit's entity adapter, for both types of adapters. Some of its tests have
// no meaning here:
// - Operations that take an action in place of its payload, and adapter methods passed as
//   reducers: a reducer calls the adapter's methods.
// - `null` and `undefined` in place of a list: the compiler refuses them.
// - A dictionary in place of an array: its values are a sequence like any other, which one test
//   shows.
// - Drafts of Immer, and returning the same object when nothing has changed: lists are values, and
//   the stamp shows whether they changed.
// - `selectId`: an entity is `Identifiable`.
// - Properties next to ids and entities in the initial state: they are next to the list in the
//   state.

@Suite("Entity adapters of both kinds")
struct AdapterTests {
  @Test("a list that an adapter makes contains the given entities", arguments: Shelf.allCases)
  func initial(shelf: Shelf) {
    #expect(shelf.adapter.list(of: []).isEmpty)
    #expect(shelf.adapter.list(of: [gatsby, farm]).values == shelf.books(gatsby, farm))
    #expect(shelf.adapter.list(of: [gatsby, Book("tgg", "Again")]).values == [Book("tgg", "Again")])
  }

  @Test("one entity is added", arguments: Shelf.allCases)
  func addOne(shelf: Shelf) {
    var list = OrderedState<Book>()
    #expect(shelf.adapter.add(gatsby, to: &list))
    #expect(list.values == [gatsby])
  }

  @Test("an existing entity is not added again, and nothing changes", arguments: Shelf.allCases)
  func addKnown(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    let before = list.stamp
    #expect(!shelf.adapter.add(Book("tgg", "Another"), to: &list))
    shelf.adapter.add(contentsOf: [Book("tgg", "Another")], to: &list)
    #expect(list.values == [gatsby])
    #expect(list.stamp == before)
  }

  @Test("several entities are added, except for existing ones", arguments: Shelf.allCases)
  func addMany(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    shelf.adapter.add(contentsOf: [clockwork, Book("tgg", "Another"), farm], to: &list)
    #expect(list.values == shelf.books(gatsby, clockwork, farm))
  }

  @Test("of several new entities with the same id, the first is added", arguments: Shelf.allCases)
  func addDuplicates(shelf: Shelf) {
    var list = OrderedState<Book>()
    shelf.adapter.add(contentsOf: [Book("a", "First"), Book("a", "Second")], to: &list)
    #expect(list.values == [Book("a", "First")])
  }

  @Test("the values of a dictionary are a sequence like any other", arguments: Shelf.allCases)
  func dictionary(shelf: Shelf) {
    let books = ["aco": clockwork, "af": farm]
    var list = OrderedState<Book>()
    shelf.adapter.add(contentsOf: books.values, to: &list)
    #expect(list.entities == books)
    list = shelf.adapter.list(of: [gatsby])
    shelf.adapter.setAll(books.values, in: &list)
    #expect(list.entities == books)
    list = shelf.adapter.list(of: [gatsby, Book("af", "Another")])
    shelf.adapter.set(contentsOf: books.values, in: &list)
    #expect(list.entities == ["tgg": gatsby, "aco": clockwork, "af": farm])
    list = shelf.adapter.list(of: [gatsby, Book("af", "Another")])
    shelf.adapter.upsert(contentsOf: books.values, in: &list)
    #expect(list.entities == ["tgg": gatsby, "aco": clockwork, "af": farm])
  }

  @Test("setting all entities removes all previous entities", arguments: Shelf.allCases)
  func setAll(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    shelf.adapter.setAll([farm, clockwork], in: &list)
    #expect(list.values == shelf.books(farm, clockwork))
    #expect(list[id: "tgg"] == nil)
  }

  @Test("of several entities with the same id, the last is set", arguments: Shelf.allCases)
  func setDuplicates(shelf: Shelf) {
    var list = OrderedState<Book>()
    shelf.adapter.setAll([Book("a", "First"), Book("a", "Second")], in: &list)
    #expect(list.values == [Book("a", "Second")])
    shelf.adapter.set(contentsOf: [Book("b", "First"), Book("b", "Third")], in: &list)
    #expect(list.values == [Book("a", "Second"), Book("b", "Third")])
  }

  @Test(
    "an entity is set whether or not it exists, and replaces an existing one", arguments: Shelf.allCases)
  func setOne(shelf: Shelf) {
    var list = shelf.adapter.list(of: [farm, hobbit])
    shelf.adapter.set(gatsby, in: &list)
    #expect(list.values == shelf.books(farm, hobbit, gatsby))
    shelf.adapter.set(Book("th", "The Silmarillion"), in: &list)
    #expect(list[id: "th"]?.author == nil)
    #expect(list.values == shelf.books(farm, Book("th", "The Silmarillion"), gatsby))
  }

  @Test("several entities are set, both existing and new ones", arguments: Shelf.allCases)
  func setMany(shelf: Shelf) {
    var list = shelf.adapter.list(of: [hobbit])
    shelf.adapter.set(contentsOf: [Book("th", "Silmarillion"), clockwork], in: &list)
    #expect(list.values == shelf.books(Book("th", "Silmarillion"), clockwork))
  }

  @Test("an entity is removed by its id, and returned", arguments: Shelf.allCases)
  func removeOne(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    #expect(shelf.adapter.remove("tgg", from: &list) == gatsby)
    #expect(list.isEmpty)
    #expect(shelf.adapter.remove("tgg", from: &list) == nil)
  }

  @Test("several entities are removed by their ids, and unknown ids are skipped", arguments: Shelf.allCases)
  func removeMany(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby, clockwork, farm])
    shelf.adapter.remove(["tgg", "unknown", "aco"], from: &list)
    #expect(list.values == [farm])
  }

  @Test("all entities are removed", arguments: Shelf.allCases)
  func removeAll(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby, clockwork])
    shelf.adapter.removeAll(from: &list)
    #expect(list.isEmpty && list.ids.isEmpty && list.entities.isEmpty)
  }

  @Test("an emptied list can be filled again in the same change", arguments: Shelf.allCases)
  func refill(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    shelf.adapter.removeAll(from: &list)
    shelf.adapter.upsert(contentsOf: [gatsby], in: &list)
    shelf.adapter.add(farm, to: &list)
    #expect(list.values == shelf.books(gatsby, farm))
  }

  @Test("an entity is changed by its id", arguments: Shelf.allCases)
  func updateOne(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    #expect(shelf.adapter.update("tgg", in: &list) { $0.title = "A New Hope" })
    #expect(list.values == [Book("tgg", "A New Hope")])
  }

  @Test("a change of an unknown id changes nothing", arguments: Shelf.allCases)
  func updateUnknown(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    let before = list.stamp
    #expect(!shelf.adapter.update("x", in: &list) { $0.title = "" })
    shelf.adapter.update(["y", "z"], in: &list) { $0.title = "" }
    #expect(list.stamp == before)
  }

  @Test("several entities are changed by their ids", arguments: Shelf.allCases)
  func updateMany(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby, clockwork])
    let titles = ["tgg": "Zack", "aco": "Aaron"]
    shelf.adapter.update(["tgg", "aco"], in: &list) { $0.title = titles[$0.id] ?? "" }
    #expect(list.values == shelf.books(Book("tgg", "Zack"), Book("aco", "Aaron")))
  }

  @Test("an entity is changed as often as its id occurs", arguments: Shelf.allCases)
  func updateRepeated(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby, clockwork])
    shelf.adapter.update(["tgg", "aco", "tgg"], in: &list) { $0.title = "1 \($0.title)" }
    #expect(
      list.values == shelf.books(Book("tgg", "1 1 The Great Gatsby"), Book("aco", "1 A Clockwork Orange")))
  }

  @Test("all entities are changed", arguments: Shelf.allCases)
  func updateAll(shelf: Shelf) {
    var list = shelf.adapter.list(of: [Book("a", "z"), Book("z", "a")])
    shelf.adapter.updateAll(in: &list) { $0.title = $0.id }
    #expect(list.values == [Book("a", "a"), Book("z", "z")])
  }

  @Test("a change may give an entity another id", arguments: Shelf.allCases)
  func rename(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby, farm])
    shelf.adapter.update("tgg", in: &list) { $0.id = "new" }
    #expect(list.values == shelf.books(Book("new", "The Great Gatsby"), farm))
    #expect(list[id: "tgg"] == nil && list[id: "new"] != nil)
  }

  @Test("an entity that takes the id of another one replaces it", arguments: Shelf.allCases)
  func collision(shelf: Shelf) {
    var list = shelf.adapter.list(of: [Book("a", "First"), Book("b", "Second"), Book("c", "Third")])
    shelf.adapter.update("b", in: &list) { $0.id = "c" }
    #expect(list.values == [Book("a", "First"), Book("c", "Second")])
  }

  @Test(
    "after a change of an entity's id, another change by the old id is skipped", arguments: Shelf.allCases)
  func renameTwice(shelf: Shelf) {
    var list = shelf.adapter.list(of: [Book("a", "First"), Book("b", "Second")])
    shelf.adapter.update(["a", "a"], in: &list) { $0.id += "!" }
    #expect(list.values == [Book("a!", "First"), Book("b", "Second")])
  }

  @Test("an upsert adds a new entity", arguments: Shelf.allCases)
  func upsertNew(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    shelf.adapter.upsert(farm, in: &list)
    #expect(list.values == shelf.books(gatsby, farm))
  }

  @Test("an upsert merges into an existing entity with the given closure", arguments: Shelf.allCases)
  func upsertKnown(shelf: Shelf) {
    var list = shelf.adapter.list(of: [hobbit])
    shelf.adapter.upsert(Book("th", "There and Back Again"), in: &list) { old, new in old.title = new.title }
    #expect(list.values == [Book("th", "There and Back Again", by: "Tolkien")])
    shelf.adapter.upsert(Book("th", "The Hobbit"), in: &list)
    #expect(list.values == [Book("th", "The Hobbit")])
  }

  @Test("several entities are upserted, each into the result of the previous one", arguments: Shelf.allCases)
  func upsertMany(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    shelf.adapter.upsert(
      contentsOf: [Book("tgg", "Zack"), clockwork, Book("aco", "Orange", by: "Burgess")], in: &list
    ) { old, new in
      old.title = new.title
      old.author = new.author ?? old.author
    }
    #expect(list.values == shelf.books(Book("tgg", "Zack"), Book("aco", "Orange", by: "Burgess")))
  }

  @Test("an operation without entities changes nothing", arguments: Shelf.allCases)
  func empty(shelf: Shelf) {
    var list = shelf.adapter.list(of: [gatsby])
    let before = list.stamp
    shelf.adapter.add(contentsOf: [], to: &list)
    shelf.adapter.set(contentsOf: [], in: &list)
    shelf.adapter.upsert(contentsOf: [], in: &list)
    shelf.adapter.remove([], from: &list)
    #expect(list.stamp == before)
  }

  @Test("a reducer changes its state in place by an adapter", arguments: Shelf.allCases)
  func inReducer(shelf: Shelf) {
    struct Library { var books = OrderedState<Book>() }
    var library = Library()
    let adapter = shelf.adapter
    adapter.add(contentsOf: [gatsby, farm], to: &library.books)
    adapter.update("tgg", in: &library.books) { $0.title = "A" }
    #expect(library.books.values == shelf.books(Book("tgg", "A"), farm))
  }
}
