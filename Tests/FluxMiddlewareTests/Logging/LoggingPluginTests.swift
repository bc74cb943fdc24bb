import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("The logging plug-in")
struct LoggingPluginTests {
  private struct Board: FluxState, Equatable {
    var slots = Array(repeating: 0, count: 8)
    var echoes = 0
  }

  private struct Put: Action {
    let slot: Int
    let value: Int
  }

  private struct Echo: Action {
    let number: Int
  }

  private struct Ignored: Action {}

  private static let reducer: MutatingReducer<Board> = { state, action in
    switch action {
    case let action as Put: state.slots[action.slot] = action.value
    case let action as Echo: state.echoes = action.number
    default: break
    }
  }

  private func store(_ plugins: Plugin<Board>..., middleware: [Middleware<Board>] = []) -> Store<Board> {
    Store(reducer: Self.reducer, middleware: middleware, plugins: plugins, state: Board())
  }

  /// Lines without the duration at their ends, which differs on every run.
  private func timeless(_ lines: [String]) -> [String] {
    lines.map { line in
      guard line.last == ")", let end = line.lastIndex(of: "("), end > line.startIndex else { return line }
      return String(line[..<line.index(before: end)])
    }
  }

  @Test("a line contains the level, the version, the action, its changes, and the duration of the reducer")
  func line() throws {
    let lines = Recorder<String>()
    let store = store(.logging(buffer: 0, sink: LogSink { lines.record($0) }))
    store.dispatch(Put(slot: 2, value: 7))
    store.dispatch(Ignored())
    #expect(
      timeless(lines.values) == [
        "info #1 Put(slot: 2, value: 7) slots[2]: 0 → 7", "info #2 Ignored() changed nothing",
      ])
    let line = try #require(lines.values.first)
    #expect(line.firstMatch(of: /\([0-9.]+ (ns|µs|ms|s)\)$/) != nil)
  }

  @Test("without a buffer the line is written before dispatch returns, on the thread that delivers")
  func unbuffered() {
    let mark = ThreadLocal()
    let marks = Recorder<Bool>()
    let store = store(.logging(buffer: 0, sink: LogSink { _ in marks.record(mark.isMarked) }))
    onAnotherThread {
      mark.mark()
      store.dispatch(Ignored())
      #expect(marks.values == [true])
    }
  }

  @Test("actions that the filter rejects are not logged")
  func filter() {
    let lines = Recorder<String>()
    let store = store(
      .logging(filter: .only(Echo.self), buffer: 0, sink: LogSink { lines.record($0) }))
    store.dispatch(Put(slot: 0, value: 1))
    store.dispatch(Echo(number: 1))
    #expect(timeless(lines.values) == ["info #2 Echo(number: 1) echoes: 0 → 1"])
  }

  @Test("a transition is logged at the level that a closure returns, if that is at least the minimum level")
  func levels() {
    let lines = Recorder<String>()
    let store = store(
      .logging(
        level: { transition in
          switch transition.action {
          case is Put: transition.after.slots[0] > 1 ? .error : .notice
          default: .debug
          }
        }, minimumLevel: .notice, buffer: 0, sink: LogSink { lines.record($0) }))
    store.dispatch(Put(slot: 0, value: 1))
    store.dispatch(Ignored())
    store.dispatch(Put(slot: 0, value: 2))
    #expect(
      timeless(lines.values) == [
        "notice #1 Put(slot: 0, value: 1) slots[0]: 0 → 1",
        "error #3 Put(slot: 0, value: 2) slots[0]: 1 → 2",
      ])
  }

  @Test("a line shows no more of a change than the limits allow")
  func limits() {
    let lines = Recorder<String>()
    let store = Store<Board>(
      reducer: { (state: inout Board, _: any Action) in state.slots = Array(1...8) },
      plugins: [
        .logging(limits: .init(changes: 2), buffer: 0, sink: LogSink { lines.record($0) })
      ], state: Board())
    store.dispatch(Ignored())
    #expect(timeless(lines.values) == ["info #1 Ignored() slots[0]: 0 → 1, slots[1]: 0 → 2, …"])
  }

  @Test("no line contains a secret of the action or of the states", arguments: [0, 10])
  func secret(buffer: Int) {
    let lines = Recorder<String>()
    let sink = LogSink { lines.record($0) }.buffered(buffer)
    let store = store(.logging(redacting: .fields("value", "slots"), buffer: buffer, sink: sink))
    store.dispatch(Put(slot: 2, value: 7))
    store.dispatch(Echo(number: 1))
    sink.flush()
    #expect(
      timeless(lines.values) == [
        "info #1 Put(slot: 2, value: •••) slots: ••• → •••", "info #2 Echo(number: 1) echoes: 0 → 1",
      ])
  }

  @Test("a line shows the change of its own action, even if observers dispatch others meanwhile")
  func nested() {
    let lines = Recorder<String>()
    let sink = LogSink { lines.record($0) }.buffered()
    let store = store(.logging(sink: sink))
    let token = store.subscribe(to: \.slots, initial: false) { [weak store] slots in
      store?.dispatch(Echo(number: slots[0]))
    }
    store.dispatch(Put(slot: 0, value: 1))
    store.dispatch(Put(slot: 0, value: 2))
    token.cancel()
    sink.flush()
    #expect(
      timeless(lines.values) == [
        "info #1 Put(slot: 0, value: 1) slots[0]: 0 → 1", "info #2 Echo(number: 1) echoes: 0 → 1",
        "info #3 Put(slot: 0, value: 2) slots[0]: 1 → 2", "info #4 Echo(number: 2) echoes: 1 → 2",
      ])
  }

  @Test("a line shows the change of its own action, even if a middleware dispatches another before it")
  func nestedInMiddleware() {
    let lines = Recorder<String>()
    let echoing: Middleware<Board> = { dispatch, _ in
      { next in
        { action in
          if let put = action as? Put { dispatch(Echo(number: put.value)) }
          next(action)
        }
      }
    }
    let store = store(.logging(buffer: 0, sink: LogSink { lines.record($0) }), middleware: [echoing])
    store.dispatch(Put(slot: 0, value: 1))
    #expect(
      timeless(lines.values) == [
        "info #1 Echo(number: 1) echoes: 0 → 1", "info #2 Put(slot: 0, value: 1) slots[0]: 0 → 1",
      ])
  }

  @Test("each line shows only its own action's change, in the order of versions, from several threads")
  func threads() {
    let lines = Recorder<String>()
    let sink = LogSink { lines.record($0) }.buffered(100_000)
    let store = store(.logging(sink: sink))
    let token = store.subscribe(to: \.slots, initial: false) { [weak store] slots in
      guard let store, store.state.echoes < 100 else { return }
      store.dispatch(Echo(number: store.state.echoes + 1))
    }
    onThreads(4) { thread in
      for value in 1...200 { store.dispatch(Put(slot: thread, value: value)) }
    }
    token.cancel()
    sink.flush()

    // One thread writes each slot, in ascending order. Its lines are therefore known, and the rest
    // are echoes.
    var put = Array(repeating: 0, count: 4)
    var echoed = 0
    for (index, line) in timeless(lines.values).enumerated() {
      let start = "info #\(index + 1) "
      guard !line.contains("Echo") else {
        #expect(line == "\(start)Echo(number: \(echoed + 1)) echoes: \(echoed) → \(echoed + 1)")
        echoed += 1
        continue
      }
      guard let thread = put.indices.first(where: { line.hasPrefix("\(start)Put(slot: \($0),") }) else {
        Issue.record("A line of no thread, or out of order: \(line)")
        return
      }
      let (old, new) = (put[thread], put[thread] + 1)
      #expect(line == "\(start)Put(slot: \(thread), value: \(new)) slots[\(thread)]: \(old) → \(new)")
      put[thread] = new
    }
    #expect(put == [200, 200, 200, 200])
    #expect(echoed > 0)
  }

  @Test("a blocked sink delays no dispatch; the number of missing lines is reported at their position")
  func stuck() {
    let lines = Recorder<String>()
    let isWriting = Gate()
    let mayGoOn = Gate()
    let slow = LogSink { line in
      isWriting.open()
      mayGoOn.wait()
      lines.record(line)
    }.buffered(3)
    let store = store(.logging(sink: slow))
    store.dispatch(Put(slot: 0, value: 1))
    isWriting.wait()
    for value in 2...21 { store.dispatch(Put(slot: 0, value: value)) }
    #expect(store.state.slots[0] == 21)
    mayGoOn.open()
    slow.flush()
    store.dispatch(Put(slot: 0, value: 22))
    slow.flush()
    #expect(
      timeless(lines.values) == [
        "info #1 Put(slot: 0, value: 1) slots[0]: 0 → 1", "info #2 Put(slot: 0, value: 2) slots[0]: 1 → 2",
        "info #3 Put(slot: 0, value: 3) slots[0]: 2 → 3", "info #4 Put(slot: 0, value: 4) slots[0]: 3 → 4",
        "… 17 lines dropped", "info #22 Put(slot: 0, value: 22) slots[0]: 21 → 22",
      ])
  }

  @Test("a plug-in has a buffer of the given size")
  func capacity() {
    let lines = Recorder<String>()
    let isWriting = Gate()
    let mayGoOn = Gate()
    var open: Store<Board>? = store(
      .logging(
        buffer: 2,
        sink: LogSink { line in
          isWriting.open()
          mayGoOn.wait()
          lines.record(line)
        }))
    open?.dispatch(Ignored())
    isWriting.wait()
    for _ in 0..<5 { open?.dispatch(Ignored()) }
    mayGoOn.open()
    open = nil
    #expect(lines.values.count == 4)
    #expect(lines.values.last == "… 3 lines dropped")
  }

  @Test("the difference is computed on the buffer's thread, not on the dispatching thread")
  func thread() {
    struct Marked: Action, CustomStringConvertible {
      let mark: ThreadLocal
      var description: String { "marked: \(mark.isMarked)" }
    }
    let lines = Recorder<String>()
    let sink = LogSink { lines.record($0) }.buffered()
    let store = store(.logging(sink: sink))
    onAnotherThread {
      let mark = ThreadLocal()
      mark.mark()
      store.dispatch(Marked(mark: mark))
      sink.flush()
    }
    #expect(timeless(lines.values) == ["info #1 marked: false changed nothing"])
  }

  @Test("when the store has ended, all lines have been written")
  func end() {
    let lines = Recorder<String>()
    var open: Store<Board>? = store(.logging(sink: LogSink { lines.record($0) }))
    for _ in 0..<100 { open?.dispatch(Ignored()) }
    open = nil
    #expect(lines.count == 100)
  }

  @Test("a store that logs can be released, and so can the waiting states")
  func release() {
    struct Tracked: FluxState {
      let tracked: LifetimeTracker.Tracked
    }
    let tracker = LifetimeTracker()
    do {
      let store = Store<Tracked>(
        reducer: { (_: inout Tracked, _: any Action) in }, plugins: [.logging(sink: LogSink { _ in })],
        state: Tracked(tracked: tracker.make()))
      for _ in 0..<10 { store.dispatch(Ignored()) }
    }
    #expect(tracker.alive == 0)
  }
}
