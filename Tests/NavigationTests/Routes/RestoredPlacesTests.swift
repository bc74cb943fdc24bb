import Foundation
import TestSupport
import Testing

@testable import FluxNavigation

/// The places of saved values whose limit is greater or less than the limit of the app.
@Suite("Restored places")
struct RestoredPlacesTests {
  private typealias Stack = RouteStack<Place>

  /// Returns a stack after pushes of films and returns to earlier places.
  private static func stack(keepingPlaces limit: Int, pushes: Int, backs: Int = 0) -> Stack {
    var stack = Stack(root: .list, keepingPlaces: limit)
    for film in 0..<pushes { stack.push(.film(film)) }
    for _ in 0..<backs { stack.back() }
    return stack
  }

  private static func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  /// The number of times that a value returns to an earlier place.
  private func steps(back stack: Stack) -> Int {
    var (stack, steps) = (stack, 0)
    while stack.canGoBack {
      stack.back()
      steps += 1
    }
    return steps
  }

  /// The number of times that a value returns to a later place.
  private func steps(forward stack: Stack) -> Int {
    var (stack, steps) = (stack, 0)
    while stack.canGoForward {
      stack.forward()
      steps += 1
    }
    return steps
  }

  // MARK: Limits

  @Test("tabs whose places were restored keep no more places than their limit")
  func tabs() throws {
    var saved = RouteTabsTests.make(keepingPlaces: 4)
    for film in 1...4 { saved.change { $0.push(.film(film)) } }
    saved.back()
    saved.back()
    var tabs = RouteTabsTests.make(keepingPlaces: 2)
    tabs.restore(from: try Self.decoded(saved))
    tabs.forward()
    tabs.forward()
    for film in 1...20 { tabs.change { $0.push(.film(film)) } }
    var steps = 0
    while tabs.canGoBack {
      tabs.back()
      steps += 1
    }
    #expect(steps == 2)
  }

  @Test(
    "the earlier and the later places of a decoded value together do not exceed the limit",
    arguments: 0...3, 0...3)
  func decodedPlaces(past: Int, future: Int) throws {
    func places(_ count: Int, of name: String) -> String {
      let list = (0..<count).map { #"[{"entries":[{"id":\#($0),"route":\#($0)}]}]"# }
      return #""\#(name)":[\#(list.joined(separator: ","))]"#
    }
    let json = #"""
      {"layers":[{"entries":[{"id":9,"route":9}]}],"nextNumber":10,
      "record":{"limit":2,\#(places(past, of: "past")),\#(places(future, of: "future"))}}
      """#
    var stack = try JSONDecoder().decode(RouteStack<Int>.self, from: Data(json.utf8))
    // The earlier places have priority, and the nearest places remain.
    #expect(stack.record.past.map { $0[0].entries[0].route } == Array((0..<past).suffix(2)))
    let rest = 2 - min(past, 2)
    #expect(stack.record.future.map { $0[0].entries[0].route } == Array((0..<future).suffix(rest)))
    while stack.canGoForward { stack.forward() }
    #expect(stack.record.past.count <= 2)
    for route in 0..<5 { stack.push(route) }
    #expect(stack.record.past.count == 2)
  }

  // MARK: Stacks

  @Test("a restored stack has the saved screens with their identities, and the limit of the app")
  func restore() throws {
    let saved = Self.stack(keepingPlaces: 0, pushes: 3)
    var stack = Stack(root: .about, keepingPlaces: 50)
    stack.restore(from: try Self.decoded(saved))
    #expect(stack.entries == saved.entries)
    #expect(!stack.canGoBack)
    stack.push(.about)
    #expect(!saved.contains(stack.top.id))
    stack.back()
    #expect(stack.entries == saved.entries)
    #expect(try Self.decoded(stack) == stack)
  }

  @Test(
    "the saved places of a stack are restored up to the limit of the app",
    arguments: [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 1), (5, 2, 2)] as [(Int, Int, Int)])
  func restoredPlaces(limit: Int, back: Int, forward: Int) {
    var stack = Stack(root: .list, keepingPlaces: limit)
    stack.restore(from: Self.stack(keepingPlaces: 4, pushes: 4, backs: 2))
    #expect(stack.path.map(\.route) == [.film(0), .film(1)])
    #expect(steps(back: stack) == back)
    #expect(steps(forward: stack) == forward)
  }

  @Test("screens that are pushed later have identities that neither of the stacks had")
  func identities() {
    let saved = Self.stack(keepingPlaces: 0, pushes: 1)
    var stack = Self.stack(keepingPlaces: 0, pushes: 5)
    let old = stack.entries.map(\.id) + saved.entries.map(\.id)
    stack.restore(from: saved)
    #expect(!old.contains(stack.push(.about)))
  }

  @Test("a stack of a tab that is restored into a stack without tabs has new identities and no places")
  func stackOfTab() throws {
    var tabs = RouteTabsTests.make()
    tabs.change { $0.push(.film(7)) }
    tabs.change { $0.present(.about) }
    var stack = Self.stack(keepingPlaces: 3, pushes: 1)
    let old = stack.entries.map(\.id)
    stack.restore(from: tabs.stack)
    #expect(stack.entries.map(\.route) == [.list, .film(7), .about])
    #expect(stack.modals.map(\.style) == [.sheet])
    #expect(stack.entries.allSatisfy { !tabs.contains($0.id) && !old.contains($0.id) })
    #expect(!stack.canGoBack && !stack.canGoForward)
    stack.pop()
    #expect(stack.canGoBack)
    #expect(try Self.decoded(stack) == stack)
  }

  @Test("a stack without tabs that is restored into a tab has identities of the tab")
  func intoTab() throws {
    var tabs = RouteTabsTests.make(keepingPlaces: 3)
    tabs.change { $0.restore(from: Self.stack(keepingPlaces: 4, pushes: 2, backs: 1)) }
    #expect(tabs.stack.path.map(\.route) == [.film(0)])
    #expect(tabs.stack.entries.allSatisfy { tabs.tab(of: $0.id) == .films })
    #expect(!tabs.stack.canGoBack && tabs.canGoBack)
    #expect(try Self.decoded(tabs) == tabs)
  }
}
