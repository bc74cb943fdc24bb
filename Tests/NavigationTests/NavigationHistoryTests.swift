import FluxCore
import FluxMiddleware
import FluxNavigation
import TestSupport
import Testing

/// Undo, time travel, skipped actions, and imports of stacks and tabs that keep places.
@Suite("Navigation in a history")
struct NavigationHistoryTests {
  struct App: FluxState, Equatable, Codable {
    var routes = RouteStack(root: Place.list, keepingPlaces: 3)
    var tabs = RouteTabsTests.make(keepingPlaces: 2)
  }

  typealias Tabs = RouteTabs<RouteTabsTests.Tab, Place>

  static let routing = RouteSlice(at: \App.routes)
  static let tabs = RouteSlice(at: \App.tabs)

  /// A change of the stack or of the tabs.
  enum Step: Sendable, CustomStringConvertible {
    case stack(RouteChange<Place>)
    case tabs(Tabs.Change)

    static func random(using random: inout SeededGenerator) -> Step {
      let number = Int.random(in: 0...3, using: &random)
      let place = number == 0 ? Place.about : .film(number)
      let changes: [RouteChange<Place>] = [
        .push(place), .push(place), .push(place), .pop, .popToRoot, .replaceTop(place),
        .present(place, as: .sheet), .present(place, as: .alert), .dismiss(nil), .setPath([place, .about]),
        .back, .back, .forward,
      ]
      let change = changes[Int.random(in: changes.indices, using: &random)]
      let tab = [RouteTabsTests.Tab.films, .search, .more][Int.random(in: 0...2, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return .tabs(.select(tab))
      case 1: return .tabs(.stack(change, in: tab))
      case 2: return .tabs(.stack(change, in: nil))
      default: return .stack(change)
      }
    }

    var action: any Action {
      switch self {
      case .stack(let change): NavigationHistoryTests.routing.change(change)
      case .tabs(let change): NavigationHistoryTests.tabs.change(change)
      }
    }

    func apply(to app: inout App) {
      switch self {
      case .stack(let change): app.routes.apply(change)
      case .tabs(let change): app.tabs.apply(change)
      }
    }

    var description: String { "\(action)" }
  }

  static func steps(_ count: Int, seed: UInt64) -> [Step] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Step.random(using: &random) }
  }

  /// Returns the states that result from steps without a store: the first state, and one per step.
  static func states(_ steps: [Step]) -> [App] {
    var app = App()
    return [app]
      + steps.map { step in
        step.apply(to: &app)
        return app
      }
  }

  static func makeStore(_ history: History<App>, _ steps: [Step] = []) -> Store<App> {
    let store = Store(
      reducer: { (_: inout App, _) in }, plugins: [history.plugin, routing.plugin, tabs.plugin], state: App())
    for step in steps { store.dispatch(step.action) }
    return store
  }

  @Test("a jump to any position shows the screens of that position", arguments: UInt64(1)...20)
  func jumps(seed: UInt64) {
    let steps = Self.steps(20, seed: seed)
    let states = Self.states(steps)
    for interval in [1, 7] {
      let history = History<App>(keepingEvery: interval, records: .all)
      let store = Self.makeStore(history, steps)
      for position in Array(0...20) + [3, 17, 0, 20] {
        store.dispatch(HistoryAction.jump(to: position))
        #expect(store.state == states[position], "position \(position) of \(steps)")
      }
      let entry = history.record.entries[9].id
      store.dispatch(HistoryAction.jump(to: entry))
      #expect(store.state == states[10], "\(steps)")
    }
  }

  @Test("undo and redo go through the same screens in both directions", arguments: UInt64(1)...20)
  func undoes(seed: UInt64) {
    let steps = Self.steps(15, seed: seed)
    let states = Self.states(steps)
    let store = Self.makeStore(History(keepingEvery: 4, records: .all), steps)
    for state in states.dropLast().reversed() {
      store.dispatch(HistoryAction.undo)
      #expect(store.state == state, "\(steps)")
    }
    for state in states.dropFirst() {
      store.dispatch(HistoryAction.redo)
      #expect(store.state == state, "\(steps)")
    }
  }

  @Test("without a skipped action, the screens are those of the other actions", arguments: UInt64(1)...20)
  func skips(seed: UInt64) {
    let steps = Self.steps(12, seed: seed)
    let history = History<App>(keepingEvery: 5, records: .all)
    let store = Self.makeStore(history, steps)
    for (index, entry) in history.record.entries.enumerated() {
      var others = steps
      others.remove(at: index)
      store.dispatch(HistoryAction.skip(entry.id))
      #expect(store.state == Self.states(others).last, "without step \(index) of \(steps)")
      store.dispatch(HistoryAction.unskip(entry.id))
      #expect(store.state == Self.states(steps).last, "\(steps)")
    }
  }

  @Test("an imported history shows the screens of each position", arguments: UInt64(1)...10)
  func imports(seed: UInt64) throws {
    var registry = ActionRegistry()
    registry.register(Navigate<RouteStack<Place>>.self, as: "Navigate")
    registry.register(Navigate<Tabs>.self, as: "NavigateTabs")
    let steps = Self.steps(12, seed: seed)
    let states = Self.states(steps)
    let history = History<App>(records: .all)
    let data = try history.export(from: Self.makeStore(history, steps), with: registry)
    let other = History<App>(records: .all)
    let store = Self.makeStore(other)
    store.dispatch(try other.importing(data, with: registry))
    for position in (0...12).reversed() {
      store.dispatch(HistoryAction.jump(to: position))
      #expect(store.state == states[position], "position \(position) of \(steps)")
    }
  }
}
