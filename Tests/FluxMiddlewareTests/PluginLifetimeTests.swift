import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Lifetimes of plug-ins")
struct PluginLifetimeTests {
  private let tracker = LifetimeTracker()

  @Test("the closures of a thunk are released when its dispatch returns")
  func thunks() {
    let store = makeStore(thunkMiddleware())
    do {
      let (asking, running) = (tracker.make(), tracker.make())
      let count = ResultThunk<Tally, Int>(
        when: { _ in
          asking.touch()
          return true
        },
        { dispatch, getState in
          running.touch()
          dispatch(Add())
          return getState()?.sum ?? -1
        })
      store.dispatch(Thunk(count))
      #expect(store.dispatch(count) == 2)
      #expect(tracker.alive == 2)
    }
    #expect(tracker.alive == 0)
  }

  @Test("a released store releases the dependencies of its thunks")
  func dependencies() {
    var store: Store<Tally>? = makeStore(thunkMiddleware(with: tracker.make()))
    let own = Shared(0)
    store?.dispatch(
      Thunk<Tally>(with: LifetimeTracker.Tracked.self) { _, _, tracked in
        tracked.touch()
        own.increment()
      })
    #expect(own.value == 1)
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
  }

  @Test("a released store releases the sinks, filters, and redactions of its logging")
  func logging() {
    func sink() -> @Sendable (String) -> Void {
      let tracked = tracker.make()
      return { _ in tracked.touch() }
    }
    func filter() -> ActionFilter {
      let tracked = tracker.make()
      return .where { _ in
        tracked.touch()
        return true
      }
    }
    func redaction() -> Redaction {
      let tracked = tracker.make()
      return Redaction { _ in
        tracked.touch()
        return false
      }
    }
    expectRelease(
      of: 6,
      by: makeStore(
        loggingMiddleware(filter: filter(), redacting: redaction(), sink: sink()),
        printActionMiddleware(printer: sink(), redacting: redaction(), filter: filter())))
    expectRelease(of: 1, by: makeStore(plugins: [.logging(redacting: redaction(), sink: LogSink { _ in })]))
  }

  @Test("a released store releases the closure that receives development reports")
  func developmentChecks() {
    func checks() -> Plugin<Tally> {
      let tracked = tracker.make()
      return .developmentChecks(evenInRelease: true, report: { _ in tracked.touch() })
    }
    expectRelease(of: 1, by: makeStore(plugins: [checks()]))
  }

  @Test("a history that is released with its store releases its filter and its grouping")
  func history() {
    func make() -> Store<Tally> {
      let (filtering, grouping) = (tracker.make(), tracker.make())
      let history = History<Tally>(
        records: .where { _ in
          filtering.touch()
          return true
        },
        grouping: HistoryGrouping { _, _ in
          grouping.touch()
          return false
        })
      return makeStore(plugins: [history.plugin])
    }
    expectRelease(of: 2, by: make())
  }

  /// Expects a working store to keep the given number of objects, and a released store to keep
  /// none.
  private func expectRelease(
    of count: Int, by make: @autoclosure () -> Store<Tally>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let store = make()
      store.dispatch(Add())
      store.dispatch(Add())
      #expect(store.state.sum == 2, sourceLocation: sourceLocation)
      #expect(tracker.alive == count, sourceLocation: sourceLocation)
    }
    #expect(tracker.alive == 0, sourceLocation: sourceLocation)
  }
}
