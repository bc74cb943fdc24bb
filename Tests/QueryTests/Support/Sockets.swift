import FluxAsync
import FluxCore
import FluxQuery
import TestSupport

/// The source of the updates of rooms.
final class Sockets: Sendable {
  private let continuations = Shared<[String: AsyncThrowingStream<String, any Error>.Continuation]>([:])
  let opened = EventLog<String>()
  let closed = EventLog<String>()

  func messages(in room: String) -> AsyncThrowingStream<String, any Error> {
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    continuation.onTermination = { [closed] _ in closed.record(room) }
    continuations.change { $0[room] = continuation }
    opened.record(room)
    return stream
  }

  func send(_ message: String, to room: String) {
    continuations.value[room]?.yield(message)
  }

  func fail(_ room: String) {
    continuations.value[room]?.finish(throwing: Service.Trouble())
  }
}

/// The messages of a room.
///
/// The first message is the answer of the service.
struct Messages: StreamingQuery {
  let room: String

  func fetch(in context: RequestContext<AppState>) async throws -> [String] {
    [try await context.services(Service.self).call(room)]
  }

  func stream(to entry: QueryUpdates<Messages>) async throws {
    for try await message in try entry.services(Sockets.self).messages(in: room) {
      entry.update { messages in
        if !messages.contains(message) { messages.append(message) }
      }
    }
  }
}
