import FluxAsync
import FluxLists

struct Song: Hashable, Identifiable, Sendable {
  var id: String
}

/// All songs at once.
struct AllSongs: AnyListRepository {
  let server: Server<[Song]>

  func fetch() async throws -> [Song] { try await server.ask("songs") }
}
