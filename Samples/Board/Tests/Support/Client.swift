import Board
import Dispatch
import FlyingSocks
import Foundation

/// A client that writes bytes to a server and reads the answers, on a separate thread that can
/// block.
final class Client {
  struct Response {
    let status: Int
    let headers: [String: String]
    let body: String
  }

  /// An error that indicates that the server has closed the connection.
  struct Closed: Error {}

  private let socket: Socket
  private let queue = DispatchQueue(label: "client")
  private let port: UInt16
  private var read: [UInt8] = []

  init(to port: UInt16) async throws {
    self.port = port
    socket = try Socket(domain: AF_INET)
    let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
    try await waiting { socket in try socket.connect(to: address) }
  }

  deinit {
    // A closed socket cannot be closed again.
    try? socket.close()
  }

  /// Sends a request with a body of JSON, and reads the answer.
  func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> Response {
    try await send(method, path, body: body, kind: body == nil ? nil : "application/json")
    return try await response()
  }

  func send(
    _ method: String, _ path: String, body: String? = nil, kind: String? = nil, host: String? = nil,
    headers: String...
  ) async throws {
    try await send(method, path, body: body, kind: kind, host: host, headers: headers)
  }

  func send(
    _ method: String, _ path: String, body: String? = nil, kind: String? = nil, host: String? = nil,
    headers: [String]
  ) async throws {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
    if let kind { lines.append("Content-Type: \(kind)") }
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    try await send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
  }

  func send(_ text: String) async throws {
    let data = Data(text.utf8)
    try await waiting { socket in
      var sent = data.startIndex
      while sent < data.endIndex { sent = try socket.write(data, from: sent) }
    }
  }

  func response() async throws -> Response {
    let head = try await head()
    let body = try await bytes(Int(head.headers["content-length"] ?? "") ?? 0)
    return Response(status: head.status, headers: head.headers, body: String(decoding: body, as: UTF8.self))
  }

  /// Reads the status line and the headers of an answer.
  func head() async throws -> Response {
    var lines = try await text(upTo: "\r\n\r\n").components(separatedBy: "\r\n")
    let status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    let headers = lines.map { line in
      (line.prefix { $0 != ":" }.lowercased(), String(line.drop { $0 != ":" }.dropFirst(2)))
    }
    return Response(status: status, headers: Dictionary(headers) { first, _ in first }, body: "")
  }

  /// Returns the next chunk of a body; returns `nil` at the end.
  func chunk() async throws -> String? {
    let count = Int(try await text(upTo: "\r\n"), radix: 16) ?? 0
    let bytes = try await bytes(count)
    _ = try await text(upTo: "\r\n")
    return count == 0 ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until the server closes the connection, and returns the bytes that it sent until
  /// then.
  func rest() async throws -> String {
    do {
      while true { try await more() }
    } catch is Closed {
      return String(decoding: read, as: UTF8.self)
    }
  }

  private func text(upTo end: String) async throws -> String {
    while true {
      if let range = Data(read).range(of: Data(end.utf8)) {
        defer { read.removeFirst(range.upperBound) }
        return String(decoding: read[..<range.lowerBound], as: UTF8.self)
      }
      try await more()
    }
  }

  private func bytes(_ count: Int) async throws -> [UInt8] {
    while read.count < count { try await more() }
    defer { read.removeFirst(count) }
    return Array(read.prefix(count))
  }

  private func more() async throws {
    do {
      read += try await waiting { socket in try socket.read(atMost: 4_096) }
    } catch SocketError.disconnected {
      throw Closed()
    }
  }

  private func waiting<Value: Sendable>(
    _ work: @escaping @Sendable (Socket) throws -> Value
  ) async throws -> Value {
    try await withTaskCancellationHandler { [socket, queue] in
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try work(socket) }) }
      }
    } onCancel: { [socket] in
      // A test that exceeds its time limit must fail instead of waiting forever.
      _ = shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
    }
  }
}

/// Runs a server of a board for the duration of a test.
func withServer(
  _ app: BoardApp, address: String = "127.0.0.1", names: [String] = [],
  clock: any Clock<Duration> = ContinuousClock(),
  _ test: (_ port: UInt16) async throws -> Void
) async throws {
  let server = try BoardServer(app, address: address, names: names, port: 0, clock: clock)
  let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
  let running = Task { try await server.run { port.yield($0) } }
  defer { running.cancel() }
  for await port in ports {
    try await test(port)
    return
  }
}
