import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A small HTTP/1.1 server on a free port of the loopback address.
///
/// It accepts one connection after another on a separate thread, reads the head of the request,
/// calls the handler, performs the returned operation, and closes the connection. Held connections
/// remain open until the server stops.
///
/// After it has stopped, connections are refused until it is deallocated: no other program
/// receives its port.
final class LoopbackServer: Sendable {
  /// The reaction to a request.
  enum Answer: Sendable {
    /// Answers with a status and a body.
    case respond(status: Int, body: String)
    /// Never answers, and keeps the connection open.
    case hold
    /// Announces the whole body, sends half of it, and closes the connection.
    case breakOff(body: String)
  }

  typealias Handler = @Sendable (_ path: String) -> Answer

  /// An error of the system, with the name of the call that failed.
  struct SystemError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  private struct Contents {
    var handler: Handler
    var requests: [String] = []
    var held: [Int32] = []
  }

  let port: UInt16
  private let listener: Int32
  private let portHolder: Int32
  private let contents: Mutex<Contents>
  private let answered = AsyncStream.makeStream(of: String.self)
  private let isDone = DispatchSemaphore(value: 0)
  private let isStopping = Atomic(false)

  /// Starts a server.
  init(_ handler: @escaping Handler) throws {
    (listener, port) = try Self.listen()
    do {
      portHolder = try Self.reserve(port: port)
    } catch {
      close(listener)
      throw error
    }
    contents = Mutex(Contents(handler: handler))
    let thread = Thread { [self] in serve() }
    thread.name = "loopback server"
    thread.start()
  }

  deinit { close(portHolder) }

  /// The address before every path.
  var address: String { "http://127.0.0.1:\(port)" }

  /// The requested paths, in order.
  var requests: [String] { contents.withLock { $0.requests } }

  /// Waits until the server has reacted to a request for a path.
  func wasAsked(for path: String) async {
    for await request in answered.stream where request == path { return }
  }

  /// Replaces the handler.
  func answer(_ handler: @escaping Handler) {
    contents.withLock { $0.handler = handler }
  }

  /// Stops the server, closes its connections, and waits for its thread to end.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    // The thread waits for a connection, which this call provides.
    if let wake = try? Self.connect(to: port) { close(wake) }
    isDone.wait()
    close(listener)
    for connection in contents.withLock({ $0.held }) { close(connection) }
  }

  // MARK: - On the server's thread

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard !isStopping.load(ordering: .acquiring) else {
        if connection >= 0 { close(connection) }
        isDone.signal()
        return
      }
      guard connection >= 0 else { continue }
      Self.ignoreBrokenPipe(connection)
      guard let path = Self.path(of: connection) else {
        close(connection)
        continue
      }
      let handler = contents.withLock { contents in
        contents.requests.append(path)
        return contents.handler
      }
      perform(handler(path), on: connection)
      answered.continuation.yield(path)
    }
  }

  private func perform(_ answer: Answer, on connection: Int32) {
    switch answer {
    case .respond(let status, let body):
      Self.send(Self.head(status, length: body.utf8.count) + Array(body.utf8), to: connection)
      Self.finish(connection)
    case .breakOff(let body):
      let bytes = Array(body.utf8)
      Self.send(Self.head(200, length: bytes.count) + bytes.prefix(bytes.count / 2), to: connection)
      Self.finish(connection)
    case .hold:
      contents.withLock { $0.held.append(connection) }
    }
  }

  private static func head(_ status: Int, length: Int) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) Test", "Content-Length: \(length)", "Connection: close", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// Reads the head of a request; returns its path, or `nil` if no request came.
  private static func path(of connection: Int32) -> String? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !head.reversed().starts(with: [10, 13, 10, 13]) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      head += buffer.prefix(count)
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ", maxSplits: 2)
    return words.count == 3 ? String(words[1]) : nil
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes(connection, $0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Announces the end of the answer, and closes the connection.
  private static func finish(_ connection: Int32) {
    shutdown(connection, Int32(SHUT_WR))
    close(connection)
  }
}
