import FluxLog

/// A server whose answers contain the entries that exist, and do not wait for new ones.
struct PolledServer: ReplicaTransport {
  let server: ReplicaServer<Notes>
  let log: MemoryLog

  func push(_ actions: PushedActions) async throws -> UInt64 { try await server.push(actions) }

  func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
    AsyncThrowingStream { continuation in
      Task {
        do {
          if position < (try await log.end()) {
            for try await entries in server.entries(from: position) {
              continuation.yield(entries)
              break
            }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }

  func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
    try await server.snapshot(for: client)
  }
}
