import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Waiting for actions that another thread dispatches while the chain is being built", .unlessItHangs)
struct HeldDispatchTests {
  private struct Log: FluxState, Equatable {
    var entries: [String] = []
  }

  private struct Fetch: AsyncRequest {
    func perform(in context: RequestContext<Log>) async throws(Trouble) -> Int { 5 }
    struct Trouble: Error, Equatable {}
  }

  private struct Load: TaskAction {
    let service: Service

    func execute(state: Log, dispatch: @escaping DispatchFunction) async throws {
      _ = try await service.call("load")
      dispatch(Loaded())
    }
  }

  private struct Loaded: Action {}

  /// Creates a store during whose construction another thread dispatches through a proxy.
  private func makeStore(
    _ dispatch: @escaping @Sendable (StoreProxy<Log>) -> Void
  ) -> Store<Log> {
    let context = Shared<ActionContext?>(nil)
    let plugin = Plugin<Log>(onStoreStart: { context.value = $0 })
    let building: Middleware<Log> = { _, _ in
      let worker = Worker { if let proxy = context.value?.store(of: Log.self) { dispatch(proxy) } }
      worker.join()
      return { next in next }
    }
    return Store(
      reducer: { (log: inout Log, action: any Action) in log.entries.append("\(type(of: action))") },
      middleware: [building], plugins: [plugin], state: Log())
  }

  @Test("A request returns its value")
  func request() async {
    let request = Shared<RequestTask<Fetch>?>(nil)
    let store = makeStore { request.value = $0.request(Fetch()) }
    #expect(await request.value?.result == .success(5))
    withExtendedLifetime(store) {}
  }

  @Test("dispatchAsync waits for the action and for its work")
  func dispatchAsync() async {
    let (task, service) = (Shared<DispatchTask?>(nil), Service())
    let store = makeStore { task.value = $0.dispatchAsync(Load(service: service)) }
    await service.calls.count(atLeast: 1)
    #expect(task.value?.isRunning == true)
    #expect(store.state.entries == ["Load"])
    service.answer("load")
    await task.value?.finished()
    #expect(store.state.entries == ["Load", "Loaded"])
  }
}
