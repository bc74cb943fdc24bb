import FluxCore
import FluxMiddleware
import FluxNavigation
import Foundation
import Testing

@Suite("States of screens")
struct ScreenStatesTests {
  private struct Draft: Equatable, Codable, Sendable {
    var text = ""
  }

  private struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var drafts: [ScreenID: Draft] = [:]
    var visits: [ScreenID: Int] = [:]
  }

  private struct Write: Action {
    let screen: ScreenID
    let text: String
  }

  private struct GoHome: Action {}

  private static let routing =
    RouteSlice(at: \App.routes).screenStates(in: \.drafts).screenStates(in: \.visits)

  private static let reducer: MutatingReducer<App> = { state, action in
    switch action {
    case let write as Write: state.drafts[write.screen, default: Draft()].text = write.text
    case is GoHome: state.routes.popToRoot()
    case is Navigate<RouteStack<Place>>: state.visits[state.routes.top.id, default: 0] += 1
    default: break
    }
  }

  private let store = Store(reducer: Self.reducer, plugins: [Self.routing.plugin], state: App())

  private func push(_ route: Place) -> ScreenID {
    store.dispatch(Self.routing.push(route))
    return store.state.routes.top.id
  }

  @Test("the reducer adds the state of a screen in the action that adds the screen")
  func appears() {
    let film = push(.film(7))
    #expect(store.state.visits == [film: 1])
  }

  @Test("two screens with the same route have their own states")
  func own() {
    let (first, second) = (push(.film(7)), push(.film(7)))
    store.dispatch(Write(screen: first, text: "a"))
    store.dispatch(Write(screen: second, text: "b"))
    #expect(store.state.drafts == [first: Draft(text: "a"), second: Draft(text: "b")])
  }

  @Test("the states of a screen leave with the screen")
  func leaves() {
    let film = push(.film(7))
    store.dispatch(Write(screen: film, text: "a"))
    store.dispatch(Self.routing.pop())
    #expect(store.state.drafts == [:])
    #expect(store.state.visits == [store.state.routes.root.id: 1])
  }

  @Test("a later change of a screen that is gone changes nothing")
  func late() {
    let film = push(.film(7))
    store.dispatch(Self.routing.pop())
    let before = store.state
    store.dispatch(Write(screen: film, text: "b"))
    #expect(store.state == before)
  }

  @Test("a screen that is pushed again has no state")
  func again() {
    store.dispatch(Write(screen: push(.film(7)), text: "a"))
    store.dispatch(Self.routing.pop())
    #expect(store.state.drafts[push(.film(7))] == nil)
  }

  @Test("the reducer can read the state of a screen in the action that removes the screen")
  func lastRead() {
    struct Result: FluxState {
      var routes = RouteStack(root: Place.list)
      var drafts: [ScreenID: String] = [:]
      var saved: [String] = []
    }
    let routing = RouteSlice(at: \Result.routes).screenStates(in: \.drafts)
    let store = Store(
      reducer: { (state: inout Result, action) in
        switch action {
        case let write as Write: state.drafts[write.screen] = write.text
        case is Navigate<RouteStack<Place>>: state.saved = state.drafts.values.sorted()
        default: break
        }
      }, plugins: [routing.plugin], state: Result())
    store.dispatch(routing.push(.film(7)))
    store.dispatch(Write(screen: store.state.routes.top.id, text: "a"))
    store.dispatch(routing.pop())
    #expect(store.state.saved == ["a"])
    #expect(store.state.drafts.isEmpty)
  }

  @Test("the states follow a reducer that changes the screens itself")
  func reducerNavigates() {
    let film = push(.film(7))
    store.dispatch(Write(screen: film, text: "a"))
    store.dispatch(GoHome())
    #expect(store.state.drafts == [:] && store.state.visits == [:])
  }

  @Test("undo and redo restore the states of screens")
  func history() {
    let history = History<App>()
    let store = Store(reducer: Self.reducer, plugins: [history.plugin, Self.routing.plugin], state: App())
    store.dispatch(Self.routing.push(.film(7)))
    let film = store.state.routes.top.id
    store.dispatch(Write(screen: film, text: "a"))
    store.dispatch(Self.routing.pop())
    store.dispatch(HistoryAction.undo)
    #expect(store.state.drafts[film] == Draft(text: "a"))
    store.dispatch(HistoryAction.redo)
    #expect(store.state.drafts[film] == nil)
  }

  @Test("a screen does not receive the state of a screen that a history of the screens alone has removed")
  func liftedHistory() {
    let history = History<RouteStack<Place>>()
    let store = Store(
      reducer: Self.reducer, plugins: [lift(history.plugin, to: \.routes), Self.routing.plugin], state: App())
    store.dispatch(Self.routing.push(.film(7)))
    let film = store.state.routes.top.id
    store.dispatch(Write(screen: film, text: "a"))
    // The history also has a step for the second action.
    store.dispatch(HistoryAction.undo)
    store.dispatch(HistoryAction.undo)
    store.dispatch(Self.routing.push(.about))
    #expect(store.state.routes.top.id == film)
    #expect(store.state.drafts.isEmpty)
  }

  @Test("in tabs, the state of a screen in another tab remains")
  func tabs() {
    struct Tabbed: FluxState {
      var tabs = RouteTabs(selected: 0, [0: Place.list, 1: .about])
      var drafts: [ScreenID: String] = [:]
    }
    let routing = RouteSlice(at: \Tabbed.tabs).screenStates(in: \.drafts)
    let store = Store(
      reducer: { (state: inout Tabbed, action) in
        if let write = action as? Write { state.drafts[write.screen] = write.text }
      }, plugins: [routing.plugin], state: Tabbed())
    store.dispatch(routing.push(.film(7)))
    let film = store.state.tabs.stack.top.id
    store.dispatch(Write(screen: film, text: "a"))
    store.dispatch(routing.select(1))
    store.dispatch(routing.popToRoot())
    #expect(store.state.drafts == [film: "a"])
    store.dispatch(routing.change(.stack(.pop, in: 0)))
    #expect(store.state.drafts.isEmpty)
  }

  @Test("a dictionary of states is saved with the numbers of the screens as keys")
  func coding() throws {
    let film = push(.film(7))
    store.dispatch(Write(screen: film, text: "a"))
    let data = try JSONEncoder().encode(store.state.drafts)
    #expect(String(decoding: data, as: UTF8.self) == #"{"1":{"text":"a"}}"#)
    #expect(try JSONDecoder().decode([ScreenID: Draft].self, from: data) == store.state.drafts)
  }

  @Test("a key that is not the number of a screen is not decoded", arguments: ["+1", "01", "-1", "a", ""])
  func badKey(key: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ScreenID: Int].self, from: Data(#"{"\#(key)":1}"#.utf8))
    }
  }
}
