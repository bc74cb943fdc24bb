import FluxAsync
import FluxCore
import FluxUI
import TestSupport
import Testing

private struct Theme: FluxState, Equatable {
  var title = "theme"
}

extension Theme: HasTitle {}

@MainActor
@Suite struct ProvidedStoresTests {
  @Test("a view receives the store of exactly its type that was provided last")
  func byType() {
    let outer = makeStore(state: Notebook(title: "outer"))
    let inner = makeStore(state: Notebook(title: "inner"))
    let theme = Store<Theme>(reducer: { state, _ in state }, state: Theme())
    let stores = ProvidedStores().providing(outer).providing(inner).providing(theme)
    #expect(stores.store(of: Notebook.self).state?.title == "inner")
    #expect(stores.store(of: Theme.self).state == Theme())
    #expect("\(stores)" == "[Theme, Notebook, Notebook]")
  }

  @Test("a view that requires a protocol receives the last store whose state conforms to it")
  func byProtocol() {
    let book = makeStore(state: Notebook(title: "book"))
    let theme = Store<Theme>(reducer: { state, _ in state }, state: Theme())
    let counts = book.proxy(for: \.count)
    let stores = ProvidedStores().providing(theme).providing(book).providing(counts)
    #expect(stores.store(of: (any HasTitle).self).state?.title == "book")
    #expect(stores.providing(theme).store(of: (any HasTitle).self).state?.title == "theme")
  }

  @Test(
    "a store of exactly the required type has precedence over a conforming one that is provided later")
  func exactlyFirst() {
    let book = makeStore(state: Notebook(title: "book"))
    let theme = Store<Theme>(reducer: { state, _ in state }, state: Theme())
    let stores = ProvidedStores().providing(book.proxy(for: { $0 as any HasTitle })).providing(theme)
    #expect(stores.store(of: (any HasTitle).self).state?.title == "book")
  }

  @Test("the dispatcher sends to the store that was provided last")
  func dispatcher() {
    let outer = makeStore()
    let inner = makeStore()
    ProvidedStores().providing(outer).providing(inner).dispatcher(Increment())
    #expect([outer.state.count, inner.state.count] == [0, 1])
  }

  @Test("the environment keeps no store alive")
  func lifetime() {
    var store: Store<Notebook>? = makeStore()
    let released = WeakReference(store)
    let stores = store.map { ProvidedStores().providing($0) }
    store = nil
    #expect(released.object == nil)
    #expect(stores?.store(of: Notebook.self).state == nil)
  }

  @Test("a closure receives the actions of views, and may change or drop them, the innermost closure first")
  func onAction() {
    let store = makeStore()
    let heard = Recorder<String>()
    let outer = ProvidedStores().providing(store).onAction { action in
      heard.record("outer \(action)")
      return action
    }
    let inner = outer.onAction { action in
      heard.record("inner \(action)")
      if action is Nothing { return nil }
      return (action as? SetTitle).map { SetTitle(title: $0.title.uppercased()) } ?? action
    }
    inner.dispatcher(SetTitle(title: "a"))
    inner.dispatcher.dispatchAsync(Nothing())
    inner.dispatcher.function(Increment())
    outer.dispatcher(Nothing())
    store.dispatch(Increment())
    #expect(
      heard.values == [
        #"inner SetTitle(title: "a")"#, #"outer SetTitle(title: "A")"#, "inner Nothing()",
        "inner Increment(amount: 1)", "outer Increment(amount: 1)", "outer Nothing()",
      ])
    #expect(store.state == Notebook(title: "A", count: 2))
  }

  @Test(
    "actions of other threads pass through the closures on the main actor, in order",
    .unlessItHangs)
  func onActionOfOtherThreads() async {
    let reduced = EventLog<String>()
    let store = makeStore(plugins: [
      Plugin(onTransition: .actions { action, _ in reduced.record("\(action)") })
    ])
    let stores = ProvidedStores().providing(store)
      .onAction { action in
        MainActor.preconditionIsolated()
        return action is Nothing ? nil : action
      }
      .onAction { action in
        MainActor.preconditionIsolated()
        return (action as? SetTitle).map { SetTitle(title: $0.title.uppercased()) } ?? action
      }
    let (function, proxy) = (stores.dispatcher.function, stores.store(of: Notebook.self))
    onAnotherThread {
      function(SetTitle(title: "a"))
      proxy.dispatch(SetTitle(title: "b"))
      function(Nothing())
      proxy.dispatch(Increment())
    }
    #expect(reduced.values == [])
    await reduced.count(atLeast: 3)
    #expect(
      reduced.values == [
        #"SetTitle(title: "A")"#, #"SetTitle(title: "B")"#, "Increment(amount: 1)",
      ])
  }

  @Test("work that a proxy dispatches through a closure is awaited and canceled", .unlessItHangs)
  func onActionOfWork() async {
    let events = EventLog<String>()
    let store = makeStore()
    let stores = ProvidedStores().providing(store).onAction { $0 }
    let proxy = stores.store(of: Notebook.self)
    let task = dispatchElsewhere(
      proxy,
      ActionPlan<Notebook> { _ async in
        events.record("begins")
        let never = AsyncStream<Void> { _ in }
        for await _ in never {}
        events.record("ends, canceled: \(Task.isCancelled)")
      })
    #expect(task?.isRunning == true, "the closure has not run yet")
    await events.count(atLeast: 1)
    task?.cancel()
    await task?.finished()
    #expect(events.values == ["begins", "ends, canceled: true"])
    await dispatchElsewhere(proxy, Increment())?.finished()
    #expect(store.state.count == 1)
  }

  /// Dispatches on another thread while the main actor waits.
  private func dispatchElsewhere(_ proxy: StoreProxy<Notebook>, _ action: any Action) -> DispatchTask? {
    let task = Shared<DispatchTask?>(nil)
    onAnotherThread { task.value = proxy.dispatchAsync(action) }
    return task.value
  }

  @Test("a store of the state is unwrapped if it exists, and its actions pass through the closures")
  func unwrapping() {
    let store = makeStore(state: Notebook(title: "a"))
    let stores = ProvidedStores().providing(store).onAction { _ in Increment() }
    #expect(ProvidedStores().unwrap(as: Notebook.self)?.state == nil)
    #expect(stores.unwrap(as: LoginForm.self)?.state == nil)
    #expect(stores.unwrap(as: (any HasTitle).self)?.state?.title == "a")
    stores.unwrap(as: Notebook.self)?.dispatch(Nothing())
    #expect(store.state.count == 1)
  }

  @Test("two dispatchers are equal if they have the same store and the same closures")
  func equalDispatchers() {
    let stores = [makeStore(), makeStore()].map { ProvidedStores().providing($0) }
    #expect(stores[0].dispatcher == stores[0].dispatcher)
    #expect(stores[0].dispatcher != stores[1].dispatcher)
    #expect(ProvidedStores().dispatcher == ProvidedStores().dispatcher)
    #expect(ProvidedStores().dispatcher != stores[0].dispatcher)
    let changed = stores[0].onAction { $0 }
    #expect(changed.dispatcher == changed.dispatcher)
    #expect(changed.dispatcher != stores[0].dispatcher)
    #expect(changed.dispatcher != stores[0].onAction { $0 }.dispatcher)
  }

  @Test("two environments are equal if they have the same stores in the same order and the same closures")
  func equality() {
    let (first, second) = (makeStore(), makeStore())
    let part = first.proxy(for: \.form)
    let stores = ProvidedStores().providing(first).providing(part)
    #expect(stores == ProvidedStores().providing(first).providing(part))
    #expect(stores != ProvidedStores().providing(part).providing(first))
    #expect(stores != ProvidedStores().providing(second).providing(part))
    #expect(stores != stores.providing(second))
    let heard = stores.onAction { $0 }
    #expect(heard == heard)
    #expect(heard.providing(second) == heard.providing(second))
    #expect(heard != stores)
    #expect(heard != stores.onAction { $0 })
    #expect(heard.onAction { $0 } != heard)
  }

  @Test("bindings of views dispatch through such a closure, too, and are shown immediately")
  func onActionOfBindings() {
    let store = makeStore()
    let stores = ProvidedStores().providing(store.proxy(for: \.form)).onAction { action in
      (action as? BindingAction<LoginForm>)?.value(of: \.email)
        .map { BindingAction(\LoginForm.email, $0.lowercased()) }
    }
    let connection = ViewConnection<LoginForm, ViewMappingTests.FormView.Props>()
    connection.props(of: ViewMappingTests.FormView(), in: stores)?.email = "A@B"
    #expect(connection.props(of: ViewMappingTests.FormView(), in: stores)?.email == "a@b")
    connection.props(of: ViewMappingTests.FormView(), in: stores)?.onSubmit()
    #expect(store.state.title == "")
  }

  @Test("a closure that is created again does not connect a view again")
  func onActionMadeAnew() {
    let store = makeStore()
    let stores = ProvidedStores().providing(store)
    let connection = ViewConnection<Notebook, ViewMappingTests.CounterView.Props>()
    let screen = Screen { connection.props(of: ViewMappingTests.CounterView(factor: 1), in: stores)?.count }
    _ = connection.props(
      of: ViewMappingTests.CounterView(factor: 1), in: stores.onAction { _ in Increment(amount: 5) })
    connection.dispatch(Nothing())
    screen.draw()
    #expect(screen.drawn == [0, 5], "it is the same connection, which dispatches in the new way")
  }
}
