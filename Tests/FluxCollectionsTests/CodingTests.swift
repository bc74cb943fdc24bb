import FluxCollections
import Foundation
import Testing

@Suite("The coded form")
struct CodingTests {
  private func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  @Test("a list is encoded as an array of its elements")
  func form() throws {
    #expect(
      try encode(OrderedState(Entry(2, "b"), Entry(1, "a"))) == #"[{"id":2,"text":"b"},{"id":1,"text":"a"}]"#)
    #expect(try encode(OrderedState<Entry>()) == "[]")
  }

  @Test("equal lists have the same coded form, whatever operations made them")
  func stable() throws {
    var changed = list(0..<300)
    changed.move(from: 7, to: 200)
    changed.remove(id: 9)
    #expect(try encode(changed) == encode(OrderedState(changed.values)))
  }

  @Test("an encoded list is decoded to an equal list")
  func roundTrip() throws {
    let list = list((0..<300).reversed())
    #expect(try decode(encode(list)) == list)
    #expect(try decode("[]") == OrderedState<Entry>())
  }

  @Test("a form with ids and entities is decoded in the order of the ids")
  func entities() throws {
    let json = #"{"ids":[2,1],"entities":{"1":{"id":1,"text":"a"},"2":{"id":2,"text":"b"}}}"#
    #expect(try decode(json) == OrderedState(Entry(2, "b"), Entry(1, "a")))
    let books: OrderedState<Book> = try decode(#"{"ids":["x"],"entities":{"x":{"id":"x","title":"t"}}}"#)
    #expect(books.values == [Book("x", "t")])
  }

  @Test(
    "duplicate, missing, unlisted, or mismatched ids are an error",
    arguments: [
      (#"[{"id":1,"text":""},{"id":1,"text":"x"}]"#, OrderedStateError.Code.duplicateID),
      (#"{"ids":[1,1],"entities":{"1":{"id":1,"text":""}}}"#, .duplicateID),
      (#"{"ids":[1,2],"entities":{"1":{"id":1,"text":""}}}"#, .danglingID),
      (#"{"ids":[],"entities":{"1":{"id":1,"text":""}}}"#, .unlistedID),
      (#"{"ids":[1],"entities":{"7":{"id":1,"text":""}}}"#, .mismatchedID),
    ])
  func errors(json: String, code: OrderedStateError.Code) {
    let error = #expect(throws: OrderedStateError.self) {
      try decode(json, as: OrderedState<Entry>.self)
    }
    #expect(error?.code == code)
  }

  @Test("an error contains the reason and the coding path")
  func words() {
    let error = #expect(throws: OrderedStateError.self) {
      try decode(
        #"{"shelves":[[],[{"id":5,"text":""},{"id":5,"text":""}]]}"#,
        as: [String: [OrderedState<Entry>]].self)
    }
    #expect(
      "\(error as Any)".contains(
        "The list at .shelves[1] has a second element with the id 5 at index 1."))
  }

  @Test("an id that cannot be coded is an error in a list of ids, and allowed in an array")
  func uncodable() throws {
    struct Tag: Hashable { let name: String }
    struct Item: Identifiable, Decodable {
      let name: String
      var id: Tag { Tag(name: name) }
    }
    #expect(try decode(#"[{"name":"a"}]"#, as: OrderedState<Item>.self).count == 1)
    let error = #expect(throws: OrderedStateError.self) {
      try decode(#"{"ids":["a"],"entities":{}}"#, as: OrderedState<Item>.self)
    }
    #expect(error?.code == .uncodableID)
  }

  @Test(
    "a value that is neither an array nor an object is reported as not being an array",
    arguments: ["3", #""x""#])
  func otherwise(json: String) {
    let error = #expect(throws: DecodingError.self) { try decode(json, as: OrderedState<Entry>.self) }
    guard case .typeMismatch = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test("an error that an element throws is passed on")
  func element() {
    #expect(throws: DecodingError.self) { try decode(#"[{"id":1}]"#, as: OrderedState<Entry>.self) }
    #expect(throws: DecodingError.self) { try decode(#"{"ids":[1]}"#, as: OrderedState<Entry>.self) }
  }

  @Test("the stamp is not part of the coded form")
  func stamp() throws {
    let list = list([1])
    let decoded: OrderedState<Entry> = try decode(encode(list))
    #expect(decoded == list && decoded.stamp != list.stamp)
  }
}
