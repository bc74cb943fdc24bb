import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Services of test stores")
struct TestStoreServicesTests {
  private protocol Naming: Sendable {
    func name() async -> String
  }

  private struct Fixed: Naming {
    let text: String
    var wait: @Sendable () async -> Void = {}

    func name() async -> String {
      await wait()
      return text
    }
  }

  private struct TakeNote: TaskAction {
    func execute(in context: TaskContext<Tally>) async throws {
      context.dispatch(Note(text: try await context.services((any Naming).self).name()))
    }
  }

  private func store(_ services: Services, in reports: Reports = Reports()) -> TestStore<Tally> {
    TestStore(
      reducer: reduce, services: services, state: Tally(), timeout: .seconds(900),
      reporter: reports.reporter)
  }

  @Test("work in a test store finds the services of the test")
  func replaced() async {
    let reports = Reports()
    let store = store(Services().with(Fixed(text: "test"), as: (any Naming).self), in: reports)
    store.send(TakeNote())
    await store.receive(Note(text: "test")) { $0.notes = ["test"] }
    await store.finish()
    #expect(reports.failures.isEmpty)
  }

  @Test("a service that a test does not provide is a failure that names the action and the service")
  func missing() async {
    let reports = Reports()
    let store = store(Services(), in: reports)
    store.exhaustivity = .off
    store.send(TakeNote())
    await store.receive { (action: WorkFailed) in
      let missing = action.error as? MissingService
      return missing?.action == "TakeNote" && missing?.service == "Naming"
    }
    await store.finish()
    #expect(reports.failures.isEmpty)
  }

  @Test("two test stores that run at the same time use their own services")
  func parallel() async {
    let (first, second) = (EventLog<Void>(), EventLog<Void>())
    let reports = Reports()
    // Each service waits until the work of the other store has found its service.
    let one = store(
      Services().with(
        Fixed(text: "one") {
          first.record(())
          await second.count(atLeast: 1)
        }, as: (any Naming).self), in: reports)
    let two = store(
      Services().with(
        Fixed(text: "two") {
          second.record(())
          await first.count(atLeast: 1)
        }, as: (any Naming).self), in: reports)
    await withTaskGroup { group in
      for (store, text) in [(one, "one"), (two, "two")] {
        group.addTask {
          store.send(TakeNote())
          await store.receive(Note(text: text)) { $0.notes = [text] }
          await store.finish()
        }
      }
    }
    #expect(reports.failures.isEmpty)
    #expect(one.state.notes == ["one"])
    #expect(two.state.notes == ["two"])
  }
}
