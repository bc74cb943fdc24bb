import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Services of work", .unlessItHangs)
struct ServicesOfWorkTests {
  protocol Naming: Sendable {
    func name() -> String
  }

  struct Fixed: Naming {
    let text: String

    func name() -> String { text }
  }

  struct NameTask: TaskAction {
    func execute(in context: TaskContext<Shelf>) async throws {
      context.dispatch(Arrived(text: try context.services((any Naming).self).name()))
    }
  }

  struct NameRequest: AsyncRequest {
    func perform(in context: RequestContext<Shelf>) async throws -> String {
      try context.services((any Naming).self).name()
    }
  }

  private func store(
    _ services: Services = Services().with(Fixed(text: "a"), as: (any Naming).self),
    plugins: [Plugin<Shelf>] = []
  ) -> Store<Shelf> {
    Store(reducer: shelfReducer, plugins: plugins, services: services, state: Shelf())
  }

  // MARK: Each kind of work

  @Test("a task finds the services of its store")
  func task() async {
    let store = store()
    await store.dispatchAsync(NameTask()).finished()
    #expect(store.state.texts == ["a"])
  }

  @Test("a request finds the services of its store")
  func request() async throws {
    let store = store()
    #expect(try await store.request(NameRequest()).value == "a")
    withExtendedLifetime(store) {}
  }

  @Test("a plan finds the services of its store, at once and in a task")
  func plan() async {
    let store = store()
    store.dispatch(
      ActionPlan<Shelf> { store in store.dispatch(Arrived(text: try store.services((any Naming).self).name()))
      })
    #expect(store.state.texts == ["a"])
    let later = ActionPlan<Shelf> { store in
      await Task.yield()
      store.dispatch(Arrived(text: try store.services((any Naming).self).name()))
    }
    await store.dispatchAsync(later).finished()
    #expect(store.state.texts == ["a", "a"])
  }

  @Test("a plan that ends with a callback finds the services of its store")
  func planWithCallback() async {
    let store = store()
    let plan = ActionPlan<Shelf> { store, completed in
      if let naming = try? store.services((any Naming).self) {
        store.dispatch(Arrived(text: naming.name()))
      }
      completed()
      return nil
    }
    store.dispatch(plan)
    #expect(store.state.texts == ["a"])
    // With a policy that retries it, the plan runs in a task.
    await store.dispatchAsync(plan.policy(.every.retrying(.times(1)))).finished()
    #expect(store.state.texts == ["a", "a"])
  }

  @Test("kept work finds the services of its store")
  func kept() async {
    let names = EventLog<String>()
    let store = store(plugins: [
      .keep(while: { $0.texts.first }) { _, store in
        names.record(try store.services((any Naming).self).name())
      }
    ])
    store.dispatch(Arrived(text: "key"))
    await names.count(atLeast: 1)
    #expect(names.values == ["a"])
  }

  @Test("kept work of a lifted plug-in finds the changed services")
  func keptLifted() async {
    struct Whole: FluxState {
      var shelf = Shelf(texts: ["key"])
    }
    let names = EventLog<String>()
    let plugin = Plugin<Shelf>.keep(while: { $0.texts.first }) { _, store in
      names.record(try store.services((any Naming).self).name())
    }
    let store = Store(
      reducer: { (_: inout Whole, _) in },
      plugins: [
        lift(plugin, to: \.shelf) { $0.with(Fixed(text: "b"), as: (any Naming).self) }
      ], services: Services().with(Fixed(text: "a"), as: (any Naming).self), state: Whole())
    await names.count(atLeast: 1)
    #expect(names.values == ["b"])
    withExtendedLifetime(store) {}
  }

  @Test("each attempt of a task has a number and the error of the previous attempt")
  func attempts() async {
    struct Repeated: TaskAction {
      let seen: EventLog<String>
      var policy: WorkPolicy { .every.retrying(.times(1)) }

      func execute(in context: TaskContext<Shelf>) async throws {
        seen.record("\(context.attempt) \(context.lastError.map { "\($0)" } ?? "none")")
        throw Service.Trouble()
      }
    }
    let (seen, store) = (EventLog<String>(), store())
    await store.dispatchAsync(Repeated(seen: seen)).finished()
    #expect(seen.values == ["1 none", "2 trouble"])
  }

  // MARK: Missing services

  private func failure(of action: some Action) async -> String? {
    let store = store(Services())
    await store.dispatchAsync(action).finished()
    return store.state.failures.first
  }

  @Test("a task without its service fails with an error that names the action and the service")
  func missingInTask() async {
    #expect(
      await failure(of: NameTask()) == """
        NameTask requires a service of type Naming, but the store has none. Register the service when you \
        create the store: Services { $0.register(…) }.
        """)
  }

  @Test("a request without its service is rejected with an error that names the request")
  func missingInRequest() async {
    let store = store(Services())
    let error = await #expect(throws: RequestFailure<any Error>.self) {
      try await store.request(NameRequest()).value
    }
    withExtendedLifetime(store) {}
    guard case .failed(let failure) = error, let missing = failure as? MissingService else {
      Issue.record("not a missing service: \(String(describing: error))")
      return
    }
    #expect(missing.action == "NameRequest")
    #expect(missing.service == "Naming")
  }

  @Test("a plan without its service fails with an error that names the line of the plan")
  func missingInPlan() async {
    let plan = ActionPlan<Shelf>(file: "App/Plans.swift", line: 7) { store in
      _ = try store.services((any Naming).self)
    }
    let text = "requires a service of type Naming"
    #expect(await failure(of: plan)?.hasPrefix("ActionPlan<Shelf> (App/Plans.swift:7) \(text)") == true)
    #expect(await failure(of: plan.named("names"))?.hasPrefix("ActionPlan<Shelf> (names) \(text)") == true)
  }

  @Test("an error of a look-up without a context is reported with the name of the action")
  func namedByReport() async {
    struct Outside: TaskAction {
      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        _ = try Services()((any Naming).self)
      }
    }
    #expect(await failure(of: Outside())?.hasPrefix("Outside requires a service of type Naming") == true)
  }

  @Test("a task that implements neither of its two methods stops the program")
  func neitherMethod() async {
    struct Idle: TaskAction {
      typealias State = Shelf
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(reducer: shelfReducer, state: Shelf())
      await store.dispatchAsync(Idle()).finished()
      withExtendedLifetime(store) {}
    }
    expect(
      result, says: "Idle was dispatched, but implements neither execute(in:) nor execute(state:dispatch:)")
  }

  @Test("kept work without its service fails with an error that names its key")
  func missingInKeptWork() async {
    let failures = EventLog<String>()
    let store = store(
      Services(),
      plugins: [
        .asyncWork(onError: { error, _ in failures.record("\(error)") }),
        .keep(while: { $0.texts.first }) { _, store in _ = try store.services((any Naming).self) },
      ])
    store.dispatch(Arrived(text: "key"))
    await failures.count(atLeast: 1)
    #expect(failures.values.first?.hasPrefix("KeptWork<String> requires a service of type Naming") == true)
  }
}
