import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Listeners, in all orders", .unlessItHangs)
struct ExploredListenerTests {
  private struct Heard: FluxState, Equatable {
    /// The texts of the notes, in the order of their actions.
    var notes: [String] = []
    /// The results of listeners.
    var results: [String] = []
  }

  private struct Result: Action {
    let text: String
  }

  private struct Confirm: Action {}
  private struct Decline: Action {}

  private func makeStore(_ run: ExplorationRun, _ listeners: Listeners<Heard>) -> TestStore<Heard> {
    run.store(
      reducer: { (state: inout Heard, action) in
        switch action {
        case let note as Note: state.notes.append(note.text)
        case is Confirm: state.notes.append("confirmed")
        case is Decline: state.notes.append("declined")
        case let result as Result: state.results.append(result.text)
        default: break
        }
      }, plugins: [listeners.plugin], state: Heard())
  }

  @Test("debounced: after the last note, exactly its text is a result, and no older text follows")
  func debounce() async {
    let report = await explore { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: Note.self) { note, listener in
        listener.cancelActiveListeners()
        try await listener.delay(for: .seconds(15))
        listener.dispatch(Result(text: note.text))
      }
      let store = makeStore(run, listeners)
      run.always("results are in the order of the notes") { (state: Heard) in
        state.results == state.notes.filter(state.results.contains)
      }
      run.eventually("the last note is the last result") { (state: Heard) in
        state.results.last == state.notes.last
      }
      store.send(Note(text: "a"))
      run.may("note b") { store.send(Note(text: "b")) }
    }
    #expect(report.isComplete)
  }

  // An action that is dispatched before the task of the listener waits is not received.
  @Test("of two awaited actions and a time limit, exactly one is the result")
  func firstOfThree() async {
    let report = await explore { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: Note.self) { note, listener in
        let answer = try await listener.take(timeout: .seconds(10)) { action, _, _ in
          action is Confirm || action is Decline
        }
        let text = answer.map { $0.action is Confirm ? "confirmed" : "declined" } ?? "timed out"
        listener.dispatch(Result(text: text))
      }
      let store = makeStore(run, listeners)
      run.eventually("one result, which is an event") { (state: Heard) in
        state.results.count == 1
          && (state.results == ["timed out"] || state.notes.contains(state.results[0]))
      }
      store.send(Note(text: "ask"))
      run.may("confirm") { store.send(Confirm()) }
      run.may("decline") { store.send(Decline()) }
    }
    #expect(report.isComplete)
  }

  @Test("a listener that takes any answer takes the wrong one, and the exploration finds it")
  func wrongAnswer() async throws {
    let reports = Recorder<TestReport>()
    let report = await explore(reporter: TestReporter { reports.record($0) }) { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: Note.self) { note, listener in
        guard note.text.hasPrefix("ask") else { return }
        let (answer, _, _) = try await listener.take(of: Result.self)
        if !answer.text.hasSuffix(note.text) { listener.dispatch(Confirm()) }
      }
      let store = makeStore(run, listeners)
      run.always("no listener takes the answer to another question") { (state: Heard) in
        !state.notes.contains("confirmed")
      }
      for question in ["ask 1", "ask 2"] { store.send(Note(text: question)) }
      for question in ["ask 1", "ask 2"] {
        run.may("answer \(question)") { store.send(Result(text: "answer to \(question)")) }
      }
      await run.untilQuiet()
      listeners.clear()
    }
    let failure = try #require(report.failure)
    #expect(failure.story.contains("answer ask 2 → no listener takes the answer to another question"))
  }
}
