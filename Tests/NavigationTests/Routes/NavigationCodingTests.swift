import Foundation
import TestSupport
import Testing

@testable import FluxNavigation

@Suite("Saved navigation states")
struct NavigationCodingTests {
  private typealias Tabs = RouteTabs<RouteTabsTests.Tab, Place>

  private var stack: RouteStack<Place> {
    var stack = RouteStack(root: Place.list, keepingPlaces: 3)
    stack.push(.film(7))
    stack.setPath([.film(8), .reviews(film: 8, page: 2)])
    stack.back()
    stack.present(.search("a", page: 1), as: .cover)
    stack.present(.about, as: .alert)
    return stack
  }

  private var tabs: Tabs {
    var tabs = RouteTabsTests.make(keepingPlaces: 3)
    tabs.change { $0.push(.film(7)) }
    tabs.select(.more)
    tabs.change { $0.present(.browse(genre: .comedy)) }
    tabs.back()
    return tabs
  }

  private func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  private func json(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("a stack and tabs are decoded as they were encoded, with their identities and places")
  func roundTrip() throws {
    #expect(try decoded(json(of: stack)) == stack)
    #expect(try decoded(json(of: tabs)) == tabs)
  }

  @Test("a stack without places has a short form")
  func form() throws {
    let json = try json(of: RouteStack(root: 1))
    #expect(json == #"{"layers":[{"entries":[{"id":0,"route":1}]}],"nextNumber":1}"#)
  }

  @Test(
    "a value that does not describe a stack is refused",
    arguments: [
      #"{"layers":[],"nextNumber":1}"#,
      #"{"layers":[{"entries":[]}],"nextNumber":1}"#,
      #"{"layers":[{"style":"sheet","entries":[{"id":0,"route":1}]}],"nextNumber":1}"#,
      #"{"layers":[{"entries":[{"id":0,"route":1}]},{"entries":[{"id":1,"route":1}]}],"nextNumber":2}"#,
      #"{"layers":[{"entries":[{"id":0,"route":1},{"id":0,"route":2}]}],"nextNumber":1}"#,
      #"{"layers":[{"entries":[{"id":5,"route":1}]}],"nextNumber":5}"#,
      #"{"layers":[{"entries":[{"id":5,"route":1}]}],"nextNumber":18446744073709551615}"#,
      #"{"layers":[{"entries":[{"id":0,"route":1}]}],"nextNumber":-1}"#,
      #"{"layers":[{"entries":[{"id":0,"route":1}]},{"style":"alert","entries":[{"id":1,"route":1},{"id":2,"route":1}]}],"nextNumber":3}"#,
      #"{"layers":[{"entries":[{"id":0,"route":1}]}],"nextNumber":1,"record":{"limit":1,"past":[[]],"future":[]}}"#,
    ])
  func refused(json: String) {
    #expect(throws: DecodingError.self) { try decoded(json, as: RouteStack<Int>.self) }
  }

  @Test("a decoded value keeps no more places than its limit")
  func limit() throws {
    let place = #"[{"entries":[{"id":0,"route":1}]}]"#
    let json =
      #"{"layers":\#(place),"nextNumber":1,"record":{"limit":1,"past":[\#(place),\#(place)],"future":[]}}"#
    var stack = try decoded(json, as: RouteStack<Int>.self)
    stack.back()
    #expect(!stack.canGoBack)
  }

  @Test("a value that does not describe tabs is refused")
  func refusedTabs() throws {
    let json = try json(of: tabs)
    for (text, replacement) in [
      (#""selected":"films""#, #""selected":"other""#), (#""tabs":["films","#, #""tabs":["more","#),
      (#""tabs":["films","#, #""tabs":["#), ("1099511627776", "0"), ("2199023255552", "1099511627776"),
    ] {
      let damaged = json.replacingOccurrences(of: text, with: replacement)
      #expect(damaged != json)
      #expect(throws: DecodingError.self, "\(text)") { try decoded(damaged, as: Tabs.self) }
    }
  }

  @Test("a selected tab that is not one of the tabs is refused")
  func refusedSelection() throws {
    let tabs = RouteTabs(selected: RouteTabsTests.Tab.films, [.films: Place.list])
    let json = try json(of: tabs).replacingOccurrences(
      of: #""selected":"films""#, with: #""selected":"more""#)
    let error = #expect(throws: DecodingError.self) { try decoded(json, as: Tabs.self) }
    #expect("\(try #require(error))".contains("The stacks do not belong to the tabs."))
  }

  @Test("a stack of a tab with places of its own is refused")
  func refusedRecord() throws {
    let json = try json(of: RouteTabs(selected: RouteTabsTests.Tab.films, [.films: Place.list]))
    let damaged = json.replacingOccurrences(
      of: #""nextNumber":1099511627777"#,
      with: #""nextNumber":1099511627777,"record":{"limit":1,"past":[],"future":[]}"#)
    #expect(damaged != json)
    #expect(throws: Never.self) { try decoded(json, as: Tabs.self) }
    #expect(throws: DecodingError.self) { try decoded(damaged, as: Tabs.self) }
  }

  @Test(
    "a place of tabs that breaks a rule is refused, also if it is a later place",
    arguments: ["past", "future"],
    [
      // The selected tab does not exist.
      #"{"selected":2,"layers":[[{"entries":[{"id":1099511627776,"route":1}]}]]}"#,
      // There are more stacks than tabs, or none.
      #"{"selected":1,"layers":[]}"#,
      #"{"selected":1,"layers":[[{"entries":[{"id":1099511627776,"route":1}]}],[{"entries":[{"id":2199023255552,"route":1}]}]]}"#,
      // The stack has no screen.
      #"{"selected":1,"layers":[[]]}"#,
      #"{"selected":1,"layers":[[{"entries":[]}]]}"#,
      // The screen belongs to no tab, to another tab, or to a later change.
      #"{"selected":1,"layers":[[{"entries":[{"id":0,"route":1}]}]]}"#,
      #"{"selected":1,"layers":[[{"entries":[{"id":2199023255552,"route":1}]}]]}"#,
      #"{"selected":1,"layers":[[{"entries":[{"id":1099511627778,"route":1}]}]]}"#,
      // Two screens are the same, and the base is a modal.
      #"{"selected":1,"layers":[[{"entries":[{"id":1099511627776,"route":1},{"id":1099511627776,"route":1}]}]]}"#,
      #"{"selected":1,"layers":[[{"style":"sheet","entries":[{"id":1099511627776,"route":1}]}]]}"#,
    ])
  func refusedPlaces(list: String, place: String) throws {
    func json(_ place: String) -> String {
      let places = ["past", "future"].map { #""\#($0)":[\#($0 == list ? place : "")]"# }.joined(
        separator: ",")
      return
        #"{"tabs":[1],"selected":1,"stacks":[{"layers":[{"entries":[{"id":1099511627777,"route":2}]}],"nextNumber":1099511627778}],"record":{"limit":1,\#(places)}}"#
    }
    let valid = #"{"selected":1,"layers":[[{"entries":[{"id":1099511627776,"route":1}]}]]}"#
    #expect(throws: Never.self) { try decoded(json(valid), as: RouteTabs<Int, Int>.self) }
    #expect(throws: DecodingError.self) { try decoded(json(place), as: RouteTabs<Int, Int>.self) }
  }

  @Test(
    "numbers of screens at the limits of their type are refused without a trap",
    arguments: [
      (0, "18446744073709551615"), (18_446_744_073_709_551_615, "18446744073709551615"),
      (18_446_742_974_197_923_840, "18446744073709551615"), (18_446_744_073_709_551_615, "0"),
      (1_099_511_627_775, "1099511627776"), (0, "549755813888"), (0, "9223372036854775808"),
    ] as [(UInt64, String)])
  func numberLimits(id: UInt64, next: String) {
    let stack = #"{"layers":[{"entries":[{"id":\#(id),"route":1}]}],"nextNumber":\#(next)}"#
    #expect(throws: DecodingError.self) { try decoded(stack, as: RouteStack<Int>.self) }
    let tabs = #"{"tabs":[1],"selected":1,"stacks":[\#(stack)]}"#
    #expect(throws: DecodingError.self) { try decoded(tabs, as: RouteTabs<Int, Int>.self) }
  }

  @Test("a stack with the greatest accepted numbers can be changed")
  func greatestNumbers() throws {
    let json =
      #"{"layers":[{"entries":[{"id":18446742974197923840,"route":1}]}],"nextNumber":18446743523953737727}"#
    var stack = try decoded(json, as: RouteStack<Int>.self)
    stack.setPath(Array(0..<100))
    #expect(Set(stack.entries.map(\.id)).count == 101)
  }

  @Test(
    "a record with an extreme limit is refused, or changed without a trap",
    arguments: ["-9223372036854775808", "9223372036854775807", "-1"])
  func recordLimits(limit: String) throws {
    let place = #"[{"entries":[{"id":0,"route":1}]}]"#
    var stack = try decoded(
      #"{"layers":\#(place),"nextNumber":1,"record":{"limit":\#(limit),"past":[\#(place)],"future":[]}}"#,
      as: RouteStack<Int>.self)
    #expect(stack.canGoBack == !limit.hasPrefix("-"))
    stack.push(2)
    stack.back()
    #expect(stack.entries.count == (limit.hasPrefix("-") ? 2 : 1))
  }

  @Test(
    "a damaged value is refused, or can be changed like any other value", arguments: [1, 2, 3] as [UInt64])
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let json = Array(try json(of: stack).utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      var damaged = json
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        damaged[place] = Array("0123456789,[]{}\"".utf8).randomElement(using: &random)!
      }
      guard var stack = try? JSONDecoder().decode(RouteStack<Place>.self, from: Data(damaged)) else {
        continue
      }
      accepted += 1
      #expect(stack.record.past.count + stack.record.future.count <= stack.record.limit)
      stack.push(.about)
      stack.back()
      stack.forward()
      stack.setPath([.film(1)])
      #expect(stack.root == stack.entries[0])
      #expect(Set(stack.entries.map(\.id)).count == stack.entries.count)
    }
    #expect(accepted > 100)
  }
}
