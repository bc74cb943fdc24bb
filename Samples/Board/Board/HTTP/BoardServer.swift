import Flux
import FlyingFox
import FlyingSocks

/// The HTTP server of the board.
package final class BoardServer: Sendable {
  private let app: BoardApp
  private let http: HTTPServer
  private let clock: any Clock<Duration>

  /// A time limit of one year, in seconds, which is never reached.
  ///
  /// FlyingFox converts the limit to nanoseconds, and the nanoseconds of a year do not overflow.
  private static let patience: Double = 365 * 24 * 60 * 60

  /// The time limit for an answer, in seconds, which is long enough for a slow disk.
  private static let patienceOfRequests: Double = 60

  /// The interval between the messages that detect lost connections.
  package static let beat = Duration.seconds(15)

  /// - Parameters:
  ///   - address: A numeric address of this machine.
  ///   - names: The names that requests can use as their host, in addition to the address and
  ///     `localhost`.
  ///   - port: The port on which the server listens; 0 for a free port.
  ///   - clock: The clock that measures the interval between the messages that detect lost
  ///     connections.
  /// - Throws: An error if the server cannot use the address, or cannot read its page.
  package init(
    _ app: BoardApp, address: String = "127.0.0.1", names: [String] = [], port: UInt16,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    self.app = app
    self.clock = clock
    let configuration = HTTPServer.Configuration(
      address: try .inet(ip4: address, port: port), timeout: Self.patienceOfRequests,
      sharedRequestBufferSize: RequestBody.limit,
      // A larger body is refused immediately: it is neither stored nor awaited.
      sharedRequestReplaySize: 0, pool: PromptPool(), logger: .disabled)
    http = HTTPServer(
      config: configuration, handler: try BoardRoutes(app, gate: RequestGate(address: address, names: names)))
  }

  /// Answers requests until the server is stopped.
  ///
  /// If the server was stopped before it listens, it answers no requests.
  ///
  /// - Parameter onListening: Called with the port when the server listens, unless the server
  ///   is already ending.
  /// - Throws: An error if the server cannot listen or continue.
  package func run(onListening: @escaping @Sendable (UInt16) -> Void) async throws {
    let beating = Task { [clock, app] in
      while true {
        try await clock.sleep(for: Self.beat)
        app.store.dispatch(Beat())
      }
    }
    let telling = Task { [http, app] in
      try await http.waitUntilListening(timeout: Self.patience)
      // If `stop()` was called before the server listened, the call could not stop the server.
      if app.store.state.isEnding {
        await Self.stop(http)
      } else if case .ip4(_, let port) = await http.listeningAddress {
        onListening(port)
      }
    }
    defer {
      beating.cancel()
      telling.cancel()
    }
    do {
      try await http.run()
    } catch  where app.store.state.isEnding {
      // The server throws this error when it is stopped, so the error is ignored.
    }
  }

  /// Ends the event streams of all pages, stops listening, and gives running requests one second.
  ///
  /// If the server does not listen yet, this method returns immediately, and
  /// ``run(onListening:)`` ends as soon as the server listens.
  package func stop() async {
    app.end()
    await Self.stop(http)
  }

  private static func stop(_ http: HTTPServer) async {
    // The call also waits for the listening socket, which receives no event, so the call always
    // takes the whole second.
    await http.stop(timeout: 1)
  }
}
