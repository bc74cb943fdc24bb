import Dispatch
import FluxAsync
import FluxCore
import FluxTesting

private struct Films: FluxState, Equatable {
  var found: [Int: Int] = [:]
  var failures = 0
}

private struct Server: Sendable {
  let run: ExplorationRun
}

private struct Load: AsyncRequest {
  let number: Int

  var policy: WorkPolicy { number == 0 ? .every.timingOut(after: .seconds(1)) : .every }

  func perform(in context: RequestContext<Films>) async throws -> Int {
    try await context.services(Server.self).run.answer(to: "load \(number)") { number }
  }
}

private func reduce(_ state: inout Films, _ action: any Action) {
  switch action {
  case let loaded as Load.Fulfilled: state.found[loaded.request.number] = loaded.value
  case is Load.Rejected: state.failures += 1
  default: break
  }
}

/// Explores all orders of requests, of which one has a time limit, and a cancellation.
private func exploring(_ requests: Int) -> Workload {
  Workload(
    "explore-requests-\(requests)",
    "all orders of \(requests) requests, a time limit, and a cancellation", turns: 1
  ) {
    { times in
      let done = DispatchSemaphore(value: 0)
      Task {
        for _ in 0..<times {
          let report = await explore(.exhaustive(limit: 100_000)) { run in
            let store = run.store(
              reducer: reduce, services: Services().with(Server(run: run)), state: Films())
            for number in 0..<requests { store.send(Load(number: number)) }
            run.may("cancel") { store.send(CancelWork(of: Load.self)) }
            await run.untilQuiet()
          }
          precondition(report.isComplete && report.failure == nil, "The exploration must be complete.")
        }
        done.signal()
      }
      done.wait()
    }
  }
}

let explorationWorkloads = [exploring(2), exploring(3)]
