import FluxCore
import FluxMiddleware
import Foundation
import Testing

@testable import FluxNavigation

@Suite("States of screens")
struct ScreenStatesTests {
  private struct Draft: Equatable, Codable, Sendable {
    var text = ""
  }

  private struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var drafts = ScreenStates<Draft>()
    var visits = ScreenStates<Int>()
  }

  private struct Write: Action {
    let screen: ScreenID
    let text: String
  }

  private struct GoHome: Action {}

  private static let routing = RouteSlice(at: \App.routes).keeping(\.drafts) { route in
    if case .film = route { Draft() } else { nil }
  }.keeping(\.visits) { _ in 0 }

  private static let reducer: MutatingReducer<App> = { state, action in
    switch action {
    case let write as Write: state.drafts[write.screen]?.text = write.text
    case is GoHome: state.routes.popToRoot()
    case is Navigate<RouteStack<Place>>: state.visits[state.routes.top.id]? += 1
    default: break
    }
  }

  private let store = Store(
    reducer: Self.reducer, plugins: [Self.routing.plugin], state: Self.routing.prepared(App()))

  private func push(_ route: Place) -> ScreenID {
    store.dispatch(Self.routing.push(route))
    return store.state.routes.top.id
  }

  @Test("a screen has its initial state when it appears, before the reducer receives the action")
  func appears() {
    let film = push(.film(7))
    #expect(store.state.drafts[film] == Draft())
    #expect(store.state.visits[film] == 1)
    let about = push(.about)
    #expect(store.state.drafts[about] == nil)
  }

  @Test("a prepared state has the states of the first screens")
  func prepared() {
    let root = store.state.routes.root.id
    #expect(store.state.visits[root] == 0)
    #expect(store.state.visits.screens == [root])
  }

  @Test("two screens with the same route have their own states")
  func own() {
    let (first, second) = (push(.film(7)), push(.film(7)))
    store.dispatch(Write(screen: first, text: "a"))
    store.dispatch(Write(screen: second, text: "b"))
    #expect(store.state.drafts[first] == Draft(text: "a"))
    #expect(store.state.drafts[second] == Draft(text: "b"))
  }

  @Test("the state of a screen leaves with the screen, and a later change has no effect")
  func leaves() {
    let film = push(.film(7))
    store.dispatch(Write(screen: film, text: "a"))
    store.dispatch(Self.routing.pop())
    let before = store.state
    #expect(before.drafts[film] == nil)
    store.dispatch(Write(screen: film, text: "b"))
    #expect(store.state == before)
    let next = push(.film(7))
    #expect(store.state.drafts[next] == Draft())
  }

  @Test("the states follow a reducer that changes the screens itself")
  func reducerNavigates() {
    let film = push(.film(7))
    store.dispatch(GoHome())
    #expect(store.state.drafts[film] == nil)
    #expect(store.state.visits.screens == [store.state.routes.root.id])
  }

  @Test("a state is changed in place, and can be removed, but not added")
  func modify() {
    var states = ScreenStates<[Int]>()
    let entries = [RouteEntry(Place.list, id: ScreenID(3))]
    states.update(to: entries) { _ in [1] }
    states[ScreenID(3)]?.append(2)
    states[ScreenID(4)] = [5]
    #expect(states[ScreenID(3)] == [1, 2] && states[ScreenID(4)] == nil)
    states[ScreenID(3)] = nil
    #expect(states.screens == [])
  }

  @Test("undo and redo restore the states of screens")
  func history() {
    let history = History<App>()
    let store = Store(
      reducer: Self.reducer, plugins: [history.plugin, Self.routing.plugin],
      state: Self.routing.prepared(App())
    )
    store.dispatch(Self.routing.push(.film(7)))
    let film = store.state.routes.top.id
    store.dispatch(Write(screen: film, text: "a"))
    store.dispatch(Self.routing.pop())
    store.dispatch(HistoryAction.undo)
    #expect(store.state.drafts[film] == Draft(text: "a"))
    store.dispatch(HistoryAction.redo)
    #expect(store.state.drafts[film] == nil)
  }

  @Test("the states are saved with the identities of their screens")
  func coding() throws {
    let film = push(.film(7))
    store.dispatch(Write(screen: film, text: "a"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(store.state.drafts)
    #expect(String(decoding: data, as: UTF8.self) == #"[{"screen":1,"state":{"text":"a"}}]"#)
    #expect(try JSONDecoder().decode(ScreenStates<Draft>.self, from: data) == store.state.drafts)
  }

  @Test("a prepared state removes saved states of screens that are not saved")
  func preparedAfterRestore() throws {
    var app = App()
    app.drafts = try JSONDecoder().decode(
      ScreenStates<Draft>.self, from: Data(#"[{"screen":9,"state":{"text":"a"}}]"#.utf8))
    #expect(Self.routing.prepared(app).drafts.screens == [])
  }
}
