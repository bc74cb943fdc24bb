import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import Testing

/// A program in which equal states of the store can continue in different ways.
///
/// If an exploration forgets what distinguishes the moments of a program, it cuts orders that lead
/// to other last states.
struct CutProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// Performs the program in a run, and returns the run with its store.
  let perform: @Sendable (_ run: ExplorationRun) async throws -> RaceRun

  var testDescription: String { name }

  static let all = [
    keptRead, lateRead, currentRead, readByChild, queue, possibleEvents, wokenListener, sameCalls,
    received, otherStore, time, undo, stream, testCode, failedCall,
  ]

  private init(
    _ name: String, in perform: @escaping @Sendable (_ run: ExplorationRun) async throws -> RaceRun
  ) {
    self.name = name
    self.perform = perform
  }

  private init(_ name: String, _ perform: @escaping @Sendable (_ race: RaceRun) async throws -> Void) {
    self.init(name) { run in
      let race = RaceRun(run)
      try await perform(race)
      await run.untilQuiet()
      return race
    }
  }

  private static func adding(_ number: Int) -> Change {
    Change("add \(number)") { $0["sum"] += number }
  }

  /// An action that writes over the sum, so that the states of different orders become equal.
  private static let clear = Change("clear") { $0["sum"] = 0 }

  private static func result(_ number: Int) -> Change {
    Change("result \(number)") { $0["result"] = $0["result"] * 10 + number }
  }

  static let keptRead = CutProgram("a task keeps a part of the state that its context kept") { race in
    for number in 1...2 {
      race.send(
        Job("add \(number)") { context in
          let old = context.state["sum"]
          try await race.call("add \(number)")
          context.dispatch(Change("set") { $0["sum"] = old * 2 + number })
        })
    }
    race.may(clear)
  }

  static let lateRead = CutProgram("a context provides the state of an earlier step") { race in
    race.may(adding(1))
    race.send(
      Job("read") { context in
        try await race.call("read")
        context.dispatch(result(context.state["sum"] + 1))
      })
    race.send(
      Job("clear") { context in
        try await race.call("clear")
        context.dispatch(clear)
      })
  }

  static let currentRead = CutProgram("a task keeps a part of the current state") { race in
    race.may(adding(1))
    race.send(
      Job("read") { context in
        try await race.call("read")
        let old = race.store.state["sum"]
        try await race.call("answer")
        context.dispatch(result(old + 1))
      })
    race.send(
      Job("clear") { context in
        try await race.call("clear")
        context.dispatch(clear)
      })
  }

  static let readByChild = CutProgram("a child task reads the state that a context kept") { race in
    race.may(adding(1))
    race.send(
      Job("read") { context in
        try await race.call("read")
        async let old = context.state["sum"]
        context.dispatch(result(await old + 1))
      })
    race.send(
      Job("clear") { context in
        try await race.call("clear")
        context.dispatch(clear)
      })
  }

  static let queue = CutProgram("the order of waiting work") { race in
    race.send(Job("first", .queue, kind: "line") { _ in try await race.call("first") })
    for name in ["a", "b"] {
      race.may(
        Job(name, .queue, kind: "line") { context in
          context.dispatch(Change("\(name) ran") { $0.names.append(name) })
        })
    }
  }

  static let possibleEvents = CutProgram("the events that are still possible") { race in
    race.may(Change("a") { $0[$0["flag"] == 1 ? "both" : "flag"] = 1 })
    race.may(Change("c") { $0["c"] = 1 })
    race.may(Change("d") { if $0["c"] == 1 { ($0["flag"], $0["c"]) = (1, 0) } })
  }

  static let sameCalls = CutProgram("which of two tasks waits for which of two equal calls") { race in
    for number in 1...2 {
      race.send(
        Job("job \(number)") { context in
          try await race.call("call", mayFail: number == 1)
          context.dispatch(result(number))
        })
    }
  }

  static let otherStore = CutProgram("a store that the run does not know") { race in
    let other = Store(
      reducer: { (state: inout RaceState, action: any Action) in
        if let change = action as? Change { change.apply(&state) }
      }, state: RaceState())
    for number in 1...2 {
      race.send(
        Job("job \(number)") { _ in
          try await race.call("job \(number)")
          other.dispatch(result(number))
        })
    }
    race.send(
      Job("read") { context in
        try await race.call("read")
        let sum = other.state["result"]
        context.dispatch(result(sum))
      })
  }

  static let time = CutProgram("a task keeps the time") { race in
    race.send(Job("wait") { _ in try await race.run.clock.sleep(for: .seconds(1)) })
    race.send(
      Job("read") { context in
        let time = context.time
        try await race.call("read")
        context.dispatch(result(time == .zero ? 1 : 2))
      })
  }

  static let wokenListener = CutProgram("the action that a listener has received") { run in
    let listeners = Listeners<RaceState>()
    listeners.start(when: { action, _, _ in (action as? Job)?.description == "listen" }) { _, listener in
      let change = try await listener.take(when: { action, _, _ in action is Change })
      listener.dispatch(Change("heard \(change.action)") { $0.names.append("\(change.action)") })
    }
    let race = RaceRun(run, plugins: [listeners.plugin])
    race.send(Job("listen") { _ in })
    await run.untilQuiet()
    for name in ["a", "b"] {
      race.send(
        Job(name) { context in
          try await race.call(name)
          context.dispatch(Change(name))
        })
    }
    await run.untilQuiet()
    return race
  }

  static let received = CutProgram("the actions that the test has not received") { race in
    for number in 1...2 {
      race.send(
        Job("job \(number)") { context in
          try await race.call("job \(number)")
          context.dispatch(Change("change \(number)") { $0["last"] = 0 })
        })
    }
    race.send(Job("end") { _ in try await race.call("end") })
    await race.run.untilQuiet()
    var first = ""
    await race.store.receive(where: { (change: Change) in
      first = change.description
      return true
    })
    let name = first
    race.send(Change("result") { $0.names.append(name) })
  }

  private static func setting(_ race: RaceRun, to numbers: ClosedRange<Int>) {
    for number in numbers {
      race.send(
        Job("set \(number)") { context in
          try await race.call("set \(number)")
          context.dispatch(Change("set \(number)") { $0["sum"] = number })
        })
    }
  }

  static let undo = CutProgram("the history of a store") { run in
    let history = History<RaceState>(records: .only(Change.self))
    let race = RaceRun(run, plugins: [history.plugin])
    setting(race, to: 1...3)
    await run.untilQuiet()
    race.send(HistoryAction.undo)
    return race
  }

  /// A request that reads three values of a stream, and waits for an answer after the first value.
  private struct Watch: AsyncRequest {
    let race: RaceRun

    func perform(in context: RequestContext<RaceState>) async throws -> Int {
      var seen: [Int] = []
      for await sum in context.store.values(of: { $0["sum"] }).buffering(.unbounded) {
        if seen.isEmpty { try await race.call("look") }
        seen.append(sum)
        if seen.count == 3 { break }
      }
      context.dispatch(Change("seen") { [seen] in $0.names = seen.map { "\($0)" } })
      return seen.count
    }
  }

  static let stream = CutProgram("the values that a stream keeps") { race in
    race.send(Watch(race: race))
    await race.run.untilQuiet(holding: 1)
    setting(race, to: 1...2)
    race.send(
      Job("clear") { context in
        try await race.call("clear")
        context.dispatch(clear)
      })
  }

  static let testCode = CutProgram("the state that the test's own code has read") { race in
    race.may(adding(1))
    race.send(Job("first") { _ in try await race.call("first") })
    await race.run.untilQuiet(holding: 1)
    let old = race.store.state["sum"]
    race.send(clear)
    race.send(Job("second") { _ in try await race.call("second") })
    await race.run.untilQuiet()
    race.send(result(old + 1))
  }

  static let failedCall = CutProgram("the answer that a task has received") { race in
    race.send(
      Job("ask") { context in
        let hasFailed = (try? await race.call("ask", mayFail: true)) == nil
        try await race.call("again")
        context.dispatch(result(hasFailed ? 1 : 2))
      })
    race.may(adding(1))
  }
}
