import Flux
import FlyingFox
import FlyingSocks

/// The board on the network.
package final class BoardServer: Sendable {
  private let app: BoardApp
  private let http: HTTPServer
  private let clock: any Clock<Duration>

  /// As long as it takes, in seconds: FlyingFox counts nanoseconds, and a year of them is no trouble.
  private static let patience: Double = 365 * 24 * 60 * 60

  /// How long an answer may take, in seconds, before the request fails: a disk that is slow is waited for.
  private static let patienceOfRequests: Double = 60

  /// How often every page is sent something.
  package static let beat = Duration.seconds(15)

  /// - Parameters:
  ///   - address: An address of this machine, in numbers.
  ///   - names: Names of this server that requests may have as their host, beside the address and `localhost`.
  ///   - port: Where to listen; 0 for any that is free.
  ///   - clock: What measures the time between beats.
  /// - Throws: What keeps it from listening there, or from reading its page.
  package init(
    _ app: BoardApp, address: String = "127.0.0.1", names: [String] = [], port: UInt16,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    self.app = app
    self.clock = clock
    let configuration = HTTPServer.Configuration(
      address: try .inet(ip4: address, port: port), timeout: Self.patienceOfRequests,
      sharedRequestBufferSize: RequestBody.limit,
      // A body that is larger is neither kept nor waited for before it is refused.
      sharedRequestReplaySize: 0, pool: PromptPool(), logger: .disabled)
    http = HTTPServer(
      config: configuration, handler: try BoardRoutes(app, gate: RequestGate(address: address, names: names)))
  }

  /// Answers requests until it is stopped: none, if it was stopped before it listens.
  ///
  /// - Parameter onListening: Called with the port, once there is one, unless it is to end by then.
  /// - Throws: What keeps it from listening, or from going on.
  package func run(onListening: @escaping @Sendable (UInt16) -> Void) async throws {
    let beating = Task { [clock, app] in
      while true {
        try await clock.sleep(for: Self.beat)
        app.store.dispatch(Beat())
      }
    }
    let telling = Task { [http, app] in
      try await http.waitUntilListening(timeout: Self.patience)
      // Whoever asked for the end before now could not stop it; whoever asks from now on can.
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
      // To be stopped is no trouble.
    }
  }

  /// Says good-bye to all pages, listens no more, and gives the requests that are being answered a second.
  ///
  /// Asked before the server listens, it returns at once, and ``run(onListening:)`` ends as soon as it listens.
  package func stop() async {
    app.end()
    await Self.stop(http)
  }

  private static func stop(_ http: HTTPServer) async {
    // It waits for its listening socket too, which nothing wakes: so it always takes as long.
    await http.stop(timeout: 1)
  }
}
