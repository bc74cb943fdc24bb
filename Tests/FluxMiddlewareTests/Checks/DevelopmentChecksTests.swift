import FluxCore
import FluxMiddleware
import FluxTesting
import Synchronization
import TestSupport
import Testing

@Suite("The development checks")
struct DevelopmentChecksTests {
  private let clock = ManualClock()
  private let found = Recorder<DevelopmentProblem>()

  /// An action that carries work, like a user's own action type.
  private struct Working: Action {
    func _startWork(in context: ActionContext) -> WorkStart? {
      context.dispatch(Add())
      return nil
    }
  }

  private func checks(
    _ checks: DevelopmentChecks = .all, handlers: ActionHandlers<Tally>? = nil,
    ignoring: ActionFilter = .only(EmptyAction.self)
  ) -> Plugin<Tally> {
    .developmentChecks(
      checks, budgets: DevelopmentBudgets(reducer: .seconds(1), observers: .seconds(2), nestedDispatches: 50),
      handlers: handlers, ignoring: ignoring, clock: clock, evenInRelease: true,
      report: { [found] in found.record($0) })
  }

  private func store(
    plugins: [Plugin<Tally>], reducer: @escaping MutatingReducer<Tally> = tallyReducer.reducer
  ) -> Store<Tally> {
    Store(reducer: reducer, plugins: plugins, state: Tally())
  }

  private func expectOne(
    _ check: DevelopmentChecks, at type: any Action.Type, says parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let problems = found.takeAll()
    #expect(problems.count == 1, "\(problems)", sourceLocation: sourceLocation)
    for problem in problems {
      #expect(problem.check == check, sourceLocation: sourceLocation)
      #expect(ObjectIdentifier(problem.actionType) == ObjectIdentifier(type), sourceLocation: sourceLocation)
      for part in ["Flux check: "] + parts {
        #expect("\(problem)".contains(part), "\(problem)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("a correct program causes no reports, and the store behaves as it does without the checks")
  func well() {
    let store = store(plugins: [checks()])
    let token = store.subscribe { _ in }
    for amount in 1...3 { store.dispatch(Add(amount: amount)) }
    store.dispatch(Note(text: "a"))
    #expect(found.values.isEmpty)
    #expect(store.state == Tally(sum: 6, log: ["a"]))
    token.cancel()
  }

  // MARK: Impure reducers

  @Test("a reducer that gives different results for the same input is reported once for each type of action")
  func impure() {
    let calls = Shared(0)
    let store = store(plugins: [checks()]) { tally, action in
      tally.sum += action is Add ? calls.increment() : 1
    }
    store.dispatch(Add())
    expectOne(.impureReducers, at: Add.self, says: "Reducing Add twice", "sum: 1 → 2", "pass them in")
    store.dispatch(Add())
    store.dispatch(Note(text: "pure"))
    #expect(found.values.isEmpty)
    // After the report, an action of the type is reduced only once.
    #expect(calls.value == 3)
  }

  @Test("a check that is not selected is not made")
  func notAsked() {
    let calls = Shared(0)
    let store = store(plugins: [checks([.slowReducers])]) { tally, _ in tally.sum += calls.increment() }
    store.dispatch(Add())
    #expect(found.values.isEmpty)
    #expect(calls.value == 1)
  }

  // MARK: Slowness

  @Test("a reducer that exceeds its budget is reported, and one that takes exactly its budget is not")
  func slowReducer() {
    let store = store(plugins: [checks([.slowReducers])]) { [clock] tally, action in
      clock.advance(by: .seconds((action as? Add)?.amount ?? 1))
      tally.sum += 1
    }
    store.dispatch(Note(text: "one second"))
    #expect(found.values.isEmpty)
    store.dispatch(Add(amount: 2))
    expectOne(
      .slowReducers, at: Add.self, says: "Reducing Add took 2 s", "exceeds the budget of 1 s")
    store.dispatch(Add(amount: 3))
    #expect(found.values.isEmpty)
  }

  @Test("observers that together exceed their budget are reported with the action that they were called for")
  func slowObservers() {
    let store = store(plugins: [checks()])
    let tokens = (1...2).map { _ in
      store.subscribe(to: \.sum, initial: false) { [clock] sum in
        clock.advance(by: sum > 10 ? .milliseconds(1_500) : .seconds(1))
      }
    }
    store.dispatch(Add())
    #expect(found.values.isEmpty)
    store.dispatch(Add(amount: 20))
    expectOne(
      .slowObservers, at: Add.self, says: "took 3 s for Add", "exceeds their total budget of 2 s"
    )
    tokens.forEach { $0.cancel() }
  }

  @Test("a slow reducer is not attributed to observers, and slow observers are not attributed to the reducer")
  func tellingApart() {
    let store = store(plugins: [checks([.slowReducers, .slowObservers])]) { [clock] tally, _ in
      clock.advance(by: .seconds(3))
      tally.sum += 1
    }
    let token = store.subscribe { _ in }
    store.dispatch(Add())
    expectOne(.slowReducers, at: Add.self)
    token.cancel()
  }

  @Test("the time of observers counts for the dispatch that called them, not for an enclosing dispatch")
  func nestedDispatch() {
    // After the checks: dispatches another action, and then takes time.
    let behind = Plugin<Tally>(
      middleware: interceptActions(of: Note.self) { [clock] store, note, next in
        store.dispatch(Add())
        clock.advance(by: .seconds(10))
        next(note)
      })
    let store = store(plugins: [checks(), behind])
    let token = store.subscribe { _ in }
    store.dispatch(Note(text: "a"))
    #expect(found.values.isEmpty)
    token.cancel()
  }

  // MARK: Unhandled actions

  @Test("an action that changes nothing is reported once, unless an action of its type has changed something")
  func unhandled() {
    let store = store(plugins: [checks()])
    store.dispatch(Unhandled())
    expectOne(
      .unhandledActions, at: Unhandled.self,
      says: "Unhandled reached the reducer, but changed nothing and started no work", "on(Unhandled.self)")
    store.dispatch(Unhandled())
    store.dispatch(Add(amount: 1))
    store.dispatch(Add(amount: 0))
    #expect(found.values.isEmpty)
    store.dispatch(Note(text: "a"))
    #expect(found.values.isEmpty)
  }

  @Test("with the store's handlers, actions that have a handler may change nothing")
  func handlers() {
    let store = store(plugins: [checks(handlers: tallyReducer)])
    store.dispatch(Add(amount: 0))
    #expect(found.values.isEmpty)
    store.dispatch(Unhandled())
    expectOne(.unhandledActions, at: Unhandled.self)
  }

  @Test("actions with work, empty actions, resets, and ignored actions may change nothing")
  func exceptions() {
    let store = store(plugins: [.storeActions, checks(ignoring: .only(Unhandled.self, EmptyAction.self))])
    store.dispatch(Working())
    store.dispatch(EmptyAction())
    store.dispatch(Unhandled())
    store.prepare()
    store.reset(to: Tally(sum: 5))
    #expect(found.values.isEmpty)
    #expect(store.state.sum == 5)
  }

  @Test("a reset in a store without the plug-in that performs it is reported")
  func resetWithoutPlugin() {
    let store = store(plugins: [checks()])
    store.prepare()
    store.reset(to: Tally())
    #expect(found.values.isEmpty)
    store.reset(to: Tally(sum: 5))
    expectOne(
      .unhandledActions, at: StoreAction<Tally>.self, says: "add the plug-in .storeActions to the store")
  }

  @Test("a held action that arrives later on another thread is not reported as unhandled work")
  func late() {
    let later = Recorder<@Sendable () -> Void>()
    let holding = Plugin<Tally>(
      middleware: interceptActions { _, action, next in later.record { next(action) } })
    let store = store(plugins: [checks(), holding])
    store.dispatch(Working())
    onAnotherThread { for call in later.takeAll() { call() } }
    onAnotherThread { for call in later.takeAll() { call() } }
    #expect(store.state.sum == 1)
    #expect(found.values.isEmpty)
  }

  @Test("when a state is too large to be compared completely, nothing is reported")
  func largeState() {
    struct Entry: Sendable {
      var value = 0
    }
    struct Large: FluxState {
      var entries = Array(repeating: Entry(), count: 5_000)
    }
    let plugin = Plugin<Large>.developmentChecks(
      clock: clock, evenInRelease: true, report: { [found] in found.record($0) })
    let store = Store<Large>(
      reducer: { large, _ in large.entries[4_999].value += 1 }, plugins: [plugin], state: Large())
    store.dispatch(Add())
    #expect(found.values.isEmpty)
  }

  @Test("actions that the built-in plug-ins reduce, including lifted ones, are not reported as unhandled")
  func pluginActions() async {
    let history = History<Int>(records: .only(Add.self))
    let persistence = Persistence<Tally, [String]>(of: \.log, in: InMemoryStorage(), onProblem: { _ in })
    let store = store(plugins: [persistence.plugin, lift(history.plugin, to: \.sum), checks()])
    store.dispatch(Add())
    for _ in 1...2 { store.dispatch(HistoryAction.undo) }
    _ = await persistence.restore()
    #expect(store.state.sum == 0)
    #expect(found.values.isEmpty)
  }

  @Test("a history action without a matching history is reported, whatever the position of the checks")
  func strayHistoryAction() {
    for isFirst in [true, false] {
      let history = History<Tally>(named: "a")
      let store = store(plugins: isFirst ? [history.plugin, checks()] : [checks(), history.plugin])
      store.dispatch(HistoryAction.undo.in(history))
      #expect(found.values.isEmpty)
      store.dispatch(HistoryAction.undo)
      expectOne(
        .unhandledActions, at: HistoryAction.self, says: "the plug-in of the history that the action names")
    }
  }

  @Test("a history that follows the checks records each action once, and does not count as an impure reducer")
  func beforeHistory() {
    let history = History<Tally>()
    let store = store(plugins: [checks(), history.plugin])
    for _ in 1...3 { store.dispatch(Add()) }
    #expect(history.record.count == 3)
    store.dispatch(HistoryAction.undo)
    #expect(store.state.sum == 2)
    #expect(found.values.isEmpty)
  }

  // MARK: Storms

  @Test("repeated dispatches of observers within one dispatch are reported once they exceed the limit")
  func storm() {
    let store = store(plugins: [checks()])
    let token = store.subscribe(to: \.sum, initial: false) { sum in
      if sum < 60 { store.dispatch(Add()) }
    }
    store.dispatch(Add(amount: 20))
    #expect(found.values.isEmpty)
    store.dispatch(Add(amount: -60))
    expectOne(
      .dispatchStorms, at: Add.self, says: "Add is action number 51 that was dispatched within one dispatch")
    #expect(store.state.sum == 60)
    token.cancel()
  }

  @Test("many dispatches one after another are not reported")
  func noStorm() {
    let store = store(plugins: [checks()])
    let token = store.subscribe { _ in }
    for _ in 0..<200 { store.dispatch(Add()) }
    #expect(found.values.isEmpty)
    token.cancel()
  }

  // MARK: With other plug-ins

  @Test("reports are made outside the store's lock, and their receiver may dispatch")
  func dispatchingReport() {
    let holder = Shared<Store<Tally>?>(nil)
    let plugin = Plugin<Tally>.developmentChecks(
      clock: clock, evenInRelease: true, report: { _ in holder.value?.dispatch(Note(text: "reported")) })
    let store = store(plugins: [plugin])
    holder.value = store
    store.dispatch(Unhandled())
    #expect(store.state.log == ["reported"])
    holder.value = nil
  }

  @Test("threads that dispatch at the same time are distinguished")
  func threads() {
    let store = store(plugins: [checks()])
    let token = store.subscribe { _ in }
    onThreads(4) { _ in for _ in 0..<100 { store.dispatch(Add()) } }
    #expect(found.values.isEmpty)
    #expect(store.state.sum == 400)
    token.cancel()
  }

  @Test("the checks are off by default in a release build, and on in a debug build")
  func release() {
    let plugin = Plugin<Tally>.developmentChecks()
    #if DEBUG
      #expect(plugin.wrapReducer != nil)
    #else
      #expect(plugin.wrapReducer == nil && plugin.middleware == nil && plugin.onTransition == nil)
    #endif
  }
}
