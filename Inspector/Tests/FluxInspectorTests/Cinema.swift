import Flux
import FluxInspector
import FluxTesting

/// A state with two query caches, of which one is inside an optional.
struct Cinema: FluxState {
  struct Archive: Sendable {
    var queries = QueryCache()
  }

  var queries = QueryCache()
  var archive: Archive?
}

/// An action that copies the cache to the archive.
struct ArchiveQueries: Action {}

/// A query whose result a test writes.
struct FilmTitle: Query {
  let id: Int

  func fetch(in context: RequestContext<Cinema>) async throws -> String { throw NoAnswer() }

  func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
}

/// A query with a text and tags that a test chooses.
struct Described: Query, CustomStringConvertible {
  let description: String
  var tags: Set<QueryTag> = []

  func fetch(in context: RequestContext<Cinema>) async throws -> String { throw NoAnswer() }

  func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { tags }
}

/// A query with a secret.
struct Account: Query {
  let user: String
  let password: String

  func fetch(in context: RequestContext<Cinema>) async throws -> String { throw NoAnswer(password: password) }

  func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> {
    [.type("Account", id: Credentials(user: user, password: password))]
  }
}

struct Credentials: Hashable, Sendable {
  let user: String
  let password: String
}

/// A query whose request runs until it is canceled.
struct Unanswered: Query {
  func fetch(in context: RequestContext<Cinema>) async throws -> String {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw CancellationError()
  }
}

/// A mutation with an optimistic edit, whose request runs until it is canceled.
struct Retitle: Mutation {
  let id: Int

  func perform(in context: RequestContext<Cinema>) async throws -> String {
    try await Unanswered().fetch(in: context)
  }

  func optimisticEdits() -> [QueryEdit] { [.edit(FilmTitle(id: id)) { $0 = "edited" }] }
}

struct NoAnswer: Error, Equatable {
  var password = ""
}

/// An inspector with a store that has a query cache, on clocks that a test controls.
struct BoxOffice {
  let clock = ManualClock()
  let inspector: Inspector
  let store: Store<Cinema>

  init(redacting redaction: Redaction = .none, limits: InspectorLimits = InspectorLimits()) {
    inspector = Inspector(program: "tests", isEnabled: true, sink: LogSink { _ in }, clock: TurnClock())
    let plugin: Plugin<Cinema> = inspector.plugin(
      named: "Cinema", redacting: redaction, limits: limits)
    let archive: MutatingReducer<Cinema> = { cinema, action in
      if action is ArchiveQueries { cinema.archive = Cinema.Archive(queries: cinema.queries) }
    }
    store = Store(
      reducer: archive, plugins: [plugin, .asyncWork(clock: clock), QuerySlice(at: \Cinema.queries).plugin],
      state: Cinema())
  }

  func open() async throws -> PageClient {
    let client = try await PageClient.open(inspector.address)
    _ = try await client.next("welcome")
    return client
  }

  /// Writes a result for each film.
  func write(_ films: some Sequence<Int>) {
    for film in films { store.write("film \(film)", to: FilmTitle(id: film)) }
  }

  /// Returns the table of a state; by default, of the current state.
  func table(at entry: Int? = nil, from first: Int = 0) async throws -> JSONValue {
    try await open().ask("queries", ["at": entry.map(JSONValue.integer) ?? .null, "from": .integer(first)])
  }

  /// Returns the rows of a table.
  func rows(at entry: Int? = nil, from first: Int = 0) async throws -> [JSONValue] {
    try await table(at: entry, from: first)["table"]?["rows"]?.elements ?? []
  }

  /// Returns the members of the rows with a name.
  func rows(_ name: String, at entry: Int? = nil, from first: Int = 0) async throws -> [JSONValue?] {
    try await rows(at: entry, from: first).map { $0[name] }
  }
}
