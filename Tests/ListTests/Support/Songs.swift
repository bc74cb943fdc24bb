import FluxAsync
import FluxLists

struct Song: Hashable, Identifiable, Sendable {
  var id: String
}

/// All songs in one page.
struct AllSongs: AnyListRepository {
  let server: Server<[Song]>

  func fetch() async throws -> [Song] { try await server.ask("songs") }
}
