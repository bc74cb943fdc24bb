import FluxCore
import FluxUI
import Observation
import TestSupport
import Testing

@MainActor
@Suite struct ConnectionTests {
  @Test("the props of a connection exist immediately, and are updated when a dispatch through it returns")
  func upToDate() {
    let store = makeStore(state: Notebook(title: "a"))
    let connection = Connection(to: store) { state in state.title }
    #expect(connection.props == "a")
    connection.dispatch(SetTitle(title: "b"))
    #expect(connection.props == "b")
    store.dispatch(SetTitle(title: "c"))
    #expect(connection.props == "b", "a dispatch that is not the main actor's is heard of later")
    ActionDispatcher(store)(Nothing())
    #expect(connection.props == "c", "any dispatch of the main actor's brings all up to date")
  }

  @Test("a connection to a shared slice is updated when a dispatch through it returns, too")
  func sharedSlice() {
    let store = makeStore(state: Notebook(title: "a"))
    let connection = Connection(to: store.sharedSlice(of: \.title)) { title in title }
    let screen = Screen { connection.props }
    connection.dispatch(SetTitle(title: "b"))
    #expect(connection.props == "b")
    connection.dispatch(Increment())
    screen.draw()
    #expect(screen.drawn == ["a", "b"])
  }

  @Test("a reader of the props is notified when they change, and not while they are equal")
  func counting() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.title }
    let screen = Screen { connection.props }
    for title in ["a", "a", "b"] {
      connection.dispatch(SetTitle(title: title))
      connection.dispatch(Increment())
      screen.draw()
    }
    #expect(screen.drawn == ["", "a", "b"])
  }

  @Test("many actions of a batch cause one change")
  func batch() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.count }
    let screen = Screen { connection.props }
    store.batch {
      for _ in 0..<3 { ActionDispatcher(store)(Increment()) }
      #expect(connection.props == 0, "a batch holds it back")
    }
    connection.dispatch(Nothing())
    screen.draw()
    #expect(screen.drawn == [0, 3])
  }

  @Test("in a batch of any thread, a dispatch through a connection updates its props, and no others")
  func dispatchingInBatch() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.count }
    let other = Connection(to: store) { state in state.count }
    let entered = Gate()
    let leave = Gate()
    let worker = Worker {
      store.batch {
        entered.open()
        leave.wait()
      }
    }
    wait(at: entered)
    connection.dispatch(Increment())
    #expect([connection.props, other.props] == [1, 0])
    leave.open()
    worker.join()
    connection.dispatch(Nothing())
    #expect(other.props == 1)
  }

  @Test("an observer that dispatches immediately when the props change leaves the newest props on show")
  func dispatchingWhenTold() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.count }
    let observable = ObservableStore(store)
    store.batch {
      for dispatch in [connection.dispatch, observable.dispatch] {
        let isFirst = Shared(true)
        withObservationTracking {
          _ = (connection.props, observable.count)
        } onChange: {
          if isFirst.exchange(false) { MainActor.assumeIsolated { dispatch(Increment(amount: 10)) } }
        }
        dispatch(Increment())
      }
      #expect([connection.props, observable.count] == [11, 22])
    }
    connection.dispatch(Nothing())
    #expect([connection.props, observable.count] == [22, 22])
  }

  @Test("actions of other threads are shown on the main actor, and the newest is shown in the end")
  func otherThreads() async {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.count }
    let fence = Inbox<Int>()
    let token = store.subscribe(to: \.count, onMain: { fence.receive($0) })
    onAnotherThread { for _ in 0..<20 { store.dispatch(Increment()) } }
    #expect(connection.props == 0)
    await fence.wait { $0 == 20 }
    #expect(connection.props == 20)
    token.cancel()
  }

  @Test("a comparison decides which props count as equal")
  func comparison() {
    let store = makeStore()
    let connection = Connection(to: store, comparing: .by { $0 / 10 == $1 / 10 }) { (state: Notebook, _) in
      state.count
    }
    let screen = Screen { connection.props }
    for amount in [5, 4, 1] {
      connection.dispatch(Increment(amount: amount))
      screen.draw()
    }
    #expect(screen.drawn == [0, 10])
    #expect(connection.props == 10)
  }

  @Test("props that are never compared change with each delivery, and are computed when they are read")
  func withoutComparison() {
    let store = makeStore()
    var runs = 0
    let connection = Connection(to: store, comparing: .never) { (state: Notebook, _) in
      runs += 1
      return state.count
    }
    #expect(runs == 0)
    let screen = Screen { connection.props }
    connection.dispatch(Nothing())
    connection.dispatch(Increment())
    #expect(runs == 1)
    #expect(connection.props == 1)
    #expect(connection.props == 1)
    #expect(runs == 2)
    screen.draw()
    #expect(screen.drawn == [0, 1])
  }

  @Test("a mapping to nil has no props until there is a value, and both changes are notified")
  func nothing() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.notes["1"]?.text }
    let screen = Screen { connection.props }
    connection.dispatch(Increment())
    #expect(!screen.needsToDraw)
    connection.dispatch(SetNote(id: "1", note: Note(text: "milk")))
    screen.draw()
    connection.dispatch(SetNote(id: "1", note: nil))
    screen.draw()
    #expect(screen.drawn == [nil, "milk", nil])
  }

  @Test("a refresh maps the state with changed external values")
  func refreshing() {
    let store = makeStore(state: Notebook(notes: ["1": Note(text: "milk"), "2": Note(text: "bread")]))
    final class Selection { var id = "1" }
    let selection = Selection()
    let connection = Connection(to: store) { state in state.notes[selection.id]?.text }
    let screen = Screen { connection.props }
    connection.refresh()
    #expect(!screen.needsToDraw)
    selection.id = "2"
    #expect(connection.props == "milk")
    connection.refresh()
    screen.draw()
    #expect(screen.drawn == ["milk", "bread"])
  }

  @Test("a connection to a proxy of a part works like a connection to a store")
  func proxies() {
    let store = makeStore()
    let connection = Connection(to: store.proxy(for: \.title)) { title in title.count }
    connection.dispatch(SetTitle(title: "abc"))
    #expect(connection.props == 3)
  }

  @Test(
    "inside an observer on the main actor, a connection receives a dispatch when the observer has returned")
  func nesting() {
    let store = makeStore()
    var inside: [Int?] = []
    var connection: Connection<Int>?
    let token = store.subscribe(onMain: { state in
      guard state.count == 1 else { return }
      connection?.dispatch(Increment())
      inside.append(connection?.props)
    })
    connection = Connection(to: store) { state in state.count }
    connection?.dispatch(Increment())
    #expect(inside == [0])
    #expect(connection?.props == 2)
    token.cancel()
  }

  @Test(
    "while another thread notifies plug-ins, a dispatch through a connection is shown before it returns")
  func plugins() {
    let telling = HeldTelling()
    let store = makeStore(plugins: [telling.plugin])
    let connection = Connection(to: store) { state in state.title }
    let lazy = Connection(to: store, comparing: .never) { (state: Notebook, _) in state.title }
    let other = Connection(to: store) { state in state.title }
    let worker = telling.hold { store.dispatch(Increment()) }
    connection.dispatch(SetTitle(title: "a"))
    #expect(connection.props == "a")
    #expect(other.props == "", "it waits for the plug-ins, as all that are delivered to do")
    lazy.dispatch(SetTitle(title: "b"))
    #expect(lazy.props == "b")
    telling.release(worker)
    connection.dispatch(Nothing())
    #expect(other.props == "b")
  }

  /// Blocks the main actor until the gate is open.
  private func wait(at gate: Gate) {
    gate.wait()
  }
}
