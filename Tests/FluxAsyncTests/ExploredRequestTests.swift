import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Requests, in all orders", .unlessItHangs)
struct ExploredRequestTests {
  struct Log: FluxState, Equatable {
    /// The events of requests in the order of their actions, such as "pending 1".
    var events: [String] = []

    func index(_ event: String) -> Int? { events.firstIndex(of: event) }
  }

  struct Ask: AsyncRequest, CustomStringConvertible {
    let number: Int
    let policy: WorkPolicy
    let answer: @Sendable (Int) async throws -> Void

    func perform(in context: RequestContext<Log>) async throws -> Int {
      try await answer(number)
      return number
    }

    var description: String { "ask \(number)" }
  }

  struct Trouble: Error {}

  enum Policy: String, CaseIterable, Sendable {
    case every, latest, leading, queue

    var policy: WorkPolicy {
      switch self {
      case .every: .every
      case .latest: .latest
      case .leading: .leading
      case .queue: .queue
      }
    }
  }

  @Sendable
  private static func reduce(_ log: inout Log, _ action: any Action) {
    guard let event = action as? any RequestEvent else { return }
    let number =
      ((event as? Ask.Pending)?.request ?? (event as? Ask.Fulfilled)?.request
      ?? (event as? Ask.Rejected)?.request)?.number
    log.events.append("\(event.stage) \(number ?? 0)")
  }

  private func store(in run: ExplorationRun) -> TestStore<Log> {
    run.store(reducer: Self.reduce, state: Log())
  }

  /// Sends requests, of which the last can be sent at any time, and states rules for the policy.
  private func program(
    _ policy: Policy, isCancellable: Bool, mayCancel: Bool
  ) -> @Sendable (ExplorationRun) async -> Void {
    { run in
      let store = store(in: run)
      let answer: @Sendable (Int) async throws -> Void = { number in
        try await run.answer(
          to: "\(number)", failing: number == 1 ? [Trouble()] : [], isCancellable: isCancellable
        ) {}
      }
      run.always("each request settles once, after it was pending") { (log: Log) in
        (1...3).allSatisfy { number in
          let own = log.events.filter { $0.hasSuffix(" \(number)") }
          return own.isEmpty
            || own[0] == "pending \(number)" && own.dropFirst().count <= 1
              && own.dropFirst().allSatisfy { !$0.hasPrefix("pending") }
        }
      }
      run.eventually("each pending request is settled") { (log: Log) in
        (1...3).allSatisfy { number in
          log.index("pending \(number)") == nil || log.events.count { $0.hasSuffix(" \(number)") } == 2
        }
      }
      switch policy {
      case .every: break
      case .latest:
        run.always("no older request is fulfilled after a newer one is pending") { (log: Log) in
          (1...3).allSatisfy { number in
            guard let fulfilled = log.index("fulfilled \(number)") else { return true }
            return (1...3).allSatisfy { other in
              other <= number || log.index("pending \(other)").map { $0 > fulfilled } ?? true
            }
          }
        }
      case .leading, .queue:
        run.always("requests do not overlap") { (log: Log) in
          log.events.enumerated().allSatisfy {
            $0.element.hasPrefix("pending") == $0.offset.isMultiple(of: 2)
          }
        }
      }
      store.send(Ask(number: 1, policy: policy.policy, answer: answer))
      store.send(Ask(number: 2, policy: policy.policy, answer: answer))
      if mayCancel {
        run.may("cancel") { store.send(CancelWork(of: Ask.self)) }
      } else {
        run.may("ask 3") { store.send(Ask(number: 3, policy: policy.policy, answer: answer)) }
      }
      await run.untilQuiet()
      #expect(store.state.events.count.isMultiple(of: 2))
    }
  }

  @Test("keep the rules of their policy", arguments: Policy.allCases, [true, false])
  func policies(policy: Policy, isCancellable: Bool) async {
    let report = await explore { run in
      await program(policy, isCancellable: isCancellable, mayCancel: false)(run)
    }
    #expect(report.isComplete)
  }

  @Test("keep the rules of their policy while they are canceled", arguments: Policy.allCases)
  func cancellation(policy: Policy) async {
    let report = await explore { run in
      await program(policy, isCancellable: false, mayCancel: true)(run)
    }
    #expect(report.isComplete)
  }

  /// A request that answers immediately, after it has started a request that continues.
  private struct Branch: AsyncRequest {
    let number: Int
    let policy: WorkPolicy
    let answer: @Sendable (Int) async throws -> Void

    func perform(in context: RequestContext<Log>) async -> Int {
      context.dispatch(Ask(number: number, policy: .every, answer: answer))
      return number
    }
  }

  @Test("work that an answered request started delays a queued request, and no leading request")
  func branches() async {
    for policy in [Policy.leading, .queue] {
      let report = await explore { run in
        let store = store(in: run)
        let answer: @Sendable (Int) async throws -> Void = { number in
          try await run.answer(to: "\(number)") {}
        }
        if policy == .queue {
          run.always("the second branch begins after the first has settled") { (log: Log) in
            log.index("pending 2") == nil || log.events.count { $0.hasSuffix(" 1") } == 2
          }
        }
        store.send(Branch(number: 1, policy: policy.policy, answer: answer))
        await run.untilQuiet(holding: 1)
        store.send(Branch(number: 2, policy: policy.policy, answer: answer))
        if policy == .leading {
          await run.untilQuiet(holding: 2)
          #expect(run.heldCalls.sorted() == ["1", "2"])
        }
        run.may("cancel") { store.send(CancelWork(of: Branch.self)) }
        await run.untilQuiet()
        #expect(store.state.events.count.isMultiple(of: 2))
      }
      #expect(report.isComplete)
    }
  }

  @Test("an observer of the answer of a leading request can send the next one, which runs")
  func fromObserver() async {
    let report = await explore { run in
      let answer: @Sendable (Int) async throws -> Void = { number in
        try await run.answer(to: "\(number)", failing: number == 1 ? [Trouble()] : []) {}
      }
      let store = Store(reducer: Self.reduce, plugins: [run.plugin()], state: Log())
      let token = store.subscribe(initial: false) { log in
        guard log.events.last == "fulfilled 1" else { return }
        store.dispatch(Ask(number: 2, policy: .leading, answer: answer))
      }
      store.dispatch(Ask(number: 1, policy: .leading, answer: answer))
      run.may("ask 3") { store.dispatch(Ask(number: 3, policy: .leading, answer: answer)) }
      await run.untilQuiet()
      token.cancel()
      let events = store.state.events
      #expect(events.contains("fulfilled 1") == events.contains("fulfilled 2"))
      #expect(events.count.isMultiple(of: 2))
    }
    #expect(report.isComplete)
  }
}
