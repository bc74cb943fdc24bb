import FluxAsync
import FluxCore
import TestSupport
import Testing

@testable import FluxTesting

@Suite("Orders that an exploration cuts")
struct CutOrdersTests {
  /// A generated program of searches.
  struct Program: Sendable, CustomStringConvertible {
    enum Step: Sendable {
      case search(Int, WorkPolicy, String)
      case possibleSearch(Int)
      case possibleCancellation
    }

    var steps: [Step] = []

    init(seed: UInt64) {
      var numbers = SeededNumbers(seed: seed)
      func pick<Value>(_ values: [Value]) -> Value { values[Int(numbers.next() % UInt64(values.count))] }
      let policies: [(WorkPolicy, String)] = [
        (.every, "every"), (.latest, "latest"), (.leading, "leading"), (.queue, "queue"),
        (.every.timingOut(after: .seconds(1)), "timeout"),
        (.latest.debounced(for: .seconds(1)), "debounced"),
        (.every.throttled(every: .seconds(1)), "throttled"),
      ]
      let (policy, name) = pick(policies)
      let isSlow = ["timeout", "debounced", "throttled"].contains(name)
      for number in 0..<(isSlow ? 1 : 2) { steps.append(.search(number, policy, name)) }
      steps.append(pick([.possibleSearch(9), .possibleCancellation]))
    }

    @Sendable
    func run(_ run: ExplorationRun, _ end: @Sendable (SearchState) -> Void) async {
      let store = run.searchStore()
      for step in steps {
        switch step {
        case .search(let number, let policy, _): store.send(Search("\(number)", policy))
        case .possibleSearch(let number): run.may("search \(number)") { store.send(Search("\(number)")) }
        case .possibleCancellation: run.may("cancel") { store.send(CancelWork(of: Search.self)) }
        }
      }
      await run.untilQuiet()
      end(store.state)
    }

    var description: String { "\(steps)" }
  }

  @Test("lead to the same states as the orders that it tries", arguments: UInt64(0)..<16)
  func sameStates(seed: UInt64) async {
    let program = Program(seed: seed)
    let (all, some) = (Recorder<SearchState>(), Recorder<SearchState>())
    let whole = await Explorer(cutsOrders: false) { run in
      await program.run(run) { all.record($0) }
    }.explore(.exhaustive(limit: 2_000))
    let cut = await Explorer { run in
      await program.run(run) { some.record($0) }
    }.explore(.exhaustive(limit: 2_000))
    #expect(whole.isComplete && cut.isComplete, "\(program)")
    #expect(Set(all.values.map { "\($0)" }) == Set(some.values.map { "\($0)" }), "\(program)")
    #expect(cut.orders <= whole.orders, "\(program)")
  }

  @Test("lead to the same states, because a moment contains", arguments: CutProgram.all)
  func moments(program: CutProgram) async {
    let (all, some) = (Recorder<RaceState>(), Recorder<RaceState>())
    let whole = await Explorer(cutsOrders: false) { run in
      all.record(try await program.perform(run).store.state)
    }.explore(.exhaustive(limit: 20_000))
    let cut = await Explorer { run in
      some.record(try await program.perform(run).store.state)
    }.explore(.exhaustive(limit: 20_000))
    #expect(whole.isComplete && cut.isComplete, "\(whole.failure?.story ?? cut.failure?.story ?? "")")
    #expect(Set(all.values.map(\.text)) == Set(some.values.map(\.text)))
    #expect(cut.orders <= whole.orders, "\(cut.orders) of \(whole.orders)")
  }

  @Test("lead to the same states, because steps are independent", arguments: IndependentProgram.all)
  func independentSteps(program: IndependentProgram) async {
    let (all, some) = (Recorder<[String]>(), Recorder<[String]>())
    func explorer(_ logs: Recorder<[String]>, cutsOrders: Bool) -> Explorer {
      Explorer(cutsOrders: cutsOrders) { run in
        let logged = LoggedRun(run)
        try await program.perform(logged)
        await run.untilQuiet()
        logs.record(logged.store.state.names)
      }
    }
    let whole = await explorer(all, cutsOrders: false).explore(.exhaustive(limit: 30_000))
    let cut = await explorer(some, cutsOrders: true).explore(.exhaustive(limit: 30_000))
    #expect(whole.isComplete && cut.isComplete, "\(whole.failure?.story ?? cut.failure?.story ?? "")")
    #expect(Set(all.values) == Set(some.values))
    #expect(cut.orders <= whole.orders, "\(cut.orders) of \(whole.orders)")
  }

  @Test("contain no attempt whose code begins after its cancellation")
  func attemptsCanceledFirst() async {
    let logs = Recorder<[String]>()
    let report = await Explorer(cutsOrders: false) { run in
      let logged = LoggedRun(run)
      logged.start("first", .every.timingOut(after: .seconds(1))) { _ in
        logged.log(Task.isCancelled ? "canceled" : "began")
      }
      logged.startCanceling("first")
      await run.untilQuiet()
      logs.record(logged.store.state.names)
    }.explore(.exhaustive())
    #expect(report.isComplete)
    #expect(logs.values.contains(["began"]))
    #expect(!logs.values.contains { $0.contains("canceled") })
  }

  @Test("have an order with a call that remains held after the cancellation of its work")
  func heldAfterCancellation() async throws {
    for cutsOrders in [false, true] {
      let report = await Explorer(cutsOrders: cutsOrders) { run in
        let logged = LoggedRun(run)
        logged.start("first") { _ in try await logged.call("first", isCancellable: false) }
        logged.startCanceling("first")
        await run.untilQuiet(holding: 1)
      }.explore(.exhaustive())
      let failure = try #require(report.failure)
      #expect(failure.messages == ["The test waits until 1 calls are held, but held calls are none."])
    }
  }

  @Test("are more than half of the orders of independent work")
  func independentWork() async {
    let program: @Sendable (ExplorationRun) async -> Void = { run in
      let store = run.searchStore()
      for number in 0..<3 { store.send(Search("\(number)")) }
      await run.untilQuiet()
    }
    let whole = await Explorer(cutsOrders: false, test: program).explore(.exhaustive(limit: 2_000))
    let cut = await Explorer(test: program).explore(.exhaustive(limit: 2_000))
    #expect(whole.isComplete && cut.isComplete)
    #expect(cut.cut > 0)
    #expect(2 * cut.orders < whole.orders, "\(cut.orders) of \(whole.orders)")
  }

  @Test("do not exist if the run does not create the store, because its states are not known")
  func otherStores() async {
    let results = Recorder<[String]>()
    let report = await explore { run in
      let store = Store(
        reducer: reduceSearch,
        services: Services().with(HeldFinder(run: run), as: (any Finder).self), state: SearchState())
      for words in ["a", "ab", "abc"] { store.dispatch(Search(words)) }
      await run.untilQuiet()
      results.record(store.state.found)
    }
    #expect(report.isComplete)
    #expect(report.cut == 0)
    #expect(Set(results.values) == [["a!"], ["ab!"], ["abc!"]])
  }
}

extension RaceState {
  fileprivate var text: String {
    "\(numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }), \(names)"
  }
}
