/// The screens of an app with tabs as a value: a ``RouteStack`` for each tab, and the selected
/// tab.
///
/// ```swift
/// enum Tab: String, Codable { case films, wishes }
///
/// struct AppState: FluxState {
///   var routes = RouteTabs(selected: Tab.films, [.films: Route.list, .wishes: .wishList])
/// }
/// ```
///
/// A change of the stack, such as a push, changes the stack of the selected tab. The other stacks
/// keep their screens. Identities of screens are unique in all tabs.
public struct RouteTabs<Tab: Hashable & Sendable, Route: Hashable & Sendable>: Hashable, Sendable {
  /// A place to which ``back()`` can return.
  @usableFromInline
  struct Place: Hashable, Sendable {
    var selected: Tab
    var layers: [[RouteStack<Route>.Layer]]
  }

  /// The tabs in their order.
  public let tabs: [Tab]
  /// The selected tab.
  public private(set) var selected: Tab
  @usableFromInline var stacks: [RouteStack<Route>]
  @usableFromInline var record: RouteRecord<Place>

  /// Creates tabs with one screen each.
  ///
  /// If the selected tab is not one of the tabs, or two tabs are equal, the program stops with a
  /// message.
  ///
  /// - Parameters:
  ///   - selected: The selected tab.
  ///   - roots: The tabs in their order, each with the route of its first screen.
  ///   - limit: The number of earlier places that the value keeps for ``back()``. If the number
  ///     is 0, the value keeps no places.
  public init(selected: Tab, _ roots: KeyValuePairs<Tab, Route>, keepingPlaces limit: Int = 0) {
    tabs = roots.map(\.key)
    if Set(tabs).count < tabs.count { Misuse.repeatedTab(in: tabs) }
    if !tabs.contains(selected) { Misuse.unknownTab(selected, among: tabs) }
    self.selected = selected
    stacks = roots.enumerated().map { number, root in
      RouteStack(root: root.value, keepingPlaces: 0, firstNumber: ScreenNumbers.first(ofTab: number))
    }
    record = RouteRecord(limit: limit)
  }

  /// Creates tabs from their parts, or returns `nil` if the parts break a rule of tabs.
  init?(tabs: [Tab], selected: Tab, stacks: [RouteStack<Route>], record: RouteRecord<Place>) {
    self.tabs = tabs
    self.selected = selected
    self.stacks = stacks
    self.record = record
    guard Set(tabs).count == tabs.count, tabs.count == stacks.count, isPlace(place),
      stacks.allSatisfy({ $0.record.limit == 0 }),
      record.past.allSatisfy(isPlace), record.future.allSatisfy(isPlace)
    else { return nil }
  }

  private func isPlace(_ place: Place) -> Bool {
    guard tabs.contains(place.selected), place.layers.count == stacks.count else { return false }
    return place.layers.indices.allSatisfy { index in
      let first = ScreenNumbers.first(ofTab: index)
      return ScreenNumbers.isNext(stacks[index].nextNumber, after: first)
        && stacks[index].isPlace(place.layers[index], from: first)
    }
  }

  // MARK: Reading

  /// The stack of the selected tab.
  @inlinable
  public var stack: RouteStack<Route> { stacks[index(of: selected)!] }

  /// The stack of a tab, or `nil` if the value does not contain the tab.
  @inlinable
  public subscript(tab: Tab) -> RouteStack<Route>? { index(of: tab).map { stacks[$0] } }

  /// The tab whose stack contains a screen, or `nil` if no stack contains the screen.
  public func tab(of id: ScreenID) -> Tab? {
    stacks.firstIndex { $0.contains(id) }.map { tabs[$0] }
  }

  /// A Boolean value that indicates whether ``back()`` has an effect.
  public var canGoBack: Bool { !record.past.isEmpty }

  /// A Boolean value that indicates whether ``forward()`` has an effect.
  public var canGoForward: Bool { !record.future.isEmpty }

  @inlinable
  func index(of tab: Tab) -> Int? { tabs.firstIndex(of: tab) }

  // MARK: Changing

  /// Selects a tab.
  ///
  /// If the value does not contain the tab, the method has no effect.
  public mutating func select(_ tab: Tab) {
    guard tab != selected, index(of: tab) != nil else { return }
    record.append(place)
    selected = tab
  }

  /// Selects a tab and replaces its path, as for a deep link.
  ///
  /// All modals of the tab, and of the tab that was selected before, are dismissed. The change is
  /// one place for ``back()``. If the value does not contain the tab, the method has no effect.
  ///
  /// - Parameters:
  ///   - path: The routes above the root of the tab.
  ///   - tab: The tab.
  public mutating func open(_ path: [Route], in tab: Tab) {
    guard let index = index(of: tab), let current = self.index(of: selected) else { return }
    let before = record.limit > 0 ? place : nil
    if let modal = stacks[current].modals.first { stacks[current].dismiss(modal.id) }
    selected = tab
    stacks[index].setPath(path)
    if let before, before != place { record.append(before) }
  }

  /// Changes the stack of the selected tab.
  @inlinable
  public mutating func change(_ change: (inout RouteStack<Route>) -> Void) {
    self.change(selected, change)
  }

  /// Changes the stack of a tab.
  ///
  /// If the value does not contain the tab, the method has no effect. If the closure assigns a
  /// stack that is not an earlier value of the stack of the tab, the screens receive new
  /// identities, which are unique in all tabs.
  @inlinable
  public mutating func change(_ tab: Tab, _ change: (inout RouteStack<Route>) -> Void) {
    guard let index = index(of: tab) else { return }
    if record.limit > 0 { changeKeepingPlace(index, change) } else { changeStack(index, change) }
  }

  /// Changes a stack, and gives the screens numbers of the tab if the stack was replaced.
  @inlinable
  mutating func changeStack(_ index: Int, _ change: (inout RouteStack<Route>) -> Void) {
    let next = stacks[index].nextNumber
    change(&stacks[index])
    let first = ScreenNumbers.first(ofStackWith: stacks[index].root.id.number)
    if first != ScreenNumbers.first(ofTab: index) || stacks[index].record.limit > 0 {
      stacks[index].renumber(from: next)
    } else if stacks[index].nextNumber < next {
      // The closure assigned an earlier value. Later screens have other identities nevertheless.
      stacks[index].nextNumber = next
    }
  }

  @usableFromInline
  mutating func changeKeepingPlace(_ index: Int, _ change: (inout RouteStack<Route>) -> Void) {
    let before = place
    changeStack(index, change)
    if stacks[index].layers != before.layers[index] { record.append(before) }
  }

  /// Takes the stacks and the selected tab from a saved value, if both values contain the tab.
  ///
  /// Use this method after an update of the app that has added, removed, or reordered tabs. The
  /// receiver contains the tabs of the new version with their roots:
  ///
  /// ```swift
  /// var tabs = RouteTabs(selected: Tab.films, [.films: Route.list, .wishes: .wishList])
  /// tabs.restore(from: saved)
  /// ```
  ///
  /// If the tabs of both values are equal, the earlier places are also taken. Otherwise, the value
  /// has no earlier places. The screens of a tab whose position has changed have new identities.
  public mutating func restore(from saved: RouteTabs) {
    for (index, tab) in tabs.enumerated() {
      let old = index < saved.tabs.count ? saved.stacks[index].nextNumber : 0
      let next = max(stacks[index].nextNumber, old)
      if let stack = saved[tab] { stacks[index] = stack }
      // The numbers of another saved tab are not used again, because the states of its screens can
      // still exist.
      if index < saved.tabs.count, saved.tabs[index] == tab {
        stacks[index].nextNumber = next
      } else {
        stacks[index].renumber(from: next)
      }
    }
    if index(of: saved.selected) != nil { selected = saved.selected }
    let places = saved.tabs == tabs ? saved.record : RouteRecord(limit: 0)
    record = RouteRecord(limit: record.limit, past: places.past, future: places.future)
  }

  // MARK: Places

  /// Returns to the place before the newest change, which can be in another tab.
  public mutating func back() {
    if let place = record.back(from: place) { self.place = place }
  }

  /// Returns to the place from which ``back()`` came.
  ///
  /// Any other change removes the places to which this method could return.
  public mutating func forward() {
    if let place = record.forward(from: place) { self.place = place }
  }

  private var place: Place {
    get { Place(selected: selected, layers: stacks.map(\.layers)) }
    set {
      selected = newValue.selected
      for (index, layers) in newValue.layers.enumerated() { stacks[index].restore(layers) }
    }
  }
}

extension RouteTabs.Place: Encodable where Tab: Encodable, Route: Encodable {}
extension RouteTabs.Place: Decodable where Tab: Decodable, Route: Decodable {}
