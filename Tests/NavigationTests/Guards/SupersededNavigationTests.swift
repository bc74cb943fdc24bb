import FluxAsync
import FluxCore
import FluxMiddleware
import FluxNavigation
import FluxUI
import TestSupport
import Testing

@Suite("Changes while a navigation waits for a guard", .unlessItHangs)
struct SupersededNavigationTests {
  struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var isLoggedIn = true
  }

  struct LogOut: Action {}
  struct Rename: Action {}

  static let routing = RouteSlice(at: \App.routes)

  static let reducer: MutatingReducer<App> = { state, action in
    guard action is LogOut else { return }
    state.isLoggedIn = false
    state.routes.reset(root: .list)
  }

  private let answers = EventLog<Void>()
  private let history = History<App>()

  /// Creates a store whose guard waits for an answer before it allows the screen `about`.
  ///
  /// - Parameter meanwhile: A closure that the guard calls before it decides to wait.
  private func makeStore(meanwhile: @escaping @Sendable () -> Void = {}) -> Store<App> {
    let guards = Self.routing.guards { [answers] navigation, _ in
      guard navigation.entering.contains(where: { $0.route == .about }) else { return .allow }
      meanwhile()
      return .wait { _ in
        await answers.count(atLeast: 1)
        return .allow
      }
    }
    return Store(
      reducer: Self.reducer, plugins: [guards, history.plugin, Self.routing.plugin], state: App())
  }

  private func places(of store: Store<App>) -> [Place] { store.state.routes.entries.map(\.route) }

  @MainActor @Test("the button of an alert leads to a guarded screen before the view closes the alert")
  func alert() async {
    let store = makeStore()
    store.dispatch(Self.routing.present(.film(1), as: .alert))
    let isPresented = ActionBinder(ActionDispatcher(store)).isPresented(
      .alert, of: store.state.routes, in: Self.routing)
    let pending = store.dispatchAsync(Self.routing.push(.about))
    isPresented.wrappedValue = false
    #expect(places(of: store) == [.list])
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list, .about])
  }

  @MainActor @Test("a late report of a view that has no effect does not drop the navigation")
  func lateReport() async {
    let store = makeStore()
    store.dispatch(Self.routing.present(.film(1)))
    let sheet = ActionBinder(ActionDispatcher(store)).modal(.sheet, of: store.state.routes, in: Self.routing)
    store.dispatch(Self.routing.dismiss())
    let pending = store.dispatchAsync(Self.routing.push(.about))
    sheet.wrappedValue = nil
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list, .about])
  }

  @Test("the dismissal of a sheet drops the navigation")
  func sheet() async {
    let store = makeStore()
    store.dispatch(Self.routing.present(.film(1)))
    let pending = store.dispatchAsync(Self.routing.push(.about))
    store.dispatch(Self.routing.dismiss())
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list])
  }

  @Test("a guard does not receive the dismissal of an alert, and actions without effect")
  func received() {
    let received = Recorder<RouteChange<Place>>()
    let guards = Self.routing.guards { navigation, _ in
      received.record(navigation.change)
      return .allow
    }
    let store = Store(reducer: Self.reducer, plugins: [guards, Self.routing.plugin], state: App())
    store.dispatch(Self.routing.present(.film(1), as: .alert))
    store.dispatch(Self.routing.dismiss())
    store.dispatch(Self.routing.dismiss())
    store.dispatch(Self.routing.present(.film(2)))
    store.dispatch(Self.routing.dismiss())
    #expect(
      received.values == [.present(.film(1), as: .alert), .present(.film(2), as: .sheet), .dismiss(nil)])
    #expect(places(of: store) == [.list])
  }

  @Test("a reducer that resets the screens drops the navigation")
  func reset() async {
    let store = makeStore()
    store.dispatch(Self.routing.push(.film(7)))
    let pending = store.dispatchAsync(Self.routing.push(.about))
    store.dispatch(LogOut())
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list])
    #expect(!store.state.isLoggedIn)
  }

  @Test("a reducer that resets the screens while the guard decides drops the navigation")
  func resetMeanwhile() async {
    let running = Shared<Store<App>?>(nil)
    let store = makeStore { running.value?.dispatch(LogOut()) }
    store.dispatch(Self.routing.push(.film(7)))
    _ = running.exchange(store)
    let pending = store.dispatchAsync(Self.routing.push(.about))
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list])
    _ = running.exchange(nil)
  }

  @Test("an undo that changes the screens drops the navigation")
  func undo() async {
    let store = makeStore()
    store.dispatch(Self.routing.push(.film(7)))
    let pending = store.dispatchAsync(Self.routing.push(.about))
    store.dispatch(HistoryAction.undo)
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list])
    #expect(history.canRedo)
  }

  @Test("an action that leaves the screens unchanged does not drop the navigation")
  func unrelated() async {
    let store = makeStore()
    let pending = store.dispatchAsync(Self.routing.push(.about))
    store.dispatch(Rename())
    answers.record(())
    await pending.finished()
    #expect(places(of: store) == [.list, .about])
  }

  @Test("the task of a guard whose navigation was dropped by a reducer is canceled")
  func cancelled() async {
    let ended = EventLog<Bool>()
    let guards = Self.routing.guards { navigation, _ in
      .wait { [answers] _ in
        await answers.count(atLeast: 1)
        while !Task.isCancelled { await Task.yield() }
        ended.record(true)
        return .allow
      }
    }
    let store = Store(
      reducer: { (state: inout App, action: any Action) in
        if action is LogOut { state.routes.push(.film(1)) }
      }, plugins: [guards, Self.routing.plugin], state: App())
    let pending = store.dispatchAsync(Self.routing.push(.about))
    store.dispatch(LogOut())
    answers.record(())
    await pending.finished()
    #expect(ended.values == [true])
  }
}
