import FluxCollections
import FluxCore
import Foundation
import TestSupport
import Testing

@Suite("Unusual lists")
struct AwkwardListTests {
  // MARK: Defects

  private struct Tagged: Codable, Identifiable, Equatable {
    var id: UUID
  }

  @Test(
    "Redux Toolkit's form is decoded even if a key spells the id differently, as a UUID in small letters")
  func uuidKeys() throws {
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let json = #"{"ids": ["\#(id)"], "entities": {"\#(id)": {"id": "\#(id)"}}}"#
    let list = try JSONDecoder().decode(OrderedState<Tagged>.self, from: Data(json.utf8))
    #expect(list.count == 1)
  }

  private struct Wrapped: Codable, Identifiable, Equatable {
    struct ID: Hashable, RawRepresentable, Codable {
      var rawValue: String
    }

    var id: ID
  }

  @Test("Redux Toolkit's form is decoded even if ids have a type of their own")
  func wrappedKeys() throws {
    let json = #"{"ids": ["a"], "entities": {"a": {"id": "a"}}}"#
    let list = try JSONDecoder().decode(OrderedState<Wrapped>.self, from: Data(json.utf8))
    #expect(list.count == 1)
  }

  private struct Named: Codable, Identifiable, Equatable {
    var id: String
  }

  @Test("a decoder's strategy for keys does not change ids, since ids are not names of properties")
  func snakeCase() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = #"{"ids": ["user_1"], "entities": {"user_1": {"id": "user_1"}}}"#
    #expect(try decoder.decode(OrderedState<Named>.self, from: Data(json.utf8)).map(\.id) == ["user_1"])
  }

  @Test("a change of all elements changes each element once, even if elements take each other's ids")
  func updateAllOnce() {
    var list = list(1...3)
    var calls: [String] = []
    list.updateAll { entry in
      calls.append(entry.text)
      entry.id += 1
    }
    #expect(Set(calls).count == calls.count, "\(calls)")
  }

  // MARK: Correct behavior

  private struct Poor: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
      var value: Int
      func hash(into hasher: inout Hasher) { hasher.combine(value % 3) }
    }
    var id: ID
    var text = 0
    init(_ id: Int, _ text: Int = 0) {
      self.id = ID(value: id)
      self.text = text
    }
  }

  @Test(
    "lists behave like arrays, differences lead to each later version, and journals list all changes"
  )
  func model() {
    var random = SeededGenerator(seed: 99)
    func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
    for shape in [ListShape(leaf: 2, group: 4), ListShape(leaf: 5, group: 4), .usual] {
      for _ in 0..<5 {
        var list = OrderedState<Poor>(shape: shape)
        var array: [Poor] = []
        var versions: [(OrderedState<Poor>, [Poor])] = []
        func index(_ id: Int) -> Int? { array.firstIndex { $0.id.value == id } }
        for step in 0..<160 {
          let id = below(40)
          switch below(12) {
          case 0, 1:
            list.append(Poor(id, step))
            array.removeAll { $0.id.value == id }
            array.append(Poor(id, step))
          case 2:
            let at = below(45) - 2
            list.insert(Poor(id, step), at: at)
            array.removeAll { $0.id.value == id }
            array.insert(Poor(id, step), at: min(max(at, 0), array.count))
          case 3:
            list.remove(id: .init(value: id))
            array.removeAll { $0.id.value == id }
          case 4:
            let new = below(40)
            list.update(.init(value: id)) { $0.id.value = new }
            if index(id) != nil, id != new { array.removeAll { $0.id.value == new } }
            if let at = index(id) { array[at].id.value = new }
          case 5, 6:
            let from = Set((0..<below(5)).map { _ in below(40) })
            let to = below(42)
            list.move(from: from, to: to)
            // The algorithm of SwiftUI's move(fromOffsets:toOffset:).
            let end = min(to, array.count)
            let known = from.filter { $0 < array.count }.sorted()
            let head = array[..<end].enumerated().filter { !known.contains($0.offset) }.map(\.element)
            let tail = array[end...].indices.filter { !known.contains($0) }.map { array[$0] }
            array = head + known.map { array[$0] } + tail
          case 7:
            let some = (0..<below(6)).map { _ in Poor(below(60), step) }
            list.upsert(contentsOf: some)
            for one in some {
              if let at = index(one.id.value) { array[at] = one } else { array.append(one) }
            }
          case 8:
            let positions = (0..<below(4)).map { _ in below(40) }
            list.remove(at: positions)
            array = array.indices.filter { !positions.contains($0) }.map { array[$0] }
          case 9: if let at = index(id) { list[at].text = step; array[at].text = step }
          case 10:
            let some = (0..<below(6)).map { _ in Poor(below(60), step) }
            list.add(contentsOf: some)
            for one in some where index(one.id.value) == nil { array.append(one) }
          default:
            if below(20) == 0 {
              let some = (0..<below(20)).map { Poor($0 * 2, step) }
              list.setAll(some)
              array = some
            }
            // Continues from an older version, as a history does.
            if below(6) == 0, let old = versions.randomElement(using: &random) { (list, array) = old }
          }
          #expect(Array(list) == array)
          if step.isMultiple(of: 7) { versions.append((list, array)) }
        }
        #expect(list.inconsistency == nil)
        versions.append((list, array))
        for (old, before) in versions {
          #expect(Array(old) == before)
          for (new, after) in versions {
            let difference = new.difference(from: old)
            #expect(apply(difference, to: before, of: after) == after)
            #expect((old == new) == (before == after))
            guard let changed = new.changedIDs(since: old.stamp) else { continue }
            #expect(Set(changed).count == changed.count)
            let known = Set(changed)
            #expect(known.isSuperset(of: difference.inserted + difference.removed + difference.updated))
            let left = { (all: [Poor]) in all.filter { !known.contains($0.id) } }
            #expect(left(before) == left(after))
          }
        }
      }
    }
  }

  /// Removes the removed and moved elements, and inserts the inserted and moved ones at their new
  /// positions.
  private func apply(
    _ difference: OrderedStateDifference<Poor.ID>, to old: [Poor], of new: [Poor]
  ) -> [Poor] {
    let gone = Set(difference.removed + difference.moved)
    let come = Set(difference.inserted + difference.moved)
    let updated = Set(difference.updated)
    var result = old.filter { !gone.contains($0.id) }
    for index in result.indices where updated.contains(result[index].id) {
      if let now = new.first(where: { $0.id == result[index].id }) { result[index] = now }
    }
    for (position, one) in new.enumerated() where come.contains(one.id) {
      guard position <= result.count else { return [] }
      result.insert(one, at: position)
    }
    return result
  }

  private struct Measured: Identifiable {
    var id: Double
    var text = ""
  }

  @Test("ids that are not equal to themselves do not stop the program")
  func nan() {
    var list = OrderedState((0..<200).map { Measured(id: $0.isMultiple(of: 2) ? .nan : Double($0)) })
    for _ in 0..<100 { list.append(Measured(id: .nan)) }
    list.update(at: 0) { $0.text = "x" }
    list.move(from: [0, 5, 100], to: 20)
    list.sort { $0.id < $1.id }
    list.remove(at: [3, 4, 250])
    list.removeAll { $0.id.isNaN }
    #expect(list.allSatisfy { !$0.id.isNaN })
    _ = list.entities
    while list.remove(at: 0) != nil {}
    #expect(list.isEmpty)
  }

  @Test("invalid coded forms throw an error")
  func nonsense() {
    for json in [
      #"{"ids": [1, 1], "entities": {"1": {"id": 1, "text": ""}}}"#, #"{"ids": [-1], "entities": {}}"#,
      #"{"ids": [99999999999999999999999], "entities": {}}"#, #"{"ids": []}"#, "{}", "null", "3",
      #"[{"id": 1, "text": ""}, {"id": 1, "text": "b"}]"#,
      #"{"ids": [], "entities": {"1": {"id": 1, "text": ""}}}"#, "[[]]",
    ] {
      #expect(throws: (any Error).self) {
        _ = try JSONDecoder().decode(OrderedState<Entry>.self, from: Data(json.utf8))
      }
    }
  }
}
