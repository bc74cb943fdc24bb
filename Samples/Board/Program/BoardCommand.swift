import ArgumentParser
import Board
import Flux
import FluxLog
import Foundation

#if Postgres
  import FluxPostgres
#endif

@main
struct BoardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Serves a shared to-do board over HTTP.")

  @Option(help: "The port to listen on; 0 for any free port.")
  var port: UInt16 = 8080

  @Option(help: "The address to listen on; 0.0.0.0 for all addresses.")
  var address = "127.0.0.1"

  @Option(name: .customLong("name"), help: "Another name of the server, such as a proxy's; may be repeated.")
  var names: [String] = []

  @Option(help: "The folder for the data of the board.", completion: .directory)
  var data = "board-data"

  @Option(
    help: "A PostgreSQL server that keeps the data instead of the folder, for any number of processes.")
  var postgres: String?

  @Flag(help: "Log every action and its changes to standard error.")
  var log = false

  func run() async throws {
    let (endings, ending) = AsyncStream.makeStream(of: Void.self)
    let signals = onSignals(SIGINT, SIGTERM, SIGHUP) { ending.yield() }
    defer { for signal in signals { signal.cancel() } }
    do {
      raiseFileLimit()
      let app = try await BoardApp(
        log: openLog(), isShared: postgres != nil, plugins: log ? [.logging()] : [], onProblem: tell,
        onFailure: { ending.yield() })
      let server = try BoardServer(app, address: address, names: names, port: port)
      let stopping = Task {
        for await _ in endings { return await server.stop() }
      }
      try await server.run { port in tell("http://\(address):\(port)", to: .standardOutput) }
      await stopping.value
      do {
        try await app.close()
      } catch {
        // The error has already been reported, so only the exit status remains to be set.
        throw ExitCode.failure
      }
    } catch let error as ExitCode {
      throw error
    } catch {
      tell((error as? any LocalizedError)?.errorDescription ?? "\(error)")
      throw ExitCode.failure
    }
  }

  private func openLog() async throws -> any ActionLog {
    if let postgres {
      #if Postgres
        return try await PostgresLog(postgres, name: "board")
      #else
        throw ValidationError("To use --postgres \(postgres), build the board with --traits Postgres.")
      #endif
    }
    let folder = URL(fileURLWithPath: data, isDirectory: true)
    try OldJournal.check(folder)
    let log = try FileLog(in: folder)
    for problem in log.problems { tell("\(problem)") }
    return log
  }
}

@Sendable
private func tell(_ problem: String) {
  tell("board: \(problem)", to: .standardError)
}

private func tell(_ line: String, to file: FileHandle) {
  file.write(Data((line + "\n").utf8))
}

/// Calls a closure for each signal instead of the default action; returns when the handlers are
/// active.
private func onSignals(
  _ numbers: Int32..., handle: @escaping @Sendable () -> Void
) -> [any DispatchSourceSignal] {
  let waiting = DispatchGroup()
  defer { waiting.wait() }
  return numbers.map { number in
    #if canImport(Darwin)
      // On Darwin, a dispatch source only observes the signal; on other systems, it replaces the
      // default action.
      signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: handle)
    waiting.enter()
    source.setRegistrationHandler { waiting.leave() }
    source.resume()
    return source
  }
}

/// Raises the number of connections to the system's limit.
private func raiseFileLimit() {
  var limit = rlimit()
  #if canImport(Glibc)
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let files = RLIMIT_NOFILE
  #endif
  guard getrlimit(files, &limit) == 0 else { return }
  limit.rlim_cur = limit.rlim_max
  // If the system refuses, the limit stays unchanged.
  _ = setrlimit(files, &limit)
}
