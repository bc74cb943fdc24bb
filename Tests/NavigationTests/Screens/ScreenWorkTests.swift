import FluxAsync
import FluxCore
import FluxMiddleware
import FluxNavigation
import TestSupport
import Testing

/// The work of screens, which ends with its screen.
@Suite("Work of screens", .unlessItHangs)
struct ScreenWorkTests {
  struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var texts: [String] = []
    var isLoading = false
  }

  struct Arrived: Action {
    let text: String
  }

  /// A task that waits, and then dispatches.
  struct Load: TaskAction {
    let begun: EventLog<Void>
    let gate: EventLog<Void>
    let ended: EventLog<Bool>

    func execute(in context: TaskContext<App>) async throws {
      begun.record(())
      await gate.count(atLeast: 1)
      context.dispatch(Arrived(text: "task"))
      ended.record(Task.isCancelled)
    }
  }

  struct Fetch: AsyncRequest {
    let gate: EventLog<Void>

    func perform(in context: RequestContext<App>) async throws -> String {
      await gate.count(atLeast: 1)
      return "request"
    }
  }

  static let routing = RouteSlice(at: \App.routes)

  static let reducer: MutatingReducer<App> = { state, action in
    switch action {
    case let arrived as Arrived: state.texts.append(arrived.text)
    case is Fetch.Pending: state.isLoading = true
    case let done as Fetch.Fulfilled: (state.isLoading, state.texts) = (false, state.texts + [done.value])
    case is Fetch.Rejected: state.isLoading = false
    default: break
    }
  }

  let dropped = Recorder<String>()
  let gate = EventLog<Void>()
  let begun = EventLog<Void>()
  let ended = EventLog<Bool>()

  var load: Load { Load(begun: begun, gate: gate, ended: ended) }

  func makeStore(
    middleware: [Middleware<App>] = [], plugins: [Plugin<App>] = []
  ) -> Store<App> {
    let screens = Self.routing.screens(evenInRelease: true) { [dropped] in dropped.record("\($0)") }
    return Store(
      reducer: Self.reducer, middleware: middleware, plugins: [screens] + plugins + [Self.routing.plugin],
      state: App())
  }

  /// Pushes a screen, and returns a proxy for it.
  func push(_ route: Place, in store: Store<App>) throws -> StoreProxy<App> {
    store.dispatch(Self.routing.push(route))
    return try #require(store.screen(store.state.routes.top.id, of: Self.routing))
  }

  @Test("the actions of a screen, and their work, change the state while the screen exists")
  func exists() async throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    screen.dispatch(Arrived(text: "action"))
    let loading = screen.dispatchAsync(load)
    gate.record(())
    await loading.finished()
    #expect(store.state.texts == ["action", "task"])
    #expect(ended.values == [false])
    #expect(dropped.values.isEmpty)
  }

  @Test("work of a screen is canceled when the screen is gone, and what it dispatches later changes nothing")
  func cancelled() async throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    screen.dispatch(load)
    await begun.count(atLeast: 1)
    store.dispatch(Self.routing.pop())
    #expect(store.effects.count == 1)
    gate.record(())
    await ended.count(atLeast: 1)
    await store.effects.finished()
    #expect(ended.values == [true])
    #expect(store.state.texts.isEmpty)
  }

  @Test("an action that a screen dispatches after it is gone is dropped and reported")
  func late() throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    store.dispatch(Self.routing.pop())
    let version = store.state
    screen.dispatch(Arrived(text: "late"))
    #expect(store.state == version)
    #expect(dropped.values == ["Arrived was dropped because the screen film(7) (#1) is gone."])
  }

  @Test("by default, a debug build writes a dropped action to standard error, and a release build does not")
  func defaultReport() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let store = Store(
        reducer: Self.reducer, plugins: [Self.routing.screens(), Self.routing.plugin], state: App())
      store.dispatch(Self.routing.push(.film(7)))
      let screen = store.screen(store.state.routes.top.id, of: Self.routing)
      store.dispatch(Self.routing.pop())
      screen?.dispatch(Arrived(text: "late"))
    }
    let written = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let isReported = written.contains("Arrived was dropped because the screen film(7) (#1) is gone.")
    #if DEBUG
      #expect(isReported)
    #else
      #expect(!isReported)
    #endif
  }

  @Test("an action of a screen that is removed before the action is reduced is dropped and reported")
  func removedMeanwhile() throws {
    // The middleware stands for another thread that removes the screen.
    let popping: Middleware<App> = { dispatch, _ in
      { next in
        { action in
          if action is Arrived { dispatch(Self.routing.pop()) }
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [popping])
    let screen = try push(.film(7), in: store)
    screen.dispatch(Arrived(text: "late"))
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values == ["Arrived was dropped because the screen film(7) (#1) is gone."])
  }

  @Test("work of the other screens continues")
  func others() async throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    screen.dispatch(load)
    await begun.count(atLeast: 1)
    store.dispatch(Self.routing.push(.film(8)))
    store.dispatch(Self.routing.pop())
    gate.record(())
    await store.effects.finished()
    #expect(store.state.texts == ["task"])
  }

  @Test("a request of a screen that is gone is aborted, and its end is reduced")
  func request() async throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    screen.dispatch(Fetch(gate: gate))
    #expect(store.state.isLoading)
    store.dispatch(Self.routing.pop())
    #expect(!store.state.isLoading)
    gate.record(())
    await store.effects.finished()
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values.isEmpty)
  }

  @Test(
    "each removal ends the work of a screen",
    arguments: [.popToRoot, .replaceTop(.about), .setPath([.film(8)]), .setPath([])] as [RouteChange<Place>])
  func removals(change: RouteChange<Place>) throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    screen.dispatch(load)
    store.dispatch(Self.routing.change(change))
    screen.dispatch(Arrived(text: "late"))
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values.count == 1)
    gate.record(())
  }

  @Test("the dismissal of a sheet ends the work of all its screens")
  func sheet() throws {
    let store = makeStore()
    store.dispatch(Self.routing.present(.search("", page: 1)))
    let sheet = try #require(store.screen(store.state.routes.top.id, of: Self.routing))
    let film = try push(.film(7), in: store)
    store.dispatch(Self.routing.dismiss(store.state.routes.modals[0].id))
    for screen in [sheet, film] { screen.dispatch(Arrived(text: "late")) }
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values.count == 2)
  }

  @Test(
    "an undo ends the work of the removed screen, and a new screen with the same identity has its own work")
  func undo() throws {
    let history = History<App>()
    let store = makeStore(plugins: [history.plugin])
    let old = try push(.film(7), in: store)
    let id = store.state.routes.top.id
    store.dispatch(HistoryAction.undo)
    let new = try push(.film(7), in: store)
    #expect(store.state.routes.top.id == id)
    old.dispatch(Arrived(text: "old"))
    new.dispatch(Arrived(text: "new"))
    #expect(store.state.texts == ["new"])
  }

  @Test("a screen that returns by a redo has new work")
  func redo() throws {
    let history = History<App>()
    let store = makeStore(plugins: [history.plugin])
    let old = try push(.film(7), in: store)
    let id = store.state.routes.top.id
    store.dispatch(HistoryAction.undo)
    #expect(store.screen(id, of: Self.routing) == nil)
    store.dispatch(HistoryAction.redo)
    let new = try #require(store.screen(id, of: Self.routing))
    old.dispatch(Arrived(text: "old"))
    new.dispatch(Arrived(text: "new"))
    #expect(store.state.texts == ["new"])
  }

  @Test("in tabs, a change of the selected tab does not end the work of a screen")
  func tabs() throws {
    struct Tabbed: FluxState {
      var tabs = RouteTabsTests.make()
      var texts: [String] = []
    }
    let tabs = RouteSlice(at: \Tabbed.tabs)
    let store = Store(
      reducer: { (state: inout Tabbed, action) in
        if let arrived = action as? Arrived { state.texts.append(arrived.text) }
      }, plugins: [tabs.screens { _ in }, tabs.plugin], state: Tabbed())
    store.dispatch(tabs.push(.film(7)))
    let screen = try #require(store.screen(store.state.tabs.stack.top.id, of: tabs))
    store.dispatch(tabs.select(.more))
    screen.dispatch(Arrived(text: "a"))
    store.dispatch(tabs.change(.stack(.pop, in: .films)))
    screen.dispatch(Arrived(text: "b"))
    #expect(store.state.texts == ["a"])
  }

  @Test("a wait for the work of a screen ends when the screen is gone")
  func waiting() async throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    let loading = screen.dispatchAsync(load)
    await begun.count(atLeast: 1)
    store.dispatch(Self.routing.pop())
    #expect(loading.isCancelled)
    gate.record(())
    await loading.finished()
    #expect(store.state.texts.isEmpty)
  }

  @Test("a screen that does not exist has no proxy, and after the end of the store no screen has one")
  func unknown() {
    var store: Store<App>? = makeStore()
    let proxy = store!.proxy
    let root = store!.state.routes.root.id
    store!.dispatch(Self.routing.push(.film(7)))
    let film = store!.state.routes.top.id
    store!.dispatch(Self.routing.pop())
    #expect(store!.screen(film, of: Self.routing) == nil)
    #expect(store!.screen(root, of: Self.routing) != nil)
    store = nil
    #expect(proxy.screen(root, of: Self.routing) == nil)
  }

  // MARK: Misuse

  @Test("a screen of a store without the plug-in for screens stops the program")
  func missingPlugin() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(reducer: Self.reducer, plugins: [Self.routing.plugin], state: App())
      _ = store.screen(store.state.routes.root.id, of: Self.routing)
    }
    expect(result, says: "Add routing.screens() to the plug-ins of the store")
  }

  @Test("one plug-in for screens in two stores stops the program")
  func sharedPlugin() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let screens = Self.routing.screens()
      let first = Store(reducer: Self.reducer, plugins: [screens], state: App())
      let second = Store(reducer: Self.reducer, plugins: [screens], state: App())
      withExtendedLifetime((first, second)) {}
    }
    expect(result, says: "Call routing.screens() once for each store")
  }

  @Test("the plug-in for screens after the plug-in that reduces stops the program")
  func latePlugin() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(
        reducer: Self.reducer, plugins: [Self.routing.plugin, Self.routing.screens()], state: App())
      withExtendedLifetime(store) {}
    }
    expect(result, says: "Add routing.screens() before routing.plugin")
  }
}
