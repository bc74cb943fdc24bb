import FluxCore
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite struct ConnectionLifetimeTests {
  @Test("releasing a connection releases the values that its mapping captured, while the store continues")
  func dropping() {
    let store = makeStore()
    let tracker = LifetimeTracker()
    var connection: Connection<Int>?
    do {
      let captured = tracker.make()
      connection = Connection(to: store) { state in
        captured.touch()
        return state.count
      }
    }
    let released = WeakReference(connection)
    connection?.dispatch(Increment())
    #expect(connection?.props == 1)
    #expect(tracker.alive == 1)
    connection = nil
    #expect(released.object == nil)
    #expect(tracker.alive == 0)
  }

  @Test("props that bind actions keep neither the connection nor the store alive, and then do nothing")
  func bindings() {
    var store: Store<Notebook>? = makeStore(state: Notebook(title: "a"))
    let releasedStore = WeakReference(store)
    var connection = store.map { store in
      Connection(to: store) { state, binder in binder.bind(state.title) { SetTitle(title: $0) } }
    }
    let releasedConnection = WeakReference(connection)
    let binding = connection?.props
    connection = nil
    #expect(releasedConnection.object == nil)
    binding?.wrappedValue = "b"
    #expect(store?.state.title == "b")
    store = nil
    #expect(releasedStore.object == nil)
    binding?.wrappedValue = "c"
    #expect(binding?.wrappedValue == "a")
  }

  @Test("after the release of the store, the connection's props remain unchanged")
  func storeGone() {
    var store: Store<Notebook>? = makeStore(state: Notebook(title: "a"))
    let released = WeakReference(store)
    let connection = store.map { store in Connection(to: store) { state in state.title } }
    store = nil
    #expect(released.object == nil)
    connection?.dispatch(SetTitle(title: "b"))
    connection?.refresh()
    #expect(connection?.props == "a")
  }

  @Test("a connection that is made after the release of the store has no props")
  func storeGoneBefore() {
    let proxy = makeStore().proxy
    #expect(Connection(to: proxy) { state in state.title }.props == nil)
  }

  @Test("a canceled connection keeps its props, and notifies no observer")
  func cancelling() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.count }
    let screen = Screen { connection.props }
    connection.cancel()
    connection.dispatch(Increment())
    store.batch { connection.dispatch(Increment()) }
    #expect(store.state.count == 2)
    #expect(connection.props == 0)
    #expect(!screen.needsToDraw)
  }
}
