import FluxCollections
import Testing

@Suite("Placing elements")
struct PlacingTests {
  @Test("a new list is empty")
  func empty() {
    #expect(OrderedState<Entry>().isEmpty)
    #expect(OrderedState<Entry>([]).values.isEmpty)
  }

  @Test("a list is made from an array, from single elements, and from a literal")
  func initialisers() {
    let entries = [Entry(1, "a"), Entry(2, "b")]
    let literal: OrderedState = [Entry(1, "a"), Entry(2, "b")]
    #expect(OrderedState(entries).values == entries)
    #expect(OrderedState(Entry(1, "a"), Entry(2, "b")).values == entries)
    #expect(literal.values == entries)
    #expect(OrderedState(AnySequence(entries)).values == entries)
  }

  @Test("of several elements with the same id, the last one remains, at its own position")
  func duplicates() {
    let list = OrderedState(Entry(1, "first"), Entry(2), Entry(1, "last"), Entry(3))
    #expect(list.values == [Entry(2), Entry(1, "last"), Entry(3)])
  }

  @Test("an appended element is at the end")
  func append() {
    var list = list([1, 2])
    list.append(Entry(3))
    #expect(list.ids == [1, 2, 3])
  }

  @Test("a prepended element is at the beginning")
  func prepend() {
    var list = list([1, 2])
    list.prepend(Entry(3))
    #expect(list.ids == [3, 1, 2])
  }

  @Test("an inserted element is at the given position", arguments: 0...3)
  func insert(position: Int) {
    var list = list([1, 2, 3])
    list.insert(Entry(9), at: position)
    #expect(list.position(of: 9) == position)
    #expect(list.ids.filter { $0 != 9 } == [1, 2, 3])
  }

  @Test("a position out of range is replaced by the nearest end", arguments: [(-5, 0), (99, 3)])
  func outOfRange(position: Int, place: Int) {
    var single = list([1, 2, 3])
    single.insert(Entry(9), at: position)
    #expect(single.position(of: 9) == place)
    var several = list([1, 2, 3])
    several.insert(contentsOf: [Entry(8), Entry(9)], at: position)
    #expect(several.position(of: 8) == place)
  }

  @Test("placing an element removes an existing element with the same id")
  func known() {
    var list = list([1, 2, 3])
    list.append(Entry(1, "again"))
    #expect(list.values == [Entry(2, "2"), Entry(3, "3"), Entry(1, "again")])
    list.prepend(Entry(3, "again"))
    #expect(list.ids == [3, 2, 1])
    list.insert(Entry(3, "once more"), at: 1)
    #expect(list.values == [Entry(2, "2"), Entry(3, "once more"), Entry(1, "again")])
    list.insert(contentsOf: [Entry(1, "x"), Entry(4)], at: 0)
    #expect(list.ids == [1, 4, 2, 3])
  }

  @Test("several elements are placed in their order")
  func several() {
    var list = list([1, 2])
    list.append(contentsOf: [Entry(3), Entry(4)])
    list.prepend(contentsOf: [Entry(5), Entry(6)])
    list.insert(contentsOf: [Entry(7), Entry(8)], at: 3)
    #expect(list.ids == [5, 6, 1, 7, 8, 2, 3, 4])
  }

  @Test("placing no elements changes nothing")
  func nothing() {
    expectUnchanged(list([1, 2])) { list in
      list.append(contentsOf: [])
      list.prepend(contentsOf: [])
      list.insert(contentsOf: [], at: 1)
    }
  }
}
