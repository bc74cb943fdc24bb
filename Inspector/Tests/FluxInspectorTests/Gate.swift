import Dispatch
import Flux
import FluxInspector

/// A gate at which a thread of a program waits until it is opened.
final class Gate: Sendable {
  private let arrivals: AsyncStream<Void>
  private let arriving: AsyncStream<Void>.Continuation
  private let opening = DispatchSemaphore(value: 0)
  private let holding = Locked(false)

  init() {
    (arrivals, arriving) = AsyncStream.makeStream()
  }

  /// Waits on a thread that runs no tasks.
  func pass() {
    holding.withLock { $0 = true }
    arriving.yield()
    // The time limit is reached only in a failure.
    _ = opening.wait(timeout: .now() + 200)
    holding.withLock { $0 = false }
  }

  /// Whether a thread is waiting.
  var isHolding: Bool { holding.withLock { $0 } }

  func waitForArrival() async {
    for await _ in arrivals { return }
  }

  func open() { opening.signal() }

  /// Middleware that holds every `AddBook` at the gate.
  var middleware: Middleware<Shelf> {
    { _, _ in
      { next in
        { action in
          if action is AddBook { self.pass() }
          next(action)
        }
      }
    }
  }
}
