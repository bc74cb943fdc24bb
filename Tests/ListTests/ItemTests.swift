import FluxAsync
import FluxCore
import FluxLists
import FluxTesting
import Observation
import TestSupport
import Testing

@Suite("A single value that is loaded", .unlessItHangs)
@MainActor
struct ItemTests {
  private struct Profile: AnyRepository {
    let server: Server<String?>

    func fetch() async throws -> String? { try await server.ask("profile") }
  }

  private let server = Server<String?>()

  @Test("a reload erases the value and loads it")
  func reload() async throws {
    let viewModel = ItemViewModel(initialData: "old", repository: Profile(server: server))
    #expect(viewModel.state == .loaded)
    let loading = Task { try await viewModel.reload() }
    await server.calls.count(atLeast: 1)
    #expect(viewModel.data == nil)
    #expect(viewModel.isLoading)
    server.answer(1, with: .success("new"))
    try await loading.value
    #expect(viewModel.data == "new")
    #expect(!viewModel.isLoading)
  }

  @Test("a refresh that fails keeps the value, and stores the error")
  func refreshFails() async {
    let viewModel = ItemViewModel(initialData: "old", repository: Profile(server: server))
    server.fail(1)
    await #expect(throws: ListFailure(Server<String?>.Trouble())) { try await viewModel.refresh() }
    #expect(viewModel.data == "old")
    #expect(viewModel.state == .error)
    #expect(viewModel.error == ListFailure(Server<String?>.Trouble()))
  }

  @Test("a repository may return no value, which counts as loaded")
  func none() async throws {
    let viewModel = ItemViewModel(repository: Profile(server: server))
    #expect(viewModel.state == .initialized)
    server.answer(1, with: .success(nil))
    #expect(try await viewModel.request().get() == nil)
    #expect(viewModel.state == .loaded)
  }

  @Test("a canceled load leaves the value unchanged, without a loading indicator")
  func cancelled() async {
    let viewModel = ItemViewModel(initialData: "old", repository: Profile(server: server))
    let loading = Task { try await viewModel.refresh() }
    await server.calls.count(atLeast: 1)
    loading.cancel()
    await #expect(throws: ListFailure(.cancelled)) { try await loading.value }
    #expect(viewModel.data == "old")
    #expect(viewModel.state == .loaded)
  }

  @Test("flushing erases the value, cancels its load, and drops the answer")
  func flush() async {
    let viewModel = ItemViewModel(initialData: "old", repository: Profile(server: server))
    let loading = Task { try await viewModel.refresh() }
    await server.calls.count(atLeast: 1)
    viewModel.flush()
    server.answer(1, with: .success("late"))
    _ = await loading.result
    #expect(viewModel.model.state == ItemState())
  }

  @Test("another value can be shown, and observers are notified of it")
  func override() {
    let viewModel = ItemViewModel(repository: Profile(server: server))
    let changed = Recorder<Bool>()
    withObservationTracking {
      _ = viewModel.data
    } onChange: {
      changed.record(true)
    }
    viewModel.overrideData(by: "mine")
    #expect(viewModel.data == "mine")
    #expect(changed.values == [true])
  }

  @Test("another value that is set during a load does not end the load, whose answer is shown later")
  func overrideWhileLoading() async throws {
    let viewModel = ItemViewModel(repository: Profile(server: server))
    let loading = Task { try await viewModel.refresh() }
    await server.calls.count(atLeast: 1)
    viewModel.overrideData(by: "mine")
    #expect(viewModel.data == "mine")
    #expect(viewModel.isLoading)
    server.answer(1, with: .success("new"))
    try await loading.value
    #expect(viewModel.data == "new")
  }

  private struct AppState: FluxState, Equatable {
    var name = ItemState<String>()
    var motto = ItemState<String>()
  }

  @Test("in an app's store a value is loaded by actions, which do not affect other values, and by a model")
  func slice() async {
    let name = ItemSlice("Name", at: \AppState.name, from: Profile(server: server))
    let motto = ItemSlice("Motto", at: \AppState.motto, from: Profile(server: server))
    let store = Store(reducer: combine(name.reducer, motto.reducer), state: AppState())
    server.answer(1, with: .success("Ada"))
    _ = await store.request(name.reload).result
    #expect(store.state.name.item == "Ada")
    #expect(store.state.motto == ItemState())
    #expect("\(name.reload) \(name.refresh) \(name.flush)" == "Name.reload Name.refresh Name.flush")

    let model = ItemModel(motto, in: store.proxy)
    server.answer(2, with: .success("Onwards"))
    await model.refresh()
    #expect(store.state.motto.item == "Onwards")
    store.dispatch(motto.flush)
    #expect(model.state.item == nil)
  }

  @Test("a late answer changes nothing")
  func stale() async {
    let late = Server<String?>(heedsCancellation: false)
    let name = ItemSlice("Name", at: \AppState.name, from: Profile(server: late))
    let store = Store(
      reducer: name.reducer, plugins: [.asyncWork(policies: [.of(ItemLoad<String>.self, .every)])],
      state: AppState())
    let old = store.request(name.reload)
    await late.calls.count(atLeast: 1)
    let new = store.request(name.reload)
    await late.calls.count(atLeast: 2)
    late.answer(2, with: .success("new"))
    _ = await new.result
    late.answer(1, with: .success("old"))
    _ = await old.result
    #expect(store.state.name.item == "new")
  }
}
