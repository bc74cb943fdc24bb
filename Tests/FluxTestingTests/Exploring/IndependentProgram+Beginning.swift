import FluxAsync
import FluxCore
import FluxTesting
import TestSupport

// Programs in which work begins while events are pending that depend on its first step.

extension IndependentProgram {
  static let beginning = [
    calls, dispatching, readingState, readingKeptState, readingKeptStateLater, readingTime,
    sleeping, sleepingEqually, starting, resuming, resumingTest, countingCalls, possibleEvents,
    listening, unlistening, clearingListeners, askingListeners, subscribing, unsubscribing,
    canceledFirst, canceledScope, abortedFirst, checkingCancellation, twoStores, spawning,
  ]

  /// A program in which the first step of a job is pending together with another job, which logs
  /// its name.
  private static func first(
    _ name: String, _ work: @escaping @Sendable (LoggedRun, TaskContext<RaceState>) async throws -> Void
  ) -> IndependentProgram {
    IndependentProgram(name) { logged in
      logged.start("first") { try await work(logged, $0) }
      logged.start("other") { _ in logged.log("other") }
    }
  }

  static let calls = first("work that begins with a call") { logged, _ in
    try await logged.call("first")
    logged.log("first")
  }

  static let dispatching = first("work that begins with a dispatch") { logged, _ in
    logged.log("first")
    try await logged.call("first")
  }

  static let readingState = first("work that begins with a read of the state") { logged, _ in
    let count = logged.store.state.names.count
    try await logged.call("first")
    logged.log("first \(count)")
  }

  static let readingKeptState = first("work that begins with a read of its state") { logged, context in
    let count = context.state.names.count
    try await logged.call("first")
    logged.log("first \(count)")
  }

  static let readingKeptStateLater = first("work that reads its first state") { logged, context in
    try await logged.call("first")
    logged.log("first \(context.state.names.count)")
  }

  static let readingTime = IndependentProgram("work that begins with a read of the time") { logged in
    logged.start("sleep") { _ in try await logged.run.clock.sleep(for: .seconds(1)) }
    await logged.run.untilQuiet(holding: 0)
    logged.start("sleep again") { _ in try await logged.run.clock.sleep(for: .seconds(1)) }
    logged.start("first") { context in
      let time = context.time
      try await logged.call("first")
      logged.log("first \(time)")
    }
  }

  /// A program in which work that begins with a sleep and a deadline are pending together.
  private static func sleeping(_ name: String, _ seconds: Int) -> IndependentProgram {
    IndependentProgram(name) { logged in
      let clock = logged.run.clock
      for (name, seconds) in [("long", 2), ("short", seconds)] {
        logged.start(name) { context in
          try await clock.sleep(until: .init(offset: .seconds(seconds)))
          logged.log("\(name) \(context.time)")
        }
      }
      logged.start("call") { context in
        try await logged.call("call")
        logged.log("call \(context.time)")
      }
    }
  }

  static let sleeping = sleeping("work that begins with a sleep", 1)
  static let sleepingEqually = sleeping("work that begins with a sleep until the same deadline", 2)

  static let starting = first("work that begins with other work") { logged, _ in
    logged.start("inner") { _ in
      try await logged.call("inner")
      logged.log("inner")
    }
    try await logged.call("first")
    logged.log("first")
  }

  static let resuming = IndependentProgram("work that begins with a value for other work") { logged in
    let (values, continuation) = AsyncStream<Int>.makeStream()
    logged.start("receive") { _ in
      for await value in values {
        logged.log("received \(value)")
        return
      }
    }
    for number in 1...2 {
      logged.start("send \(number)") { _ in
        continuation.yield(number)
        try await logged.call("sent \(number)")
      }
    }
  }

  static let resumingTest = IndependentProgram("work that begins with a value for the test") { logged in
    let (values, continuation) = AsyncStream<Int>.makeStream()
    logged.start("send") { _ in
      continuation.yield(1)
      try await logged.call("sent")
    }
    logged.start("other") { _ in logged.log("other") }
    for await _ in values { break }
    logged.log("received")
  }

  static let countingCalls = IndependentProgram("work that begins with a call that is counted") { logged in
    logged.start("first") { _ in await logged.tryCall("first") }
    logged.start("count") { _ in logged.log("\(logged.run.heldCalls.count) calls") }
  }

  static let possibleEvents = IndependentProgram("work that begins beside possible events") { logged in
    for name in ["a", "b"] {
      logged.start(name) { _ in await logged.tryCall(name) }
    }
    logged.run.may("cancel") { logged.cancel("a") }
    logged.run.may("log") { logged.log("event") }
  }

  static let listening = first("work that begins with a listener") { logged, _ in
    logged.listeners.start(when: { action, _, _ in "\(action)" == "other" }) { _, _ in
      logged.log("heard")
    }
    try await logged.call("first")
  }

  /// A program with a listener, which the first step of work stops.
  private static func stopping(
    _ name: String, _ stop: @escaping @Sendable (LoggedRun, StartedListener<RaceState>) -> Void
  ) -> IndependentProgram {
    IndependentProgram(name) { logged in
      let listener = logged.listeners.start(when: { action, _, _ in "\(action)" == "other" }) { _, _ in
        logged.log("heard")
      }
      logged.start("first") { _ in
        stop(logged, listener)
        try await logged.call("first")
      }
      logged.start("other") { _ in logged.log("other") }
    }
  }

  static let unlistening = stopping("work that begins with the stop of a listener") { logged, listener in
    logged.listeners.stop(listener.id)
  }

  static let clearingListeners = stopping("work that stops all listeners") { logged, _ in
    logged.listeners.clear()
  }

  static let askingListeners = IndependentProgram("work that reads whether a listener is active") { logged in
    let listener = logged.listeners.start(when: { _, _, _ in false }) { _, _ in }
    logged.start("ask") { _ in
      let isListening = logged.listeners.isListening(listener.id)
      try await logged.call("ask")
      logged.log("\(isListening)")
    }
    logged.start("stop") { _ in logged.listeners.stop(listener.id) }
  }

  static let subscribing = IndependentProgram("work that begins with a subscription") { logged in
    let counts = Recorder<Int>()
    logged.start("first") { _ in
      let token = logged.store.subscribe { counts.record($0.names.count) }
      try await logged.call("first")
      token.cancel()
      logged.log("\(counts.values)")
    }
    logged.start("other") { _ in logged.log("other") }
  }

  static let unsubscribing = IndependentProgram("work that begins with the end of a subscription") { logged in
    let counts = Recorder<Int>()
    let token = logged.store.subscribe { counts.record($0.names.count) }
    logged.start("first") { _ in
      token.cancel()
      try await logged.call("first")
      logged.log("\(counts.values)")
    }
    logged.start("other") { _ in logged.log("other") }
  }

  static let canceledFirst = IndependentProgram("work that begins with a cancellation") { logged in
    let other = Recorder<DispatchTask>()
    logged.start("first") { _ in
      other.values.first?.cancel()
      try await logged.call("first")
    }
    other.record(logged.start("other") { _ in logged.log("other") })
  }

  static let canceledScope = IndependentProgram("work that begins with the cancellation of a scope") {
    logged in
    let scope = EffectScope()
    logged.start("first") { _ in
      scope.cancelAll()
      try await logged.call("first")
    }
    scope.start { logged.log(Task.isCancelled ? "canceled" : "other") }
  }

  private struct Wait: AsyncRequest {
    typealias State = RaceState
    let logged: LoggedRun
    var policy: WorkPolicy { .latest.debounced(for: .seconds(1)) }

    func perform(in context: RequestContext<RaceState>) async throws -> Int { 1 }
  }

  static let abortedFirst = IndependentProgram("work that begins with the end of a request") { logged in
    let requests = Recorder<RequestTask<Wait>>()
    logged.start("first") { _ in
      requests.values.first?.abort()
      try await logged.call("first")
    }
    requests.record(logged.store.request(Wait(logged: logged)))
  }

  static let checkingCancellation = IndependentProgram("work that reads a cancellation") { logged in
    let other = logged.start("other") { _ in try await logged.call("other") }
    logged.start("first") { _ in
      let isCancelled = other.isCancelled
      try await logged.call("first")
      logged.log("\(isCancelled)")
    }
    logged.start("cancel") { _ in other.cancel() }
  }

  static let twoStores = IndependentProgram("work of two stores") { logged in
    let other = LoggedRun.store(logged.run)
    for (name, store) in [("a", logged.store), ("b", other)] {
      store.dispatch(
        Job(name) { context in
          try await logged.call(name)
          context.dispatch(LoggedRun.entry(name))
          logged.log("\(name) of \(other.state.names.count)")
        })
    }
  }

  static let spawning = first("work that begins with child tasks") { logged, _ in
    async let one: Void = logged.call("one")
    async let two: Void = logged.call("two")
    try await one
    logged.log("one")
    try await two
    logged.log("two")
  }
}
