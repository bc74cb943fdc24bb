import FluxCore
import FluxMiddleware
import Synchronization
import Testing

@Suite("The logging middleware")
struct LoggingMiddlewareTests {
  private struct Counter: FluxState, Equatable {
    var count = 0
    var name = "one"
  }

  private struct Add: Action {
    let amount: Int
  }

  private struct Rename: Action, CustomStringConvertible {
    let name: String

    var description: String { "Rename to \(name)" }
  }

  private struct Ignored: Action {}

  private static let reducer: MutatingReducer<Counter> = { state, action in
    switch action {
    case let action as Add: state.count += action.amount
    case let action as Rename: state.name = action.name
    default: break
    }
  }

  private func store(_ middleware: Middleware<Counter>...) -> Store<Counter> {
    Store(reducer: Self.reducer, middleware: middleware, state: Counter())
  }

  @Test("a line contains the action and its changes")
  func line() {
    let log = Log()
    store(loggingMiddleware(sink: log.sink)).dispatch(Add(amount: 2))
    #expect(log.lines == ["Add(amount: 2) count: 0 → 2"])
  }

  @Test("there is one line for each action, in their order")
  func lines() {
    let log = Log()
    let store = store(loggingMiddleware(sink: log.sink))
    for amount in 1...3 { store.dispatch(Add(amount: amount)) }
    #expect(
      log.lines == [
        "Add(amount: 1) count: 0 → 1", "Add(amount: 2) count: 1 → 3", "Add(amount: 3) count: 3 → 6",
      ])
  }

  @Test("an action is described by its own description if it has one")
  func description() {
    let log = Log()
    store(loggingMiddleware(sink: log.sink)).dispatch(Rename(name: "two"))
    #expect(log.lines == ["Rename to two name: \"one\" → \"two\""])
  }

  @Test("a line is a single line, whatever the action and the state contain")
  func oneLine() {
    let log = Log()
    store(loggingMiddleware(sink: log.sink)).dispatch(Rename(name: "t\nw\u{1B}o"))
    #expect(log.lines == ["Rename to t\\nw\\u{1B}o name: \"one\" → \"t\\nw\\u{1B}o\""])
  }

  @Test("an action that changes nothing has a line that says so")
  func nothing() {
    let log = Log()
    let store = store(loggingMiddleware(sink: log.sink))
    store.dispatch(Ignored())
    store.dispatch(Add(amount: 0))
    #expect(log.lines == ["Ignored() changed nothing", "Add(amount: 0) changed nothing"])
  }

  @Test("a closure can be a sink")
  func closure() {
    let log = Log()
    store(loggingMiddleware { line in log.sink.write(line) }).dispatch(Add(amount: 2))
    #expect(log.lines == ["Add(amount: 2) count: 0 → 2"])
  }

  @Test("actions that the filter rejects are passed on, and not logged")
  func filter() {
    let log = Log()
    let store = store(
      loggingMiddleware(filter: .except(Rename.self), sink: log.sink),
      loggingMiddleware(filter: .only(Rename.self)) { line in log.sink.write("closure: \(line)") })
    store.dispatch(Rename(name: "two"))
    store.dispatch(Add(amount: 1))
    #expect(log.lines == ["closure: Rename to two name: \"one\" → \"two\"", "Add(amount: 1) count: 0 → 1"])
    #expect(store.state == Counter(count: 1, name: "two"))
  }

  @Test("no line contains a secret of the action or of the state")
  func secret() {
    let log = Log()
    let secrets = Redaction.fields("name")
    let store = store(
      loggingMiddleware(redacting: secrets, sink: log.sink),
      loggingMiddleware(redacting: secrets) { line in log.sink.write("closure: \(line)") })
    store.dispatch(Rename(name: "two"))
    #expect(
      log.lines == ["closure: Rename(name: •••) name: ••• → •••", "Rename(name: •••) name: ••• → •••"])
  }

  @Test("when dispatch returns, the line has been written on the dispatching thread")
  func atOnce() {
    let log = Log()
    let store = store(loggingMiddleware(sink: log.sink))
    #expect(log.lines.isEmpty)
    store.dispatch(Ignored())
    #expect(log.lines.count == 1)
  }

  @Test("an action that an observer dispatches is logged before the observed action")
  func nestedInObserver() {
    let log = Log()
    let store = store(loggingMiddleware(sink: log.sink))
    let token = store.subscribe(to: \.count, initial: false) { [weak store] count in
      if count == 1 { store?.dispatch(Rename(name: "two")) }
    }
    store.dispatch(Add(amount: 1))
    #expect(
      log.lines == [
        "Rename to two name: \"one\" → \"two\"",
        "Add(amount: 1) count: 0 → 1, name: \"one\" → \"two\"",
      ])
    token.cancel()
  }

  @Test(
    "an action that a later middleware dispatches is logged first, and the outer line includes its change")
  func nestedInMiddleware() {
    let log = Log()
    let renaming: Middleware<Counter> = { dispatch, _ in
      { next in
        { action in
          if action is Add { dispatch(Rename(name: "two")) }
          next(action)
        }
      }
    }
    store(loggingMiddleware(sink: log.sink), renaming).dispatch(Add(amount: 1))
    #expect(
      log.lines == [
        "Rename to two name: \"one\" → \"two\"",
        "Add(amount: 1) count: 0 → 1, name: \"one\" → \"two\"",
      ])
  }

  @Test("an action that a later middleware holds changes nothing")
  func heldBehind() {
    let log = Log()
    store(loggingMiddleware(sink: log.sink), holding()).dispatch(Add(amount: 1))
    #expect(log.lines == ["Add(amount: 1) changed nothing"])
  }

  @Test("an action that an earlier middleware holds has no line")
  func heldBefore() {
    let log = Log()
    store(holding(), loggingMiddleware(sink: log.sink)).dispatch(Add(amount: 1))
    #expect(log.lines.isEmpty)
  }

  @Test("the middleware passes every action on once")
  func passesOn() {
    let log = Log()
    let store = store(loggingMiddleware(sink: log.sink), loggingMiddleware(sink: log.sink))
    store.dispatch(Add(amount: 1))
    #expect(store.state == Counter(count: 1))
    #expect(log.lines == Array(repeating: "Add(amount: 1) count: 0 → 1", count: 2))
  }

  @Test("an action with more changes than are shown ends its line with an ellipsis")
  func truncated() {
    struct Wide: FluxState { var numbers = Array(repeating: 0, count: 9) }
    struct Fill: Action {}
    let log = Log()
    let store = Store<Wide>(
      reducer: { (state: inout Wide, _: any Action) in state.numbers = Array(repeating: 1, count: 9) },
      middleware: [loggingMiddleware(sink: log.sink)], state: Wide())
    store.dispatch(Fill())
    let told = (0..<8).map { "numbers[\($0)]: 0 → 1" }.joined(separator: ", ")
    #expect(log.lines == ["Fill() \(told), …"])
  }

  @Test("a store that logs can be released")
  func release() {
    weak var gone: Store<Counter>?
    do {
      let store = store(loggingMiddleware(sink: Log().sink))
      store.dispatch(Add(amount: 1))
      gone = store
    }
    #expect(gone == nil)
  }

  /// Holds every action.
  private func holding() -> Middleware<Counter> {
    { _, _ in { _ in { _ in } } }
  }
}

/// Keeps the lines that are written to its sink.
private final class Log: Sendable {
  private let written = Mutex<[String]>([])

  var sink: LogSink { LogSink { [self] line in written.withLock { $0.append(line) } } }

  var lines: [String] { written.withLock { $0 } }
}
