import FluxAsync
import FluxCore
import FluxTesting

/// A small app with a search box, whose services are held by a run.
struct SearchState: FluxState, Equatable {
  var words = ""
  var found: [String] = []
  var failures = 0
}

protocol Finder: Sendable {
  func films(about words: String) async throws -> [String]
}

struct HeldFinder: Finder {
  let run: ExplorationRun
  var failures: [any Error] = []
  var isCancellable = true

  func films(about words: String) async throws -> [String] {
    try await run.answer(to: "\"\(words)\"", failing: failures, isCancellable: isCancellable) {
      ["\(words)!"]
    }
  }
}

struct SetFound: Action, Equatable {
  let found: [String]
}

/// A search whose answer is shown even if the user has typed other words since.
struct Search: TaskAction {
  let words: String
  var policy: WorkPolicy = .every

  init(_ words: String, _ policy: WorkPolicy = .every) {
    self.words = words
    self.policy = policy
  }

  func execute(in context: TaskContext<SearchState>) async throws {
    context.dispatch(SetFound(found: try await context.services((any Finder).self).films(about: words)))
  }
}

extension Search: CustomStringConvertible {
  var description: String { "Search(\"\(words)\")" }
}

func reduceSearch(_ state: inout SearchState, _ action: any Action) {
  switch action {
  case let search as Search: state.words = search.words
  case let answer as SetFound: state.found = answer.found
  case is WorkFailed: state.failures += 1
  default: break
  }
}

extension ExplorationRun {
  func searchStore(
    failing failures: [any Error] = [], isCancellable: Bool = true, plugins: [Plugin<SearchState>] = []
  ) -> TestStore<SearchState> {
    store(
      reducer: reduceSearch, plugins: plugins,
      services: Services().with(
        HeldFinder(run: self, failures: failures, isCancellable: isCancellable), as: (any Finder).self),
      state: SearchState())
  }
}
