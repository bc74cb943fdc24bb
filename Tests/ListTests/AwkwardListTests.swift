import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import Observation
import TestSupport
import Testing

@Suite("Lists in unusual situations", .unlessItHangs)
struct AwkwardListTests {
  private let server = BookServer()

  @Test("a task that was canceled before it calls reload erases nothing")
  func cancelledBefore() async {
    let model = ListModel(from: PagedBooks(server), initialData: [Book(7)])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await model.reload()
    }
    guard case .failure(let error as ListFailure) = await task.result else {
      Issue.record("not cancelled")
      return
    }
    #expect(error.code == .cancelled)
    #expect(model.list.ids == [7])
    #expect(server.calls.values.isEmpty)
  }

  // MARK: Observing

  private struct Home: FluxState {
    var profile = ItemState<String>("me")
    var other = 0
  }

  private struct Other: Action {}

  private struct Profile: AnyRepository {
    func fetch() async throws -> String? { "you" }
  }

  @Test("an observer of a value in an app's store is not called for other changes")
  func itemIsExact() async {
    let profile = ItemSlice("Profile", at: \Home.profile, from: Profile())
    let reducer = combine(profile.reducer, on(Other.self) { (state: inout Home, _) in state.other += 1 })
    let store = Store(reducer: reducer, state: Home())
    let model = ItemModel(profile, in: store.proxy)
    let changed = Recorder<String>()
    withObservationTracking {
      _ = model.state
    } onChange: {
      changed.record("changed")
    }
    store.dispatch(Other())
    #expect(changed.values.isEmpty)
    await model.refresh()
    #expect(changed.values == ["changed"])
  }

  @Test("reporting that an item is shown does not observe the list")
  func shownDoesNotObserve() async throws {
    let model = ListModel(from: PagedBooks(server), initialData: (1...20).map { Book($0) })
    let changed = Recorder<String>()
    withObservationTracking {
      model.shown(1)
    } onChange: {
      changed.record("changed")
    }
    model.invalidate()
    #expect(changed.values.isEmpty)
  }

  /// Fails by its time limit, because the stream never ends.
  @MainActor
  @Test("numbered sections keep their versions if nothing has changed in them")
  func chunksKeepVersions() {
    let model = ListModel(from: PagedBooks(server), initialData: (1...5).map { Book($0) })
    let sections = ListSections(of: model, by: .chunks(of: 2))
    let before = sections.sections.map(\.items.stamp)
    #expect(sections.sections.map(\.items.stamp) == before)
    var list = model.list
    list.items.update(1) { $0.title = "new" }
    let after = sections.sections(of: list)
    #expect(after.first?.items.first?.title == "new")
    #expect(after.map(\.items.stamp).dropFirst() == before.dropFirst())
  }

  @Test("sections are computed from the present list, after any changes")
  func sectionsAnew() {
    var random = SeededGenerator(seed: 3)
    let model = ListModel(from: PagedBooks(server))
    let rules: [ListSectioning<Book>] = [.by { "\($0.title.count % 4)" }, .chunks(of: 3), .whole("w")]
    func texts(_ sections: [ItemSection<Book>]) -> [String] {
      sections.map { "\($0.id): " + $0.items.map { "\($0.id) \($0.title)" }.joined(separator: " ") }
    }
    for _ in 0..<30 {
      let all = rules.map { ListSections(of: model, by: $0) }
      var list = ListState<Book>()
      var old = [list]
      for _ in 0..<40 {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let id = Int.random(in: 0..<14, using: &random)
          let to = Int.random(in: 0..<14, using: &random)
          switch Int.random(in: 0..<10, using: &random) {
          case 0, 1: list.items.append(Book(id))
          case 2: list.items.insert(Book(id), at: to)
          case 3: list.items.remove(id: id)
          case 4: list.items.update(id) { $0.title += "!" }
          case 5: list.items.update(id) { $0.id = to }
          case 6: list.items.move(from: [id, to], to: Int.random(in: 0..<14, using: &random))
          case 7: list.items.remove(at: [0, id])
          case 8 where id == 0: list.items.setAll([3, 1, 2].map { Book($0) })
          case 9 where id < 4: list = old.randomElement(using: &random) ?? list
          default: list.items.set(Book(id, "set"))
          }
        }
        old.append(list)
        for (sections, rule) in zip(all, rules) {
          var copy = ListState(Array(list.items))
          copy.isLoaded = list.isLoaded
          #expect(
            texts(sections.sections(of: list)) == texts(ListSections(of: model, by: rule).sections(of: copy)))
        }
      }
    }
  }

  // MARK: Correct behavior

  @Test(
    "a load that is canceled at any time leaves no loading indicator",
    arguments: [ListLoadKind.reload, .refresh, .next])
  func cancelled(kind: ListLoadKind) async {
    let server = BookServer(heedsCancellation: false)
    let model = ListModel(from: PagedBooks(server), initialData: [Book(7)])
    @Sendable func load() async throws {
      switch kind {
      case .reload: try await model.reload()
      case .refresh: try await model.refresh()
      case .next: try await model.fetchNext()
      }
    }
    // Before the load begins.
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await load()
    }
    _ = await early.result
    #expect(!model.isLoading)
    #expect(model.endState != .loading && model.state != .loading)
    // During the call of the server.
    let begun = server.calls.values.count
    let late = Task { try await load() }
    await server.calls.count(atLeast: begun + 1)
    #expect(model.isLoading)
    late.cancel()
    _ = await late.result
    #expect(!model.isLoading)
    let before = model.list
    for number in 1...begun + 1 { server.answer(number, [1, 2, 3]) }
    #expect(model.list == before)
  }

  @Test("a model without references is released, and cancels its loads")
  func lifetime() async {
    let server = BookServer()
    weak var gone: ListModel<Book>?
    do {
      let model = ListModel(from: PagedBooks(server))
      gone = model
      model.proxy.dispatch(
        ListSlice<ListState<Book>, Book>("List", at: \.self, from: PagedBooks(server)).reload)
      await server.calls.count(atLeast: 1)
      withObservationTracking {
        _ = model.list
      } onChange: {
      }
      _ = ListSections(of: model, by: .chunks(of: 2)).states
    }
    #expect(gone == nil)
  }
}
