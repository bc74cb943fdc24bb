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
