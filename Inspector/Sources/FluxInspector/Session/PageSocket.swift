import FlyingFox
import Foundation

/// The socket of a page: its frames go to the session, and the session's to it.
struct PageSocket: WSHandler {
  let session: PageSession

  /// Ends a session when nobody asks for its frames any more, as after a write that failed.
  private final class Ending: Sendable {
    let session: PageSession
    let reading: Task<Void, Never>

    init(_ session: PageSession, reading: Task<Void, Never>) {
      self.session = session
      self.reading = reading
    }

    deinit {
      reading.cancel()
      session.leave()
    }
  }

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    let session = session
    let reading = Task {
      do {
        for try await frame in client {
          guard await session.receive(frame) else { return }
        }
      } catch {
        // The connection broke, which ends the session as its end does.
      }
      await session.end()
    }
    let ending = Ending(session, reading: reading)
    await session.begin()
    return AsyncStream {
      withExtendedLifetime(ending) {}
      return await session.next()
    } onCancel: {
      session.leave()
    }
  }
}
