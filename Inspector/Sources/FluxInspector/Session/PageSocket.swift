import FlyingFox
import Foundation

/// The socket of a page, which forwards frames between the page and its session.
struct PageSocket: WSHandler {
  let session: PageSession

  /// Ends a session when its frames are no longer read, for example after a failed write.
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
        // The connection failed. The session ends in the same way as after a regular close.
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
