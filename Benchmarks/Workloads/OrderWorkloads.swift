import FluxCollections
import FluxCore

/// Look-ups by id and moves in lists of 1,000 elements, with integer ids and string ids.
let orderWorkloads: [Workload] =
  lookups("ints", row) + moves("ints", row) + lookups("strings", namedRow) + moves("strings", namedRow)

/// An element with something to read.
private protocol Starred: Identifiable, Sendable where ID: Sendable {
  var stars: Int { get }
}

extension Row: Starred {}

/// A row with an id from a server.
private struct NamedRow: FluxState, Starred {
  var id: String
  var title: String
  var stars = 0
}

private func namedRow(_ id: Int) -> NamedRow {
  NamedRow(id: "row-\(id)", title: "a title that takes an object", stars: id & 7)
}

/// An array of ids and a dictionary of elements, which is the layout that SwiftDux uses.
private struct IdsAndDictionary<Element: Identifiable> {
  private(set) var ids: [Element.ID]
  private var elements: [Element.ID: Element]

  init(_ elements: [Element]) {
    ids = elements.map(\.id)
    self.elements = Dictionary(uniqueKeysWithValues: elements.map { ($0.id, $0) })
  }

  subscript(id id: Element.ID) -> Element? { elements[id] }

  mutating func move(from position: Int, to destination: Int) {
    let id = ids.remove(at: position)
    ids.insert(id, at: position < destination ? destination - 1 : destination)
  }
}

// In line, so that both ways are specialised for the elements, as in a program.
@inline(__always)
private func lookups<Element: Starred>(
  _ kind: String, _ make: @escaping @Sendable (Int) -> Element
) -> [Workload] {
  [
    Workload(
      "floor-ordered-lookup-1000-\(kind)",
      "handwritten: a look-up by id in a dictionary of 1,000 elements, \(kind)"
    ) {
      let rows = (0..<thousand).map(make)
      let byHand = IdsAndDictionary(rows)
      return { times in
        var sum = 0
        for turn in 0..<times { sum &+= byHand[id: rows[id(turn, of: thousand)].id]?.stars ?? 0 }
        precondition(sum > 0)
      }
    },
    Workload(
      "ordered-lookup-1000-\(kind)", "a look-up by id in an `OrderedState` of 1,000 elements, \(kind)",
      floor: "floor-ordered-lookup-1000-\(kind)"
    ) {
      let rows = (0..<thousand).map(make)
      let list = OrderedState(rows)
      return { times in
        var sum = 0
        for turn in 0..<times { sum &+= list[id: rows[id(turn, of: thousand)].id]?.stars ?? 0 }
        precondition(sum > 0)
      }
    },
  ]
}

@inline(__always)
private func moves<Element: Starred>(
  _ kind: String, _ make: @escaping @Sendable (Int) -> Element
) -> [Workload] {
  [
    Workload("floor-ordered-move-1000-\(kind)", "handwritten: a move in an array of 1,000 ids, \(kind)") {
      var byHand = IdsAndDictionary((0..<thousand).map(make))
      return { times in
        for turn in 0..<times { byHand.move(from: id(turn, of: thousand), to: id(turn &+ 1, of: thousand)) }
        precondition(byHand.ids.count == thousand)
      }
    },
    Workload(
      "ordered-move-1000-\(kind)", "a move in an `OrderedState` of 1,000 elements, \(kind)",
      floor: "floor-ordered-move-1000-\(kind)"
    ) {
      var list = OrderedState((0..<thousand).map(make))
      return { times in
        for turn in 0..<times { list.move(from: id(turn, of: thousand), to: id(turn &+ 1, of: thousand)) }
        precondition(list.count == thousand)
      }
    },
  ]
}
