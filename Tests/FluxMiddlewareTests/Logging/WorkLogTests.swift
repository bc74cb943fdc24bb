import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

private struct Trouble: Error {
  let number: Part
}

private struct Part {
  let value: Int
}

private struct Load: TaskAction {
  let tries: Shared<Int>
  var policy: WorkPolicy { .every.retrying(.times(2, backoff: .constant(.seconds(1)))) }

  func execute(state: Logged, dispatch: @escaping DispatchFunction) async throws {
    throw Trouble(number: Part(value: tries.increment()))
  }
}

private struct Ask: AsyncRequest {
  let part = Part(value: 1)

  func perform(in context: RequestContext<Logged>) async -> [Part] { [part] }
}

private struct Put: Action {
  let parts: [Part?]
}

private struct Logged: FluxState {
  var part = Part(value: 0)
  var kept: [Part] = []
}

@Suite("The log lines of work", .unlessItHangs)
struct WorkLogTests {
  private let lines = Recorder<String>()
  private let clock = ManualClock()

  private func makeStore(
    middleware: [Middleware<Logged>] = [], hasHandler: Bool = false,
    checks: [Plugin<Logged>] = []
  ) -> Store<Logged> {
    let ignore: @Sendable (any Error, any Action) -> Void = { _, _ in }
    return Store(
      reducer: { (state: inout Logged, action: any Action) in
        guard let put = action as? Put else { return }
        state.kept = put.parts.compactMap { $0 }
      },
      middleware: middleware,
      plugins: [
        .asyncWork(clock: clock, onError: hasHandler ? ignore : nil),
        .logging(buffer: 0, sink: LogSink { [lines] in lines.record($0) }),
      ] + checks,
      state: Logged())
  }

  /// The lines without their levels and numbers, and without the changes.
  private var actions: [String] {
    lines.values.map { line in
      let action = line.split(separator: " ").dropFirst(2).joined(separator: " ")
      return action.components(endingBefore: " changed nothing")
    }
  }

  @Test("each failed attempt of a retry has a line with its error", arguments: [false, true])
  func attempts(hasHandler: Bool) async {
    let store = makeStore(hasHandler: hasHandler)
    let work = store.dispatchAsync(Load(tries: Shared(0)))
    for _ in 1...2 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    await work.finished()
    let failed: [String] = (1...2).map {
      "WorkAttemptFailed(Load, attempt \($0): Trouble(number: Part(value: \($0))))"
    }
    let last: [String] = hasHandler ? [] : ["WorkFailed(Load: Trouble(number: Part(value: 3)))"]
    #expect(Array(actions.dropFirst()) == failed + last)
  }

  @Test("an attempt of canceled work has no line")
  func cancelled() async {
    let store = makeStore()
    let work = store.dispatchAsync(Load(tries: Shared(0)))
    await clock.sleepers(atLeast: 1)
    work.cancel()
    await work.finished()
    #expect(actions.count == 2)
  }

  @Test("a failed attempt needs no handler")
  func unhandled() async {
    let problems = Recorder<DevelopmentProblem>()
    let store = makeStore(
      hasHandler: true,
      checks: [.developmentChecks(.unhandledActions, evenInRelease: true, report: { problems.record($0) })])
    let work = store.dispatchAsync(Load(tries: Shared(0)))
    for _ in 1...2 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    await work.finished()
    #expect(problems.values.map(\.message) == [])
  }

  @Test("the lines of a request are in the order of its stages")
  func request() async {
    let store = makeStore()
    await store.dispatchAsync(Ask()).finished()
    #expect(
      actions == [
        "Ask(part: Part(value: 1))", "Ask.Pending(#1 Ask(part: Part(value: 1)))",
        "Ask.Fulfilled(#1 Ask(part: Part(value: 1)): [Part(value: 1)])",
      ])
  }

  @Test("a line names types without their modules, both in actions and in changes")
  func names() {
    let store = makeStore()
    store.dispatch(Put(parts: [Part(value: 1), nil]))
    let line = lines.values.first ?? ""
    #expect(line.contains("Put(parts: [Optional(Part(value: 1)), nil])"))
    #expect(line.contains("kept: + Part(value: 1)"))
    #expect(!line.contains("FluxMiddlewareTests"))
  }
}

extension String {
  fileprivate func components(endingBefore end: String) -> String {
    firstRange(of: end).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
