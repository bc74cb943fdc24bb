import Dispatch
import Flux
import FluxInspector

/// A place in a program where a thread waits until it is let on.
final class Gate: Sendable {
  private let arrivals: AsyncStream<Void>
  private let arriving: AsyncStream<Void>.Continuation
  private let opening = DispatchSemaphore(value: 0)
  private let holding = Locked(false)

  init() {
    (arrivals, arriving) = AsyncStream.makeStream()
  }

  /// Waits, on a thread that no task runs on.
  func pass() {
    holding.withLock { $0 = true }
    arriving.yield()
    // Only a failure takes any time.
    _ = opening.wait(timeout: .now() + 200)
    holding.withLock { $0 = false }
  }

  /// Whether somebody waits.
  var isHolding: Bool { holding.withLock { $0 } }

  func waitForArrival() async {
    for await _ in arrivals { return }
  }

  func open() { opening.signal() }

  /// Middleware that lets no `AddBook` pass the gate.
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
