import FluxAsync
import FluxCore
import FluxMiddleware
import FluxNavigation
import FluxTesting
import TestSupport
import Testing

// The orders in which actions of a screen meet the removal of the screen.
extension ScreenWorkTests {
  @Test("an action that an observer dispatches while a screen removes itself is reduced")
  func observer() throws {
    let store = makeStore()
    let screen = try push(.film(7), in: store)
    let token = store.subscribe { state in
      if state.routes.path.isEmpty, state.texts.isEmpty { store.dispatch(Arrived(text: "observer")) }
    }
    screen.dispatch(Self.routing.pop())
    #expect(store.state.texts == ["observer"])
    #expect(dropped.values.isEmpty)
    withExtendedLifetime(token) {}
  }

  /// Removes all screens when an action arrives, as another thread could do at this moment.
  static func removingScreens<Removed: Action>(before: Removed.Type) -> Middleware<App> {
    { dispatch, _ in
      { next in
        { action in
          if action is Removed { dispatch(Self.routing.popToRoot()) }
          next(action)
        }
      }
    }
  }

  @Test("work does not start if the screen is removed before the action is reduced")
  func removedBeforeWork() async throws {
    let store = makeStore(middleware: [Self.removingScreens(before: Load.self)])
    let screen = try push(.film(7), in: store)
    screen.dispatch(load)
    gate.record(())
    await store.effects.finished()
    #expect(begun.values.isEmpty)
  }

  @Test("an action that work of a screen dispatches is not reduced after the screen is removed meanwhile")
  func removedDuringWork() async throws {
    let store = makeStore(middleware: [Self.removingScreens(before: Arrived.self)])
    let screen = try push(.film(7), in: store)
    screen.dispatch(load)
    gate.record(())
    await store.effects.finished()
    #expect(ended.values == [true])
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values.isEmpty)
  }

  @Test("an action of the app that a middleware dispatches for a screen that is gone is reduced")
  func middlewareDispatches() throws {
    let removing: Middleware<App> = { dispatch, _ in
      { next in
        { action in
          if action is Arrived, (action as? Arrived)?.text == "screen" {
            dispatch(Self.routing.popToRoot())
            dispatch(Arrived(text: "app"))
          }
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [removing])
    let screen = try push(.film(7), in: store)
    screen.dispatch(Arrived(text: "screen"))
    #expect(store.state.texts == ["app"])
    #expect(dropped.values.count == 1)
  }

  @Test("work is also canceled if a middleware passes the action that removes the screen on later")
  func passedOnLater() async throws {
    let later = EventLog<Void>()
    let delaying: Middleware<App> = { _, _ in
      { next in
        { action in
          guard "\(action)".contains("pop") else { return next(action) }
          Task {
            await later.count(atLeast: 1)
            next(action)
          }
        }
      }
    }
    let store = makeStore(middleware: [delaying])
    let screen = try push(.film(7), in: store)
    let loading = screen.dispatchAsync(load)
    await begun.count(atLeast: 1)
    store.dispatch(Self.routing.pop())
    #expect(!loading.isCancelled)
    later.record(())
    // The operation ends only when its task is canceled.
    await loading.finished()
    #expect(loading.isCancelled)
  }

  @Test("a deferred action of a screen that is gone when the action is reduced is dropped and reported")
  func deferred() async throws {
    let store = makeStore(plugins: [.deferredToMain])
    await store.dispatchAsync(Self.routing.push(.film(7))).finished()
    let screen = try #require(store.screen(store.state.routes.top.id, of: Self.routing))
    // The main actor is busy until both actions are in its queue.
    let (popping, late) = await MainActor.run {
      (store.dispatchAsync(Self.routing.pop()), screen.dispatchAsync(Arrived(text: "late")))
    }
    await popping.finished()
    await late.finished()
    await store.dispatchAsync(Arrived(text: "app")).finished()
    #expect(store.state.texts == ["app"])
    #expect(dropped.values.count == 1)
  }

  @Test("back removes a screen with its work, and forward shows it again with new work")
  func backAndForward() throws {
    struct Recorded: FluxState {
      var routes = RouteStack(root: Place.list, keepingPlaces: 5)
      var texts: [String] = []
    }
    let routing = RouteSlice(at: \Recorded.routes)
    let store = Store(
      reducer: { (state: inout Recorded, action) in
        if let arrived = action as? Arrived { state.texts.append(arrived.text) }
      }, plugins: [routing.screens { _ in }, routing.plugin], state: Recorded())
    store.dispatch(routing.push(.film(7)))
    let id = store.state.routes.top.id
    let old = try #require(store.screen(id, of: routing))
    store.dispatch(routing.back())
    store.dispatch(routing.forward())
    let new = try #require(store.screen(id, of: routing))
    old.dispatch(Arrived(text: "old"))
    new.dispatch(Arrived(text: "new"))
    #expect(store.state.texts == ["new"])
  }

  @Test("a screen with the identity but not the route of an earlier screen is another screen")
  func otherRoute() throws {
    struct Reset: Action {}
    let store = Store(
      reducer: { (state: inout App, action) in
        if action is Reset { state.routes = RouteStack(root: .about) }
        Self.reducer(&state, action)
      }, plugins: [Self.routing.screens { _ in }, Self.routing.plugin], state: App())
    let id = store.state.routes.root.id
    let old = try #require(store.screen(id, of: Self.routing))
    store.dispatch(Reset())
    #expect(store.state.routes.root.id == id)
    old.dispatch(Arrived(text: "old"))
    store.screen(id, of: Self.routing)?.dispatch(Arrived(text: "new"))
    #expect(store.state.texts == ["new"])
  }

  @Test("canceled work dispatches nothing through the proxy of a screen that exists")
  func proxyOfCanceledWork() async throws {
    let store = makeStore()
    let root = store.state.routes.root.id
    let plan = ActionPlan<App> { [begun, gate] store async in
      begun.record(())
      await gate.count(atLeast: 1)
      store.screen(root, of: Self.routing)?.dispatch(Arrived(text: "forwarded"))
    }
    let first = store.dispatchAsync(plan)
    await begun.count(atLeast: 1)
    first.cancel()
    gate.record(())
    await first.finished()
    #expect(store.state.texts.isEmpty)
    await store.dispatchAsync(plan).finished()
    #expect(store.state.texts == ["forwarded"])
  }

  @Test("an action of work that is canceled on its way to the reducer is not reduced for its screen")
  func canceledOnTheWay() async throws {
    let running = Shared<DispatchTask?>(nil)
    let canceling: Middleware<App> = { _, _ in
      { next in
        { action in
          if action is Arrived { running.value?.cancel() }
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [canceling])
    let root = store.state.routes.root.id
    let work = store.dispatchAsync(
      ActionPlan<App> { [gate] store async in
        await gate.count(atLeast: 1)
        store.screen(root, of: Self.routing)?.dispatch(Arrived(text: "forwarded"))
      })
    _ = running.exchange(work)
    gate.record(())
    await work.finished()
    #expect(store.state.texts.isEmpty)
  }

  @Test("an action that other work dispatches for a screen is dropped if the screen is removed meanwhile")
  func otherWork() async throws {
    let store = makeStore(middleware: [Self.removingScreens(before: Arrived.self)])
    store.dispatch(Self.routing.push(.film(7)))
    let film = store.state.routes.top.id
    let plan = ActionPlan<App> { store async in
      store.screen(film, of: Self.routing)?.dispatch(Arrived(text: "forwarded"))
    }
    await store.dispatchAsync(plan).finished()
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values.count == 1)
  }

  @Test("an action that a screen dispatches after the end of the store is not reported")
  func afterStore() throws {
    var store: Store<App>? = makeStore()
    let screen = try push(.film(7), in: store!)
    store = nil
    screen.dispatch(Arrived(text: "late"))
    #expect(dropped.values.isEmpty)
  }

  @Test("a dropped action is no transition, so no listener and no plug-in receives it")
  func dropsTransition() throws {
    let seen = Recorder<String>()
    let observing = Plugin<App>(onTransition: .actions { action, _ in seen.record("\(type(of: action))") })
    let store = makeStore(
      middleware: [Self.removingScreens(before: Arrived.self)], plugins: [observing])
    let screen = try push(.film(7), in: store)
    _ = seen.takeAll()
    screen.dispatch(Arrived(text: "late"))
    #expect(seen.values == ["Navigate<RouteStack<Place>>"])
  }

  @Test("a lifted plug-in for screens also drops the action for the rest of the state")
  func lifted() throws {
    struct Whole: FluxState {
      var app = App()
      var texts: [String] = []
    }
    let dropped = Recorder<String>()
    let removing: Middleware<Whole> = { dispatch, _ in
      { next in
        { action in
          if action is Arrived { dispatch(Self.routing.popToRoot()) }
          next(action)
        }
      }
    }
    let store = Store(
      reducer: { (state: inout Whole, action) in
        if let arrived = action as? Arrived { state.texts.append(arrived.text) }
      }, middleware: [removing],
      plugins: [
        lift(Self.routing.screens(evenInRelease: true) { dropped.record("\($0)") }, to: \.app),
        lift(Self.routing.plugin, to: \.app),
      ], state: Whole())
    store.dispatch(Self.routing.push(.film(7)))
    let screen = try #require(
      store.proxy(for: \.app).screen(store.state.app.routes.top.id, of: Self.routing))
    screen.dispatch(Arrived(text: "late"))
    #expect(store.state.texts.isEmpty)
    #expect(dropped.values.count == 1)
  }

  @Test("an action of the app is reduced, even if work of a screen that is gone passes it on")
  func passedOnByTask() async throws {
    let held = Shared<(@Sendable () -> Void)?>(nil)
    let holding: Middleware<App> = { _, _ in
      { next in
        { action in
          guard (action as? Arrived)?.text == "app" else { return next(action) }
          _ = held.exchange { next(action) }
        }
      }
    }
    let store = makeStore(middleware: [holding])
    let screen = try push(.film(7), in: store)
    store.dispatch(Arrived(text: "app"))
    let plan = ActionPlan<App> { [begun, gate] _ async in
      begun.record(())
      await gate.count(atLeast: 1)
      held.value?()
    }
    let work = screen.dispatchAsync(plan)
    await begun.count(atLeast: 1)
    store.dispatch(Self.routing.pop())
    gate.record(())
    await work.finished()
    #expect(store.state.texts == ["app"])
  }

  @Test("a debounced action of a screen that is gone is dropped, and an action of the app is not")
  func debounced() async throws {
    let clock = ManualClock()
    let reported = EventLog<Void>()
    let store = Store(
      reducer: Self.reducer,
      middleware: [debounceActions(of: Arrived.self, for: .seconds(1), clock: clock)],
      plugins: [Self.routing.screens(evenInRelease: true) { _ in reported.record(()) }, Self.routing.plugin],
      state: App())
    let arrived = EventLog<[String]>()
    let token = store.subscribe(to: \.texts, initial: false) { arrived.record($1) }
    let screen = try push(.film(7), in: store)
    screen.dispatch(Arrived(text: "screen"))
    store.dispatch(Self.routing.pop())
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await reported.count(atLeast: 1)
    let other = try push(.film(8), in: store)
    other.dispatch(Arrived(text: "screen"))
    store.dispatch(Arrived(text: "app"))
    store.dispatch(Self.routing.pop())
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await arrived.count(atLeast: 1)
    #expect(arrived.values == [["app"]])
    withExtendedLifetime(token) {}
  }

  @Test("work that other work starts for a screen ends with the screen")
  func workOfOtherWork() async throws {
    let store = makeStore()
    store.dispatch(Self.routing.push(.film(7)))
    let film = store.state.routes.top.id
    let isDone = Shared(false)
    let plan = ActionPlan<App> { [load] store async in
      await store.screen(film, of: Self.routing)?.dispatchAsync(load).finished()
      isDone.change { $0 = true }
    }
    let waiting = store.dispatchAsync(plan)
    await begun.count(atLeast: 1)
    #expect(!isDone.value)
    store.dispatch(Self.routing.pop())
    gate.record(())
    await waiting.finished()
    #expect(ended.values == [true])
    #expect(store.state.texts.isEmpty)
  }

  @Test("two threads: after the pop has returned, no action of the screen is reduced")
  func threads() throws {
    let store = makeStore()
    for _ in 0..<200 {
      let screen = try push(.film(7), in: store)
      let count = Shared(0)
      onThreads(2) { thread in
        if thread == 0 {
          for _ in 0..<20 { screen.dispatch(Arrived(text: "a")) }
        } else {
          store.dispatch(Self.routing.pop())
          count.change { $0 = store.state.texts.count }
        }
      }
      #expect(store.state.texts.count == count.value)
    }
  }
}
