import FluxMiddleware
import FlyingSocks
import Foundation
import Testing

/// A client that sends and receives a page's messages over the inspector's socket.
actor PageClient {
  /// Another message was received than expected.
  struct Surprise: Error, CustomStringConvertible {
    let description: String
  }

  private let socket: AsyncSocket
  private var number = 0
  /// Logs that were received while the client waited for an answer.
  private var logs: [JSONValue] = []
  /// All messages received so far.
  private(set) var received: [JSONValue] = []

  private init(_ socket: AsyncSocket) {
    self.socket = socket
  }

  /// Opens the page's socket, with a buffer for the given number of unread bytes.
  static func open(_ url: URL, room: Int32? = nil) async throws -> PageClient {
    let connection = try await Connection(to: url, room: room)
    try await connection.write(upgrade(url))
    let head = try await connection.readHead()
    guard head.first == "HTTP/1.1 101 Switching Protocols" else { throw Surprise(description: "\(head)") }
    return PageClient(connection.socket)
  }

  /// A request for the socket, as a browser sends it.
  static func upgrade(_ url: URL, path: String? = nil, host: String? = nil, origin: String? = nil) -> String {
    let authority = "127.0.0.1:\(url.port ?? 0)"
    return """
      GET \(path ?? url.path() + "socket") HTTP/1.1\r
      Host: \(host ?? authority)\r
      Upgrade: websocket\r
      Connection: keep-alive, Upgrade\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Version: 13\r
      Origin: \(origin ?? "http://\(authority)")\r
      \r\n
      """
  }

  // MARK: Frames

  /// Sends a frame.
  func send(opcode: UInt8 = 1, isLast: Bool = true, _ payload: Data) async throws {
    try await send(bytes: Self.frame(opcode: opcode, isLast: isLast, payload))
  }

  func send(bytes: Data) async throws {
    try await socket.write(bytes)
  }

  /// A frame, masked like a browser's.
  static func frame(opcode: UInt8 = 1, isLast: Bool = true, _ payload: Data) -> Data {
    var frame = Data([opcode | (isLast ? 0x80 : 0)])
    switch payload.count {
    case 0..<126: frame.append(UInt8(payload.count) | 0x80)
    case 126..<65_536:
      frame.append(contentsOf: [126 | 0x80, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)])
    default:
      frame.append(127 | 0x80)
      frame.append(
        contentsOf: (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) })
    }
    // A mask of zeros does not change the data.
    frame.append(contentsOf: [0, 0, 0, 0])
    return frame + payload
  }

  /// The next frame; `nil` when the connection has ended.
  func frame() async throws -> (opcode: UInt8, payload: Data, isLast: Bool)? {
    do {
      let head = try await socket.read(bytes: 2)
      var length = Int(head[1] & 0x7F)
      if length >= 126 {
        let bytes = try await socket.read(bytes: length == 126 ? 2 : 8)
        length = bytes.reduce(0) { $0 << 8 | Int($1) }
      }
      return (head[0] & 0x0F, Data(try await socket.read(bytes: length)), head[0] & 0x80 != 0)
    } catch SocketError.disconnected {
      return nil
    }
  }

  /// The next text, which may arrive in pieces; `nil` when another frame arrives.
  private func text() async throws -> Data? {
    var text = Data()
    var opcode: UInt8 = 1
    while let piece = try await frame(), piece.opcode == opcode {
      text += piece.payload
      if piece.isLast { return text }
      opcode = 0
    }
    return nil
  }

  /// The code with which the server ends the connection; earlier frames are skipped.
  func closeCode() async throws -> Int? {
    while let (opcode, payload, _) = try await frame() {
      if opcode == 8 { return payload.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
    }
    return nil
  }

  func close() {
    // Closing a connection that the other side has already closed is not a failure.
    try? socket.close()
  }

  // MARK: Messages

  func message() async throws -> JSONValue {
    guard let payload = try await text() else { throw Surprise(description: "The connection is over.") }
    let message = try JSONDecoder().decode(JSONValue.self, from: payload)
    received.append(message)
    return message
  }

  /// The next message of a type; earlier logs are kept for later.
  func next(_ type: String) async throws -> JSONValue {
    if type == "log", !logs.isEmpty { return logs.removeFirst() }
    while true {
      let message = try await message()
      if message["type"] == .string(type) { return message }
      if message["type"] == "log" { logs.append(message) }
    }
  }

  /// Sends a request, and returns the answer.
  @discardableResult
  func ask(_ type: String, store: Int = 1, _ members: [String: JSONValue] = [:]) async throws -> JSONValue {
    number += 1
    let question: [String: JSONValue] = [
      "type": .string(type), "request": .integer(number), "store": .integer(store),
    ]
    try await send(JSONEncoder().encode(question.merging(members) { $1 }))
    return try await answer(number)
  }

  func answer(_ number: Int) async throws -> JSONValue {
    while true {
      let message = try await message()
      if message["request"] == .integer(number) { return message }
      if message["type"] == "log" { logs.append(message) }
    }
  }

  /// Sends a command, and waits until it has been performed.
  func command(_ name: String, entry: Int? = nil) async throws {
    let answer = try await ask(
      "command", ["command": .string(name), "entry": entry.map(JSONValue.integer) ?? .null])
    guard answer["type"] == "done" else { throw Surprise(description: "\(answer)") }
  }

  /// The origin of an entry, which comes with the log or after it.
  ///
  /// The entry must have one.
  func origin(of entry: Int) async throws -> String {
    var (messages, known) = (received[...], [JSONValue]())
    while true {
      while let message = messages.popFirst() {
        let isTold = message["type"] == "log" || message["type"] == "origins"
        if isTold { known += message["entries"]?.elements ?? [] }
      }
      if let origin = known.last(where: { $0["id"] == .integer(entry) && $0["origin"] != .null }) {
        return origin["origin"]?.string ?? ""
      }
      let message = try await message()
      messages = [message]
      if message["type"] == "log" { logs.append(message) }
    }
  }

  /// Begins to watch a store, and returns its log.
  func watch(_ store: Int = 1) async throws -> JSONValue {
    try await ask("watch", store: store)
    return try await next("log")
  }
}

extension JSONValue {
  /// The elements of a list; empty if the value is not a list.
  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .decimal(let decimal): Double(truncating: decimal as NSDecimalNumber)
    case .double(let double): double
    default: nil
    }
  }

  /// The node of a tree at a path of labels.
  func node(_ labels: String...) -> JSONValue? {
    labels.reduce(self as JSONValue?) { node, label in
      node?["children"]?.elements.first { $0["label"] == .string(label) }
    }
  }
}
