import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

@MainActor
@Suite("View models that the main actor and many threads use at the same time", .unlessItHangs)
struct ViewModelStormTests {
  private typealias Books = PaginatedListViewModel<StormBooks>

  @Test("A view model ends without a load, and with its repository standing where its list does")
  func everything() async {
    let server = StormServer(seed: 11, books: (0..<60).map { Book($0) })
    let log = RequestLog<ListState<Book>>()
    let viewModel = Books(repository: StormBooks(server: server), plugins: [log.plugin])
    let waiting = Shared<[Task<Void, Never>]>([])
    async let threads: Void = storm(viewModel.model, waiting)
    for round in 0..<40 {
      waiting.change { $0.append(Task { await step(round, viewModel) }) }
      if round.isMultiple(of: 3) { waiting.change { $0.randomElement() }?.cancel() }
      if round.isMultiple(of: 4) { viewModel.itemAppeared(Book(round)) }
      await Task.yield()
    }
    await threads
    server.calm()
    for task in waiting.value { await task.value }
    await viewModel.model.proxy.context.scope.finished()
    #expect(!viewModel.isLoading)
    log.expectOneEndEach(inLane: listLane)
    let list = viewModel.model.list
    #expect(!list.hasUnconfirmedChanges)
    #expect(viewModel.repository.shouldFetch() == (list.nextPage != nil))
    if let next = list.nextPage { #expect(viewModel.repository.currentPage == next.number) }

    await #expect(throws: Never.self) { try await viewModel.reload() }
    while viewModel.repository.shouldFetch() {
      await #expect(throws: Never.self) { try await viewModel.fetchNext() }
    }
    #expect(Array(viewModel.data) == server.books)
  }

  @Test("A subscription on the main actor receives the last state after a storm of changes")
  func observing() async {
    let server = StormServer(seed: 12, books: (0..<60).map { Book($0) })
    let viewModel = Books(repository: StormBooks(server: server))
    let inbox = Inbox<ListState<Book>>()
    let token = viewModel.subscribe { inbox.receive($0) }
    let waiting = Shared<[Task<Void, Never>]>([])
    await storm(viewModel.model, waiting)
    server.calm()
    for task in waiting.value { await task.value }
    await viewModel.model.proxy.context.scope.finished()
    viewModel.overrideData(by: [Book(-1)])
    await inbox.wait { $0.items.ids == [-1] }
    #expect(inbox.values.last == viewModel.model.list)
    token.cancel()
  }

  @Test("A view model that is dropped during a storm is released with its repository and its streams")
  func dropping() async {
    let (tracker, released, ended) = (LifetimeTracker(), EventLog<Bool>(), EventLog<Bool>())
    let server = StormServer(seed: 13, books: (0..<60).map { Book($0) })
    do {
      let tracked = tracker.make { released.record(true) }
      let model = ListModel(
        from: ListRepository<Book> {
          tracked.touch()
          return try await server.all().items
        })
      for _ in 0..<8 {
        let states = model.states
        Task {
          for await _ in states {}
          ended.record(true)
        }
      }
      await resultOfThread {
        onThreads(12) { index in
          for round in 0..<20 {
            if round.isMultiple(of: 5) { Task { try? await model.refresh() } }
            if index.isMultiple(of: 3) { model.flush() }
            model.override(by: [Book(round)])
          }
        }
      }
    }
    server.calm()
    await ended.count(atLeast: 8)
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
  }

  // MARK: Fixtures

  /// Performs the next operation on the main actor.
  private func step(_ round: Int, _ viewModel: Books) async {
    switch round % 8 {
    case 0: try? await viewModel.reload()
    case 1: try? await viewModel.refresh()
    case 2, 3: try? await viewModel.fetchNext()
    case 4: await viewModel.loadIfNeeded()
    case 5: try? await viewModel.insert(Book(5000 + round), at: round)
    case 6: try? await viewModel.update(round) { $0.title += "!" }
    default: try? await viewModel.delete(round)
    }
  }

  /// Uses a model on many threads, and returns the work that a test waits for.
  private nonisolated func storm(_ model: ListModel<Book>, _ waiting: Shared<[Task<Void, Never>]>) async {
    await resultOfThread {
      onThreads(12) { index in
        var random = SeededGenerator(seed: UInt64(index))
        for _ in 0..<30 {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: model.flush()
          case 1: model.cancel()
          case 2: model.invalidate()
          case 3: model.override(by: [Book(index), Book(index + 100)])
          case 4: model.shown(Int.random(in: 0..<60, using: &random))
          case 5: waiting.change { $0.append(Task { await model.loadIfNeeded() }) }
          case 6: waiting.change { $0.append(Task { try? await model.fetchNext() }) }
          default:
            let task = Task { () async -> Void in try? await model.reload() }
            if Bool.random(using: &random) { task.cancel() }
            waiting.change { $0.append(task) }
          }
        }
      }
    }
  }
}
