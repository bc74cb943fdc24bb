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

  private struct Ask: Action {
    let question: String
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

  @Test("search: the latest text wins, and a late answer is not shown")
  func search() async {
    let report = await explore { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: Note.self, taking: .latest) { note, listener in
        try await listener.delay(for: .milliseconds(300))
        try await listener.pause { try await run.answer(to: note.text, isCancellable: false) {} }
        listener.dispatch(Result(text: note.text))
      }
      let store = makeStore(run, listeners)
      run.always("no late answer") { (state: Heard) in
        state.results.enumerated().allSatisfy { index, text in
          index > 0 || text == "fl" || state.notes.last == text
        }
      }
      run.eventually("the latest text is the last result") { (state: Heard) in
        state.results.last == state.notes.last
      }
      store.send(Note(text: "fl"))
      run.may("search flux") { store.send(Note(text: "flux")) }
    }
    #expect(report.isComplete)
  }

  @Test("polling: no message is received after the action that stops the loop")
  func polling() async {
    let report = await explore { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: Note.self, taking: .leading) { _, listener in
        let polling = listener.fork { task in
          for number in 1...3 {
            try await task.pause { try await run.answer(to: "message \(number)") {} }
            listener.dispatch(Result(text: "\(number)"))
          }
        }
        try await listener.take { action, _, _ in action is Decline }
        polling.cancel()
        _ = try? await polling.result
        listener.dispatch(Confirm())
      }
      let store = makeStore(run, listeners)
      run.always("no message after the end of the loop") { (state: Heard) in
        state.results == (1...3).prefix(state.results.count).map { "\($0)" }
      }
      store.send(Note(text: "poll"))
      await run.untilQuiet(holding: 1)
      run.may("stop") { store.send(Decline()) }
      await run.untilQuiet()
      let messages = store.state.results.count
      if store.state.notes.contains("declined") {
        #expect(store.state.notes == ["poll", "declined", "confirmed"])
      } else {
        #expect(messages == 3)
        listeners.clear()
      }
    }
    #expect(report.isComplete)
  }

  @Test("one action cancels the waiting work of others, at any time before the work ends")
  func cancellation() async {
    let report = await explore { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: [Note.self, Decline.self]) { action, listener in
        guard let note = action as? Note else { return listener.cancelActiveListeners() }
        do {
          try await listener.delay(for: .seconds(10))
          listener.dispatch(Result(text: note.text))
        } catch let error as ListenerError where error.code == .listenerSuperseded {
          listener.dispatch(Confirm())
        }
      }
      let store = makeStore(run, listeners)
      store.send(Note(text: "a"))
      run.may("cancel") { store.send(Decline()) }
      await run.untilQuiet()
      let state = store.state
      // The cancellation can also happen before the work begins, and after the result.
      #expect(state.results.isEmpty || !state.notes.contains("confirmed"))
      #expect(state.notes.contains("declined") || state.results == ["a"])
    }
    #expect(report.isComplete)
  }

  @Test("request and reply: each question receives a reply to it")
  func requestAndReply() async {
    let report = await explore { run in
      let listeners = Listeners<Heard>()
      listeners.start(of: Note.self) { note, listener in
        try await listener.pause { try await run.answer(to: note.text) {} }
        listener.dispatch(Result(text: "answer to \(note.text)"))
      }
      listeners.start(of: Ask.self) { ask, listener in
        let reply = try await listener.take(
          doing: { listener.dispatch(Note(text: ask.question)) },
          when: { action, _, _ in (action as? Result)?.text == "answer to \(ask.question)" })
        if let result = reply.action as? Result { listener.dispatch(Result(text: "received \(result.text)")) }
      }
      let store = makeStore(run, listeners)
      store.send(Ask(question: "one"))
      store.send(Ask(question: "two"))
      await run.untilQuiet()
      let received = store.state.results.filter { $0.hasPrefix("received") }
      #expect(received.sorted() == ["received answer to one", "received answer to two"])
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
