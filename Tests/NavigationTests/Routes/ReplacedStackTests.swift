import FluxNavigation
import Foundation
import TestSupport
import Testing

/// Stacks of tabs that a closure or a saved value replaces.
@Suite("Replaced stacks of tabs")
struct ReplacedStackTests {
  private typealias Tab = RouteTabsTests.Tab
  private typealias Tabs = RouteTabs<Tab, Place>

  private var tabs = RouteTabsTests.make(keepingPlaces: 3)

  /// All identities in all tabs.
  private var ids: [ScreenID] { tabs.entries.map(\.id) }

  private var newStack: RouteStack<Place> {
    var stack = RouteStack(root: Place.list, keepingPlaces: 4)
    stack.push(.film(1))
    stack.present(.about)
    return stack
  }

  private func decoded(_ tabs: Tabs) throws -> Tabs {
    try JSONDecoder().decode(Tabs.self, from: JSONEncoder().encode(tabs))
  }

  @Test(
    "a stack that replaces the stack of a tab has new identities",
    arguments: RouteTabsTests.make().tabs, [0, 3])
  mutating func newIdentities(tab: RouteTabsTests.Tab, limit: Int) throws {
    tabs = RouteTabsTests.make(keepingPlaces: limit)
    tabs.change(tab) { $0.push(.film(2)) }
    let old = ids
    let stack = newStack
    tabs.change(tab) { $0 = stack }
    let entries = try #require(tabs[tab]?.entries)
    #expect(entries.map(\.route) == [.list, .film(1), .about])
    #expect(tabs[tab]?.modals.map(\.style) == [.sheet])
    #expect(Set(old).isDisjoint(with: entries.map(\.id)))
    #expect(entries.allSatisfy { tabs.tab(of: $0.id) == tab })
  }

  @Test("tabs with a replaced stack are decoded as they were encoded", arguments: RouteTabsTests.make().tabs)
  mutating func coding(tab: RouteTabsTests.Tab) throws {
    let stack = newStack
    tabs.change(tab) { $0 = stack }
    #expect(try decoded(tabs) == tabs)
  }

  @Test("the stack of another tab receives new identities")
  mutating func otherTab() throws {
    tabs.change { $0.push(.film(1)) }
    let films = try #require(tabs[.films])
    tabs.change(.more) { $0 = films }
    #expect(tabs[.more]?.entries.map(\.route) == [.list, .film(1)])
    #expect(Set(ids).count == ids.count)
    #expect(try decoded(tabs) == tabs)
  }

  @Test("an earlier value of the stack of a tab keeps its identities, and later screens have others")
  mutating func earlierValue() throws {
    tabs.change { $0.push(.film(1)) }
    let earlier = tabs.stack
    tabs.change { $0.push(.film(2)) }
    let gone = tabs.stack.top.id
    tabs.change { $0 = earlier }
    #expect(tabs.stack.entries == earlier.entries)
    #expect(try decoded(tabs) == tabs)
    tabs.change { $0.push(.film(3)) }
    #expect(tabs.stack.top.id != gone)
  }

  @Test("back returns to the stack that was replaced")
  mutating func back() {
    tabs.change { $0.push(.film(7)) }
    let before = tabs.entries
    let stack = newStack
    tabs.change { $0 = stack }
    tabs.back()
    #expect(tabs.entries == before)
  }

  @Test("the stack of a tab keeps no places of its own")
  mutating func places() {
    let stack = newStack
    tabs.change { $0 = stack }
    #expect(!tabs.stack.canGoBack && tabs.canGoBack)
  }

  @Test("a reset of the stack of a tab has a new identity in the range of the tab", arguments: [0, 3])
  mutating func reset(limit: Int) throws {
    tabs = RouteTabsTests.make(keepingPlaces: limit)
    let old = ids
    tabs.apply(.stack(.reset(root: .about), in: .search))
    #expect(tabs[.search]?.root.route == .about)
    #expect(ids.filter { !old.contains($0) }.count == 1)
    #expect(try decoded(tabs) == tabs)
  }

  @Test("a screen of a stack without tabs is in none of the tabs")
  func withoutTabs() {
    #expect(!tabs.contains(newStack.root.id))
  }

  // MARK: Saved tabs

  @Test("tabs that an update of the app has added are not in a saved value")
  func added() throws {
    let saved = try decoded(RouteTabs(selected: Tab.films, [.films: Place.list, .search: .about]))
    #expect(saved.tabs == [.films, .search])
  }

  @Test("a tab that its type does not have cannot be decoded, and the error names the tab")
  func removed() throws {
    enum Section: String, Codable { case films, search }
    let json = try JSONEncoder().encode(tabs)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RouteTabs<Section, Place>.self, from: json)
    }
    #expect("\(try #require(error))".contains("more"))
  }

  @Test("saved tabs are restored into the tabs of a new version of the app")
  mutating func restore() throws {
    var saved = RouteTabs(selected: Tab.search, [.search: Place.about, .films: .list], keepingPlaces: 3)
    saved.change { $0.push(.film(1)) }
    saved.change(.films) { $0.push(.film(2)) }
    tabs.restore(from: saved)
    #expect(tabs.tabs == [.films, .search, .more])
    #expect(tabs.tabs.map { tabs[$0]?.path.map(\.route) } == [[.film(2)], [.film(1)], []])
    #expect(tabs.selected == .search)
    #expect(!tabs.canGoBack)
    #expect(try decoded(tabs) == tabs)
  }

  @Test("tabs that moved, and tabs in their places, do not have the identities of other saved screens")
  mutating func restoredIdentities() {
    var saved = RouteTabs(selected: Tab.films, [.films: Place.list, .more: .about, .search: .about])
    for tab in saved.tabs { saved.change(tab) { $0.push(.film(1)) } }
    tabs = RouteTabs(selected: .films, [.films: .list, .search: .list])
    tabs.restore(from: saved)
    for entry in saved.entries where tabs.contains(entry.id) {
      #expect(saved.tab(of: entry.id) == .films)
    }
    #expect(tabs[.films]?.entries == saved[.films]?.entries)
  }

  @Test("if the selected tab was removed, the new version selects its own tab")
  mutating func restoredSelection() {
    tabs = RouteTabs(selected: .films, [.films: .list])
    tabs.restore(from: RouteTabs(selected: .more, [.more: .about, .films: .about]))
    #expect(tabs.selected == .films)
    #expect(tabs.stack.root.route == .about)
  }

  @Test("if the tabs are the same, their places are restored up to the limit")
  mutating func restoredPlaces() {
    var saved = RouteTabsTests.make(keepingPlaces: 3)
    for film in 1...3 { saved.change { $0.push(.film(film)) } }
    tabs = RouteTabsTests.make(keepingPlaces: 2)
    tabs.restore(from: saved)
    #expect(tabs.entries == saved.entries)
    tabs.back()
    tabs.back()
    #expect(!tabs.canGoBack)
    #expect(tabs.stack.path.map(\.route) == [.film(1)])
  }
}
