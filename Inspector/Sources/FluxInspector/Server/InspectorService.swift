import FluxMiddleware
import Foundation

/// The lifecycle of the server: it starts once, reports its address or its failure, and ends
/// once.
final class InspectorService: Sendable {
  private typealias Answer = Result<URL, InspectorError>

  private struct Contents {
    /// The address or the failure; `nil` before the server listens.
    var answer: Answer?
    var task: Task<Void, Never>?
    var waiting: [CheckedContinuation<Answer, Never>] = []

    var hasFailed: Bool {
      if case .failure = answer { true } else { false }
    }
  }

  private let port: UInt16
  private let token = RequestGate.makeToken()
  private let room: InspectorRoom
  private let sink: LogSink
  private let contents = Locked(Contents())

  init(port: UInt16, room: InspectorRoom, sink: LogSink) {
    self.port = port
    self.room = room
    self.sink = sink
  }

  /// Starts the server, if it was neither started nor stopped.
  func start() {
    contents.withLock { contents in
      guard contents.task == nil, contents.answer == nil else { return }
      contents.task = Task { await serve() }
    }
  }

  /// Writes a message for the user of the program.
  func say(_ text: String) {
    sink.write("Inspector: \(text)")
  }

  private func serve() async {
    do {
      let server = try InspectorServer(port: port, token: token, room: room)
      if !server.hasPage { say("The page's files are not next to the program, so no page is served.") }
      try await server.run { [self] port in listens(on: port) }
      tell(.failure(.stopped))
    } catch is CancellationError {
      tell(.failure(.stopped))
    } catch {
      tell(.failure(.cannotListen(on: port, error)))
    }
  }

  private func listens(on port: UInt16) {
    guard let url = URL(string: "http://127.0.0.1:\(port)/\(token)/") else { return }
    tell(.success(url))
  }

  /// Reports the state of the server, unless the server has ended before.
  private func tell(_ answer: Answer) {
    let waiting: [CheckedContinuation<Answer, Never>]? = contents.withLock { contents in
      guard !contents.hasFailed else { return nil }
      contents.answer = answer
      defer { contents.waiting = [] }
      return contents.waiting
    }
    guard let waiting else { return }
    switch answer {
    case .success(let url): say(url.absoluteString)
    case .failure(.stopped): break
    case .failure(let error): say("\(error)")
    }
    for each in waiting { each.resume(returning: answer) }
  }

  /// The page's address, available as soon as the server listens.
  var address: URL {
    get async throws(InspectorError) {
      let answer = await withCheckedContinuation { continuation in
        let known = contents.withLock { contents in
          if contents.answer == nil { contents.waiting.append(continuation) }
          return contents.answer
        }
        if let known { continuation.resume(returning: known) }
      }
      return try answer.get()
    }
  }

  /// Stops the server, but does not wait until it has stopped.
  func end() {
    tell(.failure(.stopped))
    contents.withLock { $0.task }?.cancel()
  }

  /// Stops the server, and waits until the port is free.
  func stop() async {
    end()
    await contents.withLock { $0.task }?.value
  }
}
