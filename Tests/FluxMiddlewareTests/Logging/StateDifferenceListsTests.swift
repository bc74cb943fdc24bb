import FluxCollections
import FluxMiddleware
import Testing

@Suite("Differences of ordered states")
struct StateDifferenceListsTests {
  private struct Book: Identifiable, Equatable {
    var id: String
    var title = "a"
  }

  /// Counts how often two values of its type were compared.
  private struct Counted: Identifiable, Equatable {
    final class Comparisons { var count = 0 }

    let id: Int
    var stars = 0
    let comparisons: Comparisons

    static func == (left: Counted, right: Counted) -> Bool {
      left.comparisons.count += 1
      return left.id == right.id && left.stars == right.stars
    }
  }

  private struct Shelf {
    var books: OrderedState<Book>
  }

  private let books: OrderedState<Book> = [Book(id: "x"), Book(id: "y"), Book(id: "z")]

  private func text<Value>(_ old: Value, _ new: Value) -> String {
    StateDifference(from: old, to: new).description
  }

  private func text(_ change: (inout OrderedState<Book>) -> Void) -> String {
    var new = books
    change(&new)
    return text(books, new)
  }

  /// The same elements in a list without a common journal.
  private func anew<Element>(_ list: OrderedState<Element>) -> OrderedState<Element> {
    OrderedState(list.values)
  }

  // MARK: Shown changes

  @Test("an element is named by its id, and its own changes are shown")
  func changed() {
    #expect(text { $0.update("y") { $0.title = "b" } } == "[\"y\"].title: \"a\" → \"b\"")
    var new = Shelf(books: books)
    new.books.update("y") { $0.title = "b" }
    #expect(text(Shelf(books: books), new) == "books[\"y\"].title: \"a\" → \"b\"")
  }

  @Test("an inserted and a removed element are shown as such, whatever their positions")
  func cameAndWent() {
    #expect(text { $0.insert(Book(id: "n"), at: 1) } == "[\"n\"]: nothing → Book(id: \"n\", title: \"a\")")
    #expect(text { $0.remove(id: "x") } == "[\"x\"]: Book(id: \"x\", title: \"a\") → nothing")
  }

  @Test("a moved element is shown with its new position, and elements that only shifted are not shown")
  func moved() {
    #expect(text { $0.move(from: 2, to: 0) } == "[\"z\"]: moved to position 0")
    #expect(text { $0.move(from: 0, to: 3) } == "[\"x\"]: moved to position 2")
  }

  @Test("an element that moved and changed is shown with both changes")
  func movedAndChanged() {
    let text = text {
      $0.move(from: 2, to: 0)
      $0.update("z") { $0.title = "b" }
    }
    #expect(text == "[\"z\"]: moved to position 0, [\"z\"].title: \"a\" → \"b\"")
  }

  @Test("removed elements are shown first, in the old order, and then the others, in the new order")
  func order() {
    let text = text {
      $0.append(Book(id: "n"))
      $0.update("z") { $0.title = "b" }
      $0.remove(id: "y")
      $0.remove(id: "x")
    }
    #expect(
      text
        == "[\"x\"]: Book(id: \"x\", title: \"a\") → nothing, [\"y\"]: Book(id: \"y\", title: \"a\") → nothing, "
        + "[\"z\"].title: \"a\" → \"b\", [\"n\"]: nothing → Book(id: \"n\", title: \"a\")")
  }

  @Test("an element that was changed and changed back is not shown")
  func changedBack() {
    let difference = StateDifference(
      from: books,
      to: {
        var new = books
        new.update("y") { $0.title = "b" }
        new.update("y") { $0.title = "a" }
        new.move(from: 2, to: 0)
        new.move(from: 0, to: 3)
        return new
      }(), limits: .init(visits: 0))
    #expect(difference.isEmpty)
  }

  @Test(
    "of many inserted, removed, and moved elements, three of each are shown, with the number of the others")
  func many() {
    let numbers = OrderedState((0..<40).map { Entry(id: $0) })
    for journaled in [true, false] {
      var new = numbers
      new.remove(ids: Array(0..<6))
      new.append(contentsOf: (100..<120).map { Entry(id: $0) })
      new.move(from: [29, 30, 31, 32, 33], to: 0)
      if !journaled { new = anew(new) }
      let difference = StateDifference(from: numbers, to: new, limits: .init(changes: 20))
      #expect(
        difference.changes.map(\.path)
          == ["[0]", "[1]", "[2]", "[35]", "[36]", "[37]", "[100]", "[101]", "[102]", "", ""])
      #expect(difference.description.hasSuffix("and 3 more removed and 17 more added, and 2 more moved"))
      #expect(difference.isTruncated == false)
    }
  }

  private struct Entry: Identifiable, Equatable {
    let id: Int
    var stars = 0
  }

  @Test("lists without a common journal are shown in the same way")
  func unrelated() {
    var old = books
    old.append(Book(id: "w"))
    var new = old
    new.move(from: 3, to: 1)
    new.update("z") { $0.title = "b" }
    new.remove(id: "x")
    new.append(Book(id: "n"))
    #expect(text(old, anew(new)) == text(old, new))
    #expect(text(books, anew(books)) == "")
  }

  @Test("elements that are not equatable are shown by their contents")
  func notEquatable() {
    struct Box: Identifiable {
      let id: Int
      var content = 0
    }
    let old: OrderedState<Box> = [Box(id: 1), Box(id: 2)]
    var new = old
    new.update(1) { $0.content = 0 }
    new.update(2) { $0.content = 5 }
    #expect(text(old, new) == "[2].content: 0 → 5")
    #expect(text(old, anew(new)) == "[2].content: 0 → 5")
  }

  @Test("after any operations, the elements that are not shown keep their order", arguments: 0..<200)
  func anyChanges(seed: Int) {
    var numbers = Numbers(state: UInt64(seed))
    let old = OrderedState((0..<12).map { Entry(id: $0) })
    var new = old
    for turn in 0..<Int.random(in: 1...6, using: &numbers) {
      let id = Int.random(in: 0..<14, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: new.remove(id: id)
      case 1: new.update(id) { $0.stars += turn }
      case 2: new.move(from: id, to: Int.random(in: 0..<12, using: &numbers))
      default: new.insert(Entry(id: id), at: Int.random(in: 0..<12, using: &numbers))
      }
    }
    let limits = StateDifference.Limits(changes: 100)
    for (old, new) in [(old, new), (new, old)] {
      let changes = StateDifference(from: old, to: new, limits: limits).changes
      let told = Set(changes.map { $0.path.prefix { $0 != "." } })
      let kept = { (list: OrderedState<Entry>) in list.values.filter { !told.contains("[\($0.id)]") } }
      #expect(kept(old) == kept(new))
      #expect(changes.isEmpty == (old == new))
    }
  }

  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  // MARK: Cost

  private func counted(_ count: Int) -> (OrderedState<Counted>, Counted.Comparisons) {
    let comparisons = Counted.Comparisons()
    return (OrderedState((0..<count).map { Counted(id: $0, comparisons: comparisons) }), comparisons)
  }

  @Test("in a large list only the changed elements are compared, once each")
  func comparedOnce() {
    let (old, comparisons) = counted(10_000)
    var new = old
    new.update(7) { $0.stars = 1 }
    new.update(9_000) { $0.stars = 2 }
    new.remove(id: 3)
    new.move(from: 4, to: 4_001)
    let difference = StateDifference(from: [old], to: [new]).description
    #expect(difference.hasSuffix("[0][5]: moved to position 4000, [0][9000].stars: 0 → 2"))
    comparisons.count = 0
    #expect(StateDifference(from: (old, 0), to: (new, 0)).changes.count == 4)
    // The removed element has no counterpart to be compared with.
    #expect(comparisons.count == 3)
  }

  @Test("a version that was undone is compared with its successor as quickly")
  func undone() {
    let (old, comparisons) = counted(10_000)
    var new = old
    new.update(7) { $0.stars = 1 }
    #expect(StateDifference(from: new, to: old).description == "[7].stars: 1 → 0")
    #expect(comparisons.count == 1)
  }

  @Test("when the changes are unknown, storage that two versions share is not compared")
  func shared() {
    let (old, comparisons) = counted(10_000)
    var new = old
    // More changes than the journal contains, all of one element.
    for stars in 1...5_000 { new.update(7) { $0.stars = stars } }
    #expect(new.changedIDs(since: old.stamp) == nil)
    #expect(StateDifference(from: old, to: new).description == "[7].stars: 0 → 5000")
    #expect(comparisons.count <= 64)
  }

  @Test("versions that may differ completely and are too large to be compared are shown by their counts")
  func tooLarge() {
    let (old, comparisons) = counted(100)
    let new = anew(old)
    let limits = StateDifference.Limits(comparisons: 100)
    #expect(StateDifference(from: old, to: new, limits: limits).description == "…")
    var longer = new
    longer.append(Counted(id: 100, comparisons: comparisons))
    #expect(
      StateDifference(from: old, to: longer, limits: limits).description == "100 elements → 101 elements")
    #expect(comparisons.count == 0)
  }

  @Test("a list costs as many comparisons as elements may have changed")
  func comparisonsOfChanges() {
    enum Seat: Identifiable, Equatable {
      case free(Int), taken(Int)

      var id: Int {
        switch self {
        case .free(let id), .taken(let id): id
        }
      }
    }
    let old = OrderedState((0..<1_000).map { Seat.free($0) })
    var new = old
    new.set(.taken(0))
    new.remove(id: 1)
    new.set(.taken(2))
    // One visit is for the list itself.
    let difference = StateDifference(from: (old, 0), to: (new, 1), limits: .init(comparisons: 6))
    #expect(difference.changes.map(\.path) == ["0[1]", "0[0]", "0[2]", "1"])
    #expect(StateDifference(from: (old, 0), to: (new, 1), limits: .init(comparisons: 5)).changes.count == 3)
    #expect(
      StateDifference(from: old, to: new, limits: .init(comparisons: 3)).description
        == "1000 elements → 999 elements")
  }

  @Test("an unchanged list costs no visit")
  func equal() {
    var new = books
    new.update("y") { $0.title = "a" }
    #expect(StateDifference(from: books, to: new, limits: .init(visits: 0)).isEmpty)
    #expect(StateDifference(from: books, to: anew(books), limits: .init(visits: 0)).isEmpty)
  }

  @Test("a list without a remaining visit is reported as not searched")
  func noVisits() {
    var new = books
    new.update("y") { $0.title = "b" }
    #expect(StateDifference(from: books, to: new, limits: .init(visits: 0)).description == "…")
  }
}
