import FluxCollections
import Foundation
import Testing

private struct User: Identifiable, Codable, Equatable {
  let id: String
  let name: String
}

private let john = User(id: "1", name: "John")
private let bob = User(id: "2", name: "Bob")
private let bill = User(id: "3", name: "Bill")

@Suite(
  "SwiftDux: OrderedState",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/State/OrderedStateTests.swift", at: "99cb24da",
    count: 23))
struct OrderedStateTests {
  /// The elements of a list after a change.
  private func values(
    of list: OrderedState<User>, after change: (inout OrderedState<User>) -> Void
  ) -> [User] {
    var list = list
    change(&list)
    return list.values
  }

  // MARK: Making a list

  @Test("a list is made from an array, in its order", .holds(1))
  func ofArray() {
    let users = [bob, bill, john]
    #expect(OrderedState(users).values == [bob, bill, john])
  }

  @Test("a list is made from arguments, in their order", .holds(2))
  func ofArguments() {
    #expect(OrderedState(bob, bill, john).values == [bob, bill, john])
  }

  private let json = #"[{"id":"1","name":"John"},{"id":"2","name":"Bob"},{"id":"3","name":"Bill"}]"#

  @Test("a list is decoded from an array", .holds(3))
  func decoded() throws {
    let list = try JSONDecoder().decode(OrderedState<User>.self, from: Data(json.utf8))
    #expect(list.values == [john, bob, bill])
  }

  @Test("a list is encoded as an array", .holds(4))
  func encoded() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(OrderedState(john, bob, bill))
    #expect(String(decoding: data, as: UTF8.self) == json)
  }

  // MARK: Placing

  @Test("a new element is appended at the end", .holds(5))
  func append() {
    #expect(values(of: [bob, bill]) { $0.append(john) } == [bob, bill, john])
  }

  @Test("an existing element is moved to the end, and does not occur twice", .holds(6))
  func appendKnown() {
    #expect(values(of: [bob, john, bill]) { $0.append(john) } == [bob, bill, john])
  }

  @Test("a new element is inserted at the beginning", .holds(7))
  func prepend() {
    #expect(values(of: [bob, bill]) { $0.prepend(john) } == [john, bob, bill])
  }

  @Test("a new element is inserted at a position", .holds(8))
  func insert() {
    #expect(values(of: [bob, bill]) { $0.insert(john, at: 1) } == [bob, john, bill])
  }

  @Test("an existing element is moved to a position, and does not occur twice", .holds(9))
  func insertKnown() {
    #expect(values(of: [bob, bill, john]) { $0.insert(john, at: 1) } == [bob, john, bill])
  }

  // MARK: Removing

  @Test("the element at a position is removed", .holds(10))
  func remove() {
    #expect(values(of: [bob, bill, john]) { $0.remove(at: 1) } == [bob, john])
  }

  @Test("the elements at several positions are removed", .holds(11))
  func removeSeveral() {
    #expect(values(of: [bob, bill, john]) { $0.remove(at: IndexSet([0, 2])) } == [bill])
  }

  // MARK: Moving

  /// The elements after a move.
  private func moving(from positions: IndexSet, to destination: Int) -> [User] {
    values(of: [bob, bill, john]) { $0.move(from: positions, to: destination) }
  }

  @Test("an element is moved towards the end, to a position that counts before the move", .holds(12))
  func moveForward() {
    #expect(moving(from: [1], to: 3) == [bob, john, bill])
  }

  @Test("an element is moved towards the beginning", .holds(13))
  func moveBackward() {
    #expect(moving(from: [2], to: 0) == [john, bob, bill])
  }

  @Test("several elements are moved towards the end, in their order", .holds(14))
  func moveSeveralForward() {
    #expect(moving(from: [0, 1], to: 3) == [john, bob, bill])
  }

  @Test("several elements are moved towards the beginning, in their order", .holds(15))
  func moveSeveralBackward() {
    #expect(moving(from: [1, 2], to: 0) == [bill, john, bob])
  }

  @Test("a move of all elements leaves them in their order", .holds(16))
  func moveAll() {
    #expect(moving(from: [0, 1, 2], to: 2) == [bob, bill, john])
  }

  // MARK: Order

  @Test("the elements are sorted", .holds(17))
  func sort() {
    #expect(values(of: [john, bob, bill]) { $0.sort { $0.name < $1.name } } == [bill, bob, john])
  }

  /// All three elements, ordered by name.
  private let byName = OrderedState(john, bob, bill).sorted { $0.name < $1.name }

  @Test("sorting returns another list, and leaves the first unchanged", .holds(18))
  func sorted() {
    #expect(byName.values == [bill, bob, john])
  }

  @Test(
    "a filter returns a list of the matching elements, in their order, in which each is found by its id",
    .differs(
      19,
      because: "SwiftDux returns an array. Flux returns an ordered state, which is also a collection."))
  func filter() {
    let list = OrderedState(john, bob, bill).filter { $0.name.hasPrefix("B") }
    #expect(list == [bob, bill])
    #expect(list["3"] == bill)
    #expect(list["1"] == nil)
  }

  // MARK: Reading

  @Test("an element is found by its position", .holds(20))
  func byPosition() {
    #expect(byName[2] == john)
  }

  @Test("an element is found by its id, whatever its position", .holds(21))
  func byID() {
    #expect(byName["2"] == bob)
  }

  @Test(
    "where an id is an integer literal, an unlabeled subscript is a position, and an id has a label",
    .holds(22))
  func byNumber() {
    struct Fruit: Identifiable, Equatable {
      let id: Double
      let name: String
    }
    let fruits = OrderedState(
      Fruit(id: 1, name: "apple"), Fruit(id: 2, name: "orange"), Fruit(id: 3, name: "banana"))
    #expect(fruits[2].name == "banana")
    #expect(fruits[id: 2]?.name == "orange")
  }

  @Test("lists are equal if they have equal elements in the same order", .holds(23))
  func equality() {
    #expect(OrderedState(bob, john, bill) != OrderedState(john, bob, bill))
    #expect(OrderedState(john, bob, bill) == OrderedState(john, bob, bill))
  }
}
