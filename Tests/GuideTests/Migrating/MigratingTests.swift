import Dispatch
import Flux
import Foundation
import TestSupport
import Testing

@Suite("Sources/Flux/Flux.docc/Migrating.md")
struct MigratingTests {
  @Test("The names of stores, subscriptions, and middleware compile.")
  func stores() async {
    let forms: (Reducer<AppState>, MutatingReducer<AppState>) = (
      familiarReducer, { state, action in state = familiarReducer(state: state, action: action) }
    )
    let middleware: [Middleware<AppState>] = [
      asyncActionsMiddleware, thunkMiddleware(), DynamicMiddleware<AppState>().middleware,
      printActionMiddleware(printer: { _ in }), loggingMiddleware(sink: { _ in }),
    ]
    let store = Store(reducer: appReducer, middleware: [counting], state: AppState())
    let sameCount: @Sendable ([Int: String], [Int: String]) -> Bool = { $0.count == $1.count }
    let screen = Screen()
    store.subscribe(owner: screen) { _, _ in }
    store.subscribe(owner: screen, to: \.movies) { screen, movies in screen.show(movies) }
    let token = store.subscribe { state in #expect(state.movies.count <= 2) }
    let counts = store.subscribe(to: \.movies, by: sameCount) { _ in }
    let both = store.subscribe { old, new in
      #expect(old.map { $0.movies.count <= new.movies.count } ?? true)
    }

    store.dispatch(action: SetMovie(id: 1, title: "Playtime"))
    store.batch { store.dispatch(SetMovie(id: 2, title: "Trafic")) }
    store.replaceReducer(appReducer)
    token.cancel()
    counts.cancel()
    both.cancel()
    store.unsubscribe(owner: screen)
    store.subscribe(to: \.movies) { _ in }.cancel()
    for await movies in store.values(of: \.movies) {
      #expect(movies.count == 2)
      break
    }

    let deferring = Store(reducer: appReducer, plugins: [.deferredToMain], state: AppState())
    deferring.dispatch(SetMovie(id: 1, title: "Playtime"))
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(deferring.state.movies.count == 1)

    let session: ActionHandlers<Session> = combine(lift(appReducer, to: \.app))
    let lifted = Store(reducer: session, state: Session(app: store.state))
    let movies = StateSelector(\AppState.movies) { movies in movies.count }
    #expect(movies(lifted.state.app) == 2)
    #expect(forms.0(AppState(), SetMovie(id: 1, title: "Playtime")).movies.count == 1)
    #expect(Store(reducer: forms.1, middleware: middleware, state: AppState()).state.movies.isEmpty)
  }

  @Test("The names of thunks, undo, persistence, and other middleware compile.")
  func plugins() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "moving-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let persistence = Persistence<AppState, [Int: String]>(
      of: \.movies, in: FileStorage(directory: folder), name: "movies")
    let history = History<AppState>()
    let audit = Plugin<AppState>(onTransition: .actions { _, _ in })
    let store = Store(
      reducer: appReducer, middleware: [thunkMiddleware()],
      plugins: [
        history.plugin, persistence.plugin, audit, .storeActions, .logging(sink: LogSink { _ in }),
        .developmentChecks(),
      ],
      state: AppState())

    store.dispatch(Thunk<AppState> { dispatch, getState in dispatch(SetMovie(id: 1, title: "Playtime")) })
    let count: ResultThunk<AppState, Int> = ResultThunk { dispatch, getState in getState()?.movies.count ?? 0
    }
    #expect(store.dispatch(count) == 1)
    store.dispatch(StoreAction<AppState>.reset(state: AppState()))
    store.reset(to: AppState())
    store.dispatch(EmptyAction())
    #expect(store.state.movies.isEmpty)
  }

  @Test("The names of plans, composed actions, proxies, and ordered state compile.")
  func plans() async {
    let polite: Middleware<TodoApp> = transformActions { store, action in action is Check ? nil : action }
    let none: MutatingReducer<TodoApp> = { _, _ in }
    #expect(Store(reducer: none, middleware: [polite], state: TodoApp()).state.filter == "")
    let store = Store(reducer: todoReducer, middleware: nil, state: TodoApp())
    store.dispatch(Check(id: "1"))
    store.send(Check(id: "1"))
    let subscribed = store.subscribe(to: \.filter) { _ in }
    store.dispatch(Check(id: "1") + Check(id: "2"))
    store.dispatch(Check(id: "1").then(LogIn()))
    store.dispatch(CompositeAction([SetFilter(text: "milk"), LogIn()]))
    await store.dispatchAsync(LogIn()).finished()
    store.sendAsCancellable(LogIn()).cancel()
    store.dispatch(ActionPlan<TodoApp> { store in store.dispatch(AddTodo(id: "1", title: "Milk")) })
    for await filter in store.values(of: \.filter) {
      #expect(filter == "milk")
      break
    }
    subscribed.cancel()
    let login = store.proxy(for: { $0.login })
    #expect(login.state?.email == "")
    #expect(store.proxy.state?.todos.count == 1)
    #expect(store.proxy(as: (any Sendable).self) != nil)
    let todos = TodoList().items
    #expect(todos.value(forId: "1") != nil)
    let adapter = EntityAdapter<TodoItem>()
    #expect(adapter.list(of: todos).count == 1)
  }

  @Test("The names of listeners compile.")
  func listeners() {
    let listeners = Listeners<AppState>()
    let store = Store(reducer: appReducer, plugins: [listeners.plugin], state: AppState())
    let listener = listeners.start(when: { action, _, _ in action is SetMovie }) { _, listener in
      _ = try await listener.take(of: SetMovie.self)
    }
    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(listener.stop(cancellingActive: true))
    #expect(store.state.movies.count == 1)
  }

  @Test("The names of view models compile.")
  @MainActor
  func lists() async throws {
    let novels = Novels()
    let pages = PagesOfNovels()
    #expect(ListViewModel(repository: novels).data.isEmpty)
    let list = PaginatedListViewModel(repository: pages)
    try await list.reload()
    try await list.refresh()
    try await list.fetchNext()
    #expect(list.repository.shouldFetch() == false)
    #expect((list.repository.paginationStrategy as any PaginationStrategy).isLastPageLoaded)
    #expect(list.data == [Novel(name: "Emma")])
    #expect(list.state == LoadingState.loaded)
    #expect(list.error == nil)
    list.overrideData(by: [])
    #expect(list.data.isEmpty)
  }

  @Test("Each difference in behavior has a test of its title.")
  func differencesAreTested() throws {
    let page = try GuideExamples.text(of: Self.page).replacing("\n  ", with: " ")
    let differences = page.matches(of: /(?m)^- \*\*(.+?)\*\*/).map { String($0.1) }
    #expect(differences.count >= 30)
    let titles = try Self.differences.map(GuideExamples.text).joined(separator: "\n")
      .matches(of: /@Test\(\s*"(.+?)"\)/).map { String($0.1) }
    for difference in differences {
      #expect(titles.contains(difference), "no test: \(difference)")
    }
    #expect(Set(titles).subtracting(differences).isEmpty)
  }

  @Test("Each name in the second columns occurs in compiled code.")
  func namesAreCompiled() throws {
    let named = try Self.named(in: GuideExamples.text(of: Self.page))
    #expect(named.count > 80)
    let code = try Self.compiled.map(GuideExamples.text).joined(separator: "\n")
      .replacing(/(?m)^\s*\/\/.*$|\s\/\/ .*$/, with: "")
    for name in named {
      #expect(Self.stands(name, in: code), "not in the tests: \(name)")
    }
  }

  /// The code in the second column of each table.
  private static func named(in page: String) -> Set<String> {
    let cells = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
      .compactMap { line in line.split(separator: "|", omittingEmptySubsequences: false).dropFirst(2).first }
    return Set(
      cells.flatMap { cell in
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
      })
  }

  /// Whether a name occurs in the code as a whole word.
  private static func stands(_ name: String, in code: String) -> Bool {
    func isOfName(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
    return code.ranges(of: name).contains { place in
      let before = place.lowerBound == code.startIndex ? nil : code[code.index(before: place.lowerBound)]
      let after = place.upperBound == code.endIndex ? nil : code[place.upperBound]
      return !(isOfName(before) && isOfName(name.first)) && !(isOfName(after) && isOfName(name.last))
    }
  }

  private static let page = "Sources/Flux/Flux.docc/Migrating.md"

  private static let differences = [
    "SwiftUIFlux", "SwiftDux", "RepositoryList", "ReSwift", "Redux", "Others",
  ].map { "Tests/GuideTests/Migrating/MigratingFrom\($0)Tests.swift" }

  private static let compiled = [
    "Tests/GuideTests/Migrating/MigratingTests.swift", "Tests/GuideTests/ReadmeExample.swift",
    "Tests/GuideTests/Migrating/MigratingOtherNamesTests.swift",
    "Tests/GuideTests/Migrating/MigratingFromOthersTests.swift", "Tests/GuideTests/FeatureExample.swift",
    "Tests/GuideTests/FeatureGuideTests.swift", "Tests/SwiftUIFace/Tests/Guide/NavigationExample.swift",
    "Tests/GuideTests/AsyncExample.swift", "Tests/GuideTests/ViewsExample.swift",
    "Tests/GuideTests/ViewsGuideTests.swift", "Tests/ListTests/RepositoryListGuideTests.swift",
    "Tests/ListTests/ListGuideTests.swift", "Tests/SwiftUIFace/Tests/Guide/SwiftUIExample.swift",
    "Tests/SwiftUIFace/Tests/OlderGuides/SwiftDuxViews.swift",
    "Tests/SwiftUIFace/Tests/OlderGuides/SwiftUIFluxGuideTests.swift",
    "Tests/SwiftUIFace/Tests/Face/ModifierTests.swift", "Tests/SwiftUIFace/Tests/Face/BindingViewTests.swift",
    "Tests/SwiftUIFace/Tests/Face/StoreConnectorTests.swift",
    "Tests/SwiftUIFace/Tests/Face/EnvironmentViewTests.swift",
  ]
}

private struct TodoList: StateType {
  var items: OrderedState<TodoItem> = [TodoItem(id: "1")]
}

private struct TodoItem: IdentifiableState {
  let id: String
}

private struct Novel: Hashable, Identifiable {
  var id: String { name }
  let name: String
}

private final class Novels: AnyListRepository {
  func fetch() async throws -> [Novel] { [Novel(name: "Emma")] }
}

private final class PagesOfNovels: AnyPaginatedListRepository {
  let paginationStrategy = LimitOffsetPaginationStrategy(limit: 20)

  func fetch() async throws -> [Novel] { [Novel(name: "Emma")] }
}
