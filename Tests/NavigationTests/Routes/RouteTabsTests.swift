import FluxNavigation
import TestSupport
import Testing

@Suite("Tabs with stacks of screens")
struct RouteTabsTests {
  enum Tab: String, Hashable, Codable, Sendable {
    case films, search, more
  }

  static func make(keepingPlaces limit: Int = 0) -> RouteTabs<Tab, Place> {
    RouteTabs(
      selected: .films, [.films: .list, .search: .search("", page: 1), .more: .about], keepingPlaces: limit)
  }

  private var tabs = make()

  @Test("each tab has a stack with its root")
  func roots() {
    #expect(tabs.tabs == [.films, .search, .more])
    #expect(tabs.tabs.map { tabs[$0]?.root.route } == [.list, .search("", page: 1), .about])
    #expect(tabs.stack.root.route == .list)
  }

  @Test("a change affects the stack of the selected tab, and the other stacks keep their screens")
  mutating func change() {
    tabs.change { $0.push(.film(1)) }
    tabs.select(.search)
    tabs.change { $0.push(.film(2)) }
    tabs.select(.films)
    #expect(tabs.stack.path.map(\.route) == [.film(1)])
    #expect(tabs[.search]?.path.map(\.route) == [.film(2)])
  }

  @Test("the stack of another tab can be changed")
  mutating func changeOther() {
    tabs.change(.more) { $0.push(.film(3)) }
    #expect(tabs.selected == .films)
    #expect(tabs[.more]?.top.route == .film(3))
  }

  @Test("a deep link selects a tab, replaces its path, and dismisses the modals of both tabs")
  mutating func deepLink() {
    tabs.change { $0.push(.film(1)) }
    tabs.change { $0.present(.about) }
    tabs.change { $0.present(.list, as: .alert) }
    tabs.change(.search) { $0.push(.film(2)) }
    tabs.change(.search) { $0.present(.about) }
    tabs.apply(.open([.film(3), .film(4)], in: .search))
    #expect(tabs.selected == .search)
    #expect(tabs.stack.path.map(\.route) == [.film(3), .film(4)])
    #expect(tabs.stack.modals.isEmpty)
    #expect(tabs[.films]?.entries.map(\.route) == [.list, .film(1)])
    tabs.apply(.open([], in: .search))
    #expect(tabs.stack.entries.map(\.route) == [.search("", page: 1)])
  }

  @Test("a deep link is one place, and one without effect is none")
  func deepLinkPlaces() {
    var tabs = Self.make(keepingPlaces: 5)
    tabs.change { $0.present(.about) }
    let before = tabs
    tabs.open([.film(3)], in: .more)
    tabs.open([.film(3)], in: .more)
    tabs.back()
    #expect(tabs.selected == .films)
    #expect(tabs.stack == before.stack)
    tabs.forward()
    #expect(tabs.selected == .more && tabs.stack.top.route == .film(3))
  }

  @Test("a deep link into a tab that does not exist has no effect")
  func deepLinkNowhere() {
    var tabs = RouteTabs(selected: Tab.films, [.films: Place.list])
    tabs.change { $0.present(.about) }
    let before = tabs
    tabs.open([.film(3)], in: .more)
    #expect(tabs == before)
  }

  @Test("a screen in another tab can be dismissed or returned to by its identity")
  mutating func otherTab() {
    tabs.change { $0.push(.film(1)) }
    let film = tabs.stack.top.id
    tabs.change { $0.present(.about) }
    let sheet = tabs.stack.top.id
    tabs.select(.more)
    tabs.apply(RouteTabs.change(.dismiss(sheet)))
    #expect(tabs[.films]?.modals.isEmpty == true && tabs.selected == .more)
    tabs.change(.films) { $0.push(.film(2)) }
    tabs.apply(RouteTabs.change(.popTo(film)))
    #expect(tabs[.films]?.top.id == film)
  }

  @Test("the identities of screens are unique in all tabs")
  mutating func identities() {
    for tab in tabs.tabs {
      for film in 0..<10 { tabs.change(tab) { $0.push(.film(film)) } }
    }
    let ids = tabs.tabs.flatMap { tabs[$0]!.entries.map(\.id) }
    #expect(Set(ids).count == ids.count)
    for tab in tabs.tabs {
      for entry in tabs[tab]!.entries {
        #expect(tabs.tab(of: entry.id) == tab)
        #expect(tabs[entry.id] == entry.route)
      }
    }
  }

  @Test("back and forward return to the tab and the screens")
  mutating func places() {
    tabs = Self.make(keepingPlaces: 5)
    tabs.change { $0.push(.film(1)) }
    tabs.select(.search)
    tabs.change { $0.push(.film(2)) }
    tabs.select(.search)
    tabs.back()
    #expect(tabs.selected == .search && tabs.stack.path.isEmpty)
    tabs.back()
    #expect(tabs.selected == .films && tabs.stack.path.count == 1)
    tabs.forward()
    tabs.forward()
    #expect(tabs.selected == .search && tabs.stack.path.map(\.route) == [.film(2)])
    #expect(!tabs.canGoForward)
  }

  @Test("a change of a stack without an effect is not a place")
  mutating func noPlace() {
    tabs = Self.make(keepingPlaces: 5)
    tabs.change { $0.pop() }
    tabs.select(.films)
    #expect(!tabs.canGoBack)
  }

  @Test("a change that names a tab has no effect on other tabs, also back and forward")
  mutating func backInTab() {
    tabs = Self.make(keepingPlaces: 5)
    tabs.change(.films) { $0.push(.film(1)) }
    tabs.select(.search)
    tabs.back()
    let before = tabs
    for tab in tabs.tabs {
      tabs.apply(.stack(.back, in: tab))
      #expect(tabs == before)
      tabs.apply(.stack(.forward, in: tab))
      #expect(tabs == before)
    }
    tabs.apply(.stack(.back, in: nil))
    #expect(tabs.stack.path.isEmpty)
    tabs.apply(.stack(.forward, in: nil))
    tabs.apply(.stack(.forward, in: nil))
    #expect(tabs.selected == .search && tabs[.films]?.path.count == 1)
  }

  @Test("a selected tab that does not exist stops the program")
  func unknownTab() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RouteTabs(selected: Tab.more, [.films: Place.list])
    }
    expect(result, says: "the selected tab more is not one of the tabs [")
  }

  @Test("two equal tabs stop the program")
  func repeatedTab() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RouteTabs(selected: Tab.films, [.films: Place.list, .films: .about])
    }
    expect(result, says: "a tab occurs twice in")
  }
}
