import FluxCollections
import TestSupport
import Testing

@Suite("An entity adapter with a sort order")
struct SortedAdapterTests {
  private let adapter = Shelf.byTitle.adapter

  @Test("a new entity is inserted at its position in the order")
  func add() {
    var list = adapter.list(of: [farm, hobbit])
    adapter.add(gatsby, to: &list)
    #expect(list.values == [farm, gatsby, hobbit])
  }

  @Test("a change that does not affect the order moves nothing")
  func keepsPlace() {
    var list = adapter.list(of: [gatsby, clockwork, farm])
    let before = list
    adapter.update("tgg", in: &list) { $0.title += " II" }
    #expect(list.ids == ["aco", "af", "tgg"])
    #expect(list.difference(from: before).moved.isEmpty)
  }

  @Test("a change of the sort key moves the entity to its new position")
  func resorts() {
    var list = adapter.list(of: [gatsby, farm, clockwork])
    adapter.update("tgg", in: &list) { $0.title = "A New Hope" }
    #expect(list.ids == ["aco", "tgg", "af"])
    adapter.update("aco", in: &list) { $0.title = "Z" }
    #expect(list.ids == ["tgg", "af", "aco"])
  }

  @Test("a change of the id and of the sort key moves the entity, too")
  func resortsRenamed() {
    var list = adapter.list(of: [gatsby, farm, clockwork])
    adapter.update("tgg", in: &list) { $0 = Book("new", "A New Hope") }
    #expect(list.ids == ["aco", "new", "af"])
  }

  @Test("entities with equal sort keys keep their order when they change")
  func stable() {
    let adapter = EntityAdapter<Entry>(sortedBy: { $0.text < $1.text })
    var list = adapter.list(of: [Entry(3, "c"), Entry(1, "a"), Entry(4, "c"), Entry(2, "b"), Entry(5, "c")])
    #expect(list.ids == [1, 2, 3, 4, 5])
    for id in 3...5 { adapter.update(id, in: &list) { $0.text = "c" } }
    #expect(list.ids == [1, 2, 3, 4, 5])
    adapter.add(Entry(6, "b"), to: &list)
    #expect(list.ids == [1, 2, 6, 3, 4, 5])
  }

  @Test("a list that was made elsewhere is sorted")
  func unsorted() {
    var list = OrderedState(hobbit, clockwork)
    adapter.sort(&list)
    adapter.add(farm, to: &list)
    #expect(list.values == [clockwork, farm, hobbit])
    let before = list.stamp
    EntityAdapter<Book>().sort(&list)
    adapter.sort(&list)
    #expect(list.stamp == before)
  }

  @Test("one change of a list of ten thousand takes a few dozen comparisons")
  func comparisons() {
    let count = Shared(0)
    let adapter = EntityAdapter<Entry>(sortedBy: { left, right in
      count.increment()
      return left.text < right.text
    })
    var random = SeededGenerator(seed: 1)
    func entry(_ id: Int) -> Entry { Entry(id, String(UInt32.random(in: .min ... .max, using: &random))) }
    var list = OrderedState<Entry>()
    adapter.upsert(contentsOf: (0..<10_000).map(entry), in: &list)
    #expect(count.exchange(0) < 10_000 * 20)
    adapter.add(entry(10_000), to: &list)
    #expect(count.exchange(0) < 20)
    adapter.update(5000, in: &list) { $0.text = "~" }
    #expect(count.exchange(0) < 20)
    adapter.add(contentsOf: (20_000..<21_000).map(entry), to: &list)
    #expect(count.exchange(0) < 1000 * 20)
    #expect(zip(list, list.dropFirst()).allSatisfy { $0.text <= $1.text })
  }

  @Test("after random operations, the list is sorted and equal to its model")
  func random() {
    let adapter = EntityAdapter<Entry>(sortedBy: { $0.text < $1.text })
    for seed in UInt64(0)..<20 {
      var random = SeededGenerator(seed: seed)
      var list = OrderedState<Entry>(shape: ListShape(leaf: 4, group: 4))
      var model: [Int: String] = [:]
      for _ in 0..<300 {
        let id = Int.random(in: 0..<60, using: &random)
        let text = String(Int.random(in: 0..<30, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          adapter.add(Entry(id, text), to: &list)
          model[id] = model[id] ?? text
        case 1, 2:
          adapter.set(Entry(id, text), in: &list)
          model[id] = text
        case 3:
          adapter.update(id, in: &list) { $0.text = text }
          if model[id] != nil { model[id] = text }
        default:
          adapter.remove(id, from: &list)
          model[id] = nil
        }
      }
      #expect(list.entities.mapValues(\.text) == model, "seed \(seed)")
      #expect(list.map(\.text) == list.map(\.text).sorted(), "seed \(seed)")
      #expect(list.inconsistency == nil, "seed \(seed)")
    }
  }
}
