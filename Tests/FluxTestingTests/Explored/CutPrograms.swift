import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import Testing

/// A program in which equal states of the store continue in different ways, because something
/// outside the state differs.
///
/// At the end of each program, two actions race. If an exploration does not see a difference, it
/// cuts orders of this race, and some last states do not occur.
struct CutProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// Performs the program in a run, and returns the run with its store.
  let perform: @Sendable (_ run: ExplorationRun) async throws -> RaceRun

  var testDescription: String { name }

  static let all = [
    keptRead, lateRead, currentRead, readByChild, queue, possibleEvents, heardAction, heardState,
    received, otherStore, observedTime, currentTime, undo, stream, testCode, failedCall, awaitedResult,
  ]

  /// Creates a program whose first part ends with a difference outside the state.
  private init(
    _ name: String, plugins: [Plugin<RaceState>] = [],
    _ part: @escaping @Sendable (_ race: RaceRun) async throws -> Void
  ) {
    self.init(name, plugins: { _ in plugins }, part)
  }

  private init(
    _ name: String, plugins: @escaping @Sendable (ExplorationRun) -> [Plugin<RaceState>],
    _ part: @escaping @Sendable (_ race: RaceRun) async throws -> Void,
    end: @escaping @Sendable (_ race: RaceRun) async throws -> Void = { _ in }
  ) {
    self.name = name
    perform = { run in
      let race = RaceRun(run, plugins: plugins(run))
      try await part(race)
      for name in ["x", "y"] {
        race.send(Job(name) { $0.dispatch(Change(name) { $0.names.append(name) }) })
      }
      await run.untilQuiet()
      try await end(race)
      return race
    }
  }

  /// An action that writes over the sum, so that the states of different orders become equal.
  private static let clear = Change("clear") { $0["sum"] = 0 }

  private static func adding(_ number: Int) -> Change {
    Change("add \(number)") { $0["sum"] += number }
  }

  /// An action that records a number among the names, so that its place shows when it happened.
  private static func result(_ number: Int) -> Change {
    Change("result \(number)") { $0.names.append("result \(number)") }
  }

  /// A job that clears the sum after an answer.
  private static func clearing(_ race: RaceRun) {
    race.send(
      Job("clear") { context in
        try await race.call("clear")
        context.dispatch(clear)
      })
  }

  /// Programs in which a task keeps a part of a state in different ways, and the state is cleared.
  private static func remembering(
    _ name: String, _ read: @escaping @Sendable (RaceRun, TaskContext<RaceState>) async throws -> Int
  ) -> CutProgram {
    CutProgram(name) { race in
      race.send(Job("read") { $0.dispatch(result(try await read(race, $0))) })
      race.send(Job("add") { $0.dispatch(adding(1)) })
      clearing(race)
      await race.run.untilQuiet(holding: 1)
    }
  }

  static let keptRead = remembering("a part of the state that a task keeps") { race, context in
    let old = context.state["sum"]
    try await race.call("read")
    return old
  }

  static let lateRead = remembering("the state that a context keeps") { race, context in
    try await race.call("read")
    return context.state["sum"]
  }

  static let readByChild = remembering("the state that a context keeps for a child") { race, context in
    try await race.call("read")
    async let old = context.state["sum"]
    return await old
  }

  static let currentRead = remembering("a part of the current state that a task keeps") { race, _ in
    let old = race.store.state["sum"]
    try await race.call("read")
    return old
  }

  static let queue = CutProgram("the order of waiting work") { race in
    race.send(Job("first", .queue, kind: "line") { _ in try await race.call("first") })
    for name in ["a", "b"] {
      let waiting = Job(name, .queue, kind: "line") { context in
        context.dispatch(Change("\(name) ran") { $0.names.append(name) })
      }
      race.send(Job("send \(name)") { $0.dispatch(waiting) })
    }
    await race.run.untilQuiet(holding: 1)
  }

  static let possibleEvents = CutProgram("the events that are still possible") { race in
    race.may(Change("a") { $0[$0["flag"] == 1 ? "both" : "flag"] = 1 })
    race.may(Change("c") { $0["c"] = 1 })
    race.may(Change("d") { if $0["c"] == 1 { ($0["flag"], $0["c"]) = (1, 0) } })
  }

  static let otherStore = CutProgram("a store that the run does not know") { race in
    let other = Store(
      reducer: { (state: inout RaceState, action: any Action) in
        if let change = action as? Change { change.apply(&state) }
      }, state: RaceState())
    for number in 1...2 {
      race.send(Job("set \(number)") { _ in other.dispatch(Change("set") { $0["sum"] = number }) })
    }
    race.send(
      Job("read") { context in
        try await race.call("read")
        context.dispatch(result(other.state["sum"]))
      })
    await race.run.untilQuiet(holding: 1)
  }

  static let observedTime = CutProgram("the time that a task keeps") { race in
    race.send(
      Job("read") { context in
        let time = context.time
        try await race.call("read")
        context.dispatch(result(time == .zero ? 1 : 2))
      })
    race.send(Job("wait") { _ in try await race.run.clock.sleep(for: .seconds(1)) })
  }

  static let currentTime = CutProgram("the time") { race in
    race.send(
      Job("wait") { _ in
        if (try? await race.call("ask", mayFail: true)) != nil { return }
        try await race.run.clock.sleep(for: .seconds(1))
      })
    await race.run.untilQuiet()
    race.send(Job("read") { context in context.dispatch(result(context.time == .zero ? 1 : 2)) })
  }

  /// A program with a listener that keeps what it receives until its turn.
  private static func listening(
    _ name: String, to jobs: [Job],
    keeping text: @escaping @Sendable (_ action: any Action, _ current: RaceState) -> String
  ) -> CutProgram {
    CutProgram(
      name,
      plugins: { run in
        let listeners = Listeners<RaceState>()
        listeners.start(when: { action, _, _ in (action as? Job)?.description == "listen" }) {
          _, listener in
          let note = try await listener.take(when: { action, _, _ in "\(action)".hasPrefix("note") })
          let text = text(note.action, note.current)
          try await run.answer(to: "hear") {}
          listener.dispatch(Change("heard") { $0.names.append(text) })
        }
        return [listeners.plugin]
      },
      { race in
        race.send(Job("listen") { _ in })
        await race.run.untilQuiet()
        for job in jobs { race.send(job) }
        await race.run.untilQuiet(holding: 1)
      })
  }

  static let heardAction = listening(
    "the action that a listener has received",
    to: ["a", "b"].map { name in
      Job(name) { $0.dispatch(Change("note \(name)")) }
    },
    keeping: { action, _ in "\(action)" })

  static let heardState = listening(
    "the state that a listener has received",
    to: [
      Job("note") { $0.dispatch(Change("note")) },
      Job("add") { $0.dispatch(adding(1)) },
      Job("clear") { $0.dispatch(clear) },
    ], keeping: { _, current in "\(current["sum"])" })

  private static func setting(_ race: RaceRun, to numbers: ClosedRange<Int>) {
    for number in numbers {
      race.send(
        Job("set \(number)") { context in
          try await race.call("set \(number)")
          context.dispatch(Change("set \(number)") { $0["sum"] = number })
        })
    }
  }

  static let received = CutProgram(
    "the actions that the test has not received", plugins: { _ in [] },
    { race in
      setting(race, to: 1...2)
      clearing(race)
      await race.run.untilQuiet()
    },
    end: { race in
      var first = ""
      await race.store.receive(where: { (change: Change) in
        first = change.description
        return true
      })
      let name = first
      race.send(Change("result") { $0.names.append(name) })
    })

  static let undo = CutProgram(
    "the history of a store",
    plugins: { _ in [History<RaceState>(records: .where { "\($0)".hasPrefix("set") }).plugin] },
    { race in
      setting(race, to: 1...2)
      race.send(
        Job("clear") { context in
          try await race.call("clear")
          context.dispatch(Change("set 0") { $0["sum"] = 0 })
        })
      await race.run.untilQuiet()
    },
    end: { race in
      let last = race.store.state["sum"]
      race.send(HistoryAction.undo)
      race.send(result(last))
    })

  /// A request that keeps the values of a stream until it receives an answer.
  private struct Watch: AsyncRequest {
    let race: RaceRun

    func perform(in context: RequestContext<RaceState>) async throws -> Int {
      var seen: [Int] = []
      for await sum in context.store.values(of: { $0["sum"] }).buffering(.unbounded) {
        if seen.isEmpty { try await race.call("look") }
        seen.append(sum)
        if seen.count == 3 { break }
      }
      context.dispatch(Change("seen") { [seen] in $0["seen"] = seen.reduce(0) { $0 * 10 + $1 } })
      return seen.count
    }
  }

  static let stream = CutProgram("the values that a stream keeps") { race in
    race.send(Watch(race: race))
    await race.run.untilQuiet(holding: 1)
    for number in 1...2 {
      race.send(Job("set \(number)") { $0.dispatch(Change("set") { $0["sum"] = number }) })
    }
    await race.run.untilQuiet(holding: 1)
    race.send(clear)
  }

  static let testCode = CutProgram("the state that the test's own code has read") { race in
    setting(race, to: 1...2)
    await race.run.untilQuiet()
    let old = race.store.state["sum"]
    race.send(clear)
    race.send(Job("show") { $0.dispatch(result(old)) })
  }

  static let failedCall = CutProgram("the answer that a task has received") { race in
    race.send(
      Job("ask") { context in
        let hasFailed = (try? await race.call("ask", mayFail: true)) == nil
        try await race.call("again")
        context.dispatch(result(hasFailed ? 1 : 2))
      })
    await race.run.untilQuiet(holding: 1)
  }

  private struct Inner: AsyncRequest {
    typealias State = RaceState
    let race: RaceRun

    func perform(in context: RequestContext<RaceState>) async throws -> Int {
      try await race.call("inner", mayFail: true)
      return 1
    }
  }

  /// A request that keeps the result of another request until it receives an answer.
  private struct Outer: AsyncRequest {
    let race: RaceRun

    func perform(in context: RequestContext<RaceState>) async throws -> Int {
      let number = (try? await context.store.request(Inner(race: race)).value) ?? 2
      try await race.call("outer")
      context.dispatch(result(number))
      return number
    }
  }

  static let awaitedResult = CutProgram("the result of other work that a task has awaited") { race in
    race.send(Outer(race: race))
    await race.run.untilQuiet(holding: 1)
  }
}
