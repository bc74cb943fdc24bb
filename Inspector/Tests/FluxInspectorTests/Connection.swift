import FlyingSocks
import Foundation
import Testing

/// A connection to a server on this machine, which sends and receives the bytes of a test.
struct Connection: Sendable {
  /// A time limit in seconds that no operation reaches, so that no test depends on the speed of
  /// the machine.
  private static let patience = 600.0

  let socket: AsyncSocket

  /// Connects.
  ///
  /// - Parameters:
  ///   - url: The URL, of which only the port is used.
  ///   - host: The address.
  ///   - room: The number of bytes that the system buffers before they are read; `nil` for the
  ///     system's default.
  init(to url: URL, host: String = "127.0.0.1", room: Int32? = nil) async throws {
    let port = UInt16(truncatingIfNeeded: try #require(url.port))
    let address = try sockaddr_in.inet(ip4: host, port: port)
    guard let room else {
      socket = try await AsyncSocket.connected(to: address, timeout: Self.patience)
      return
    }
    let narrow = try Socket(domain: Int32(sockaddr_in.family), type: .stream)
    try narrow.setValue(room, for: .receiveBufferSize)
    socket = try await AsyncSocket(socket: narrow, pool: .client)
    try await socket.connect(to: address)
  }

  func write(_ text: String) async throws {
    try await socket.write(Data(text.utf8))
  }

  /// The head of the answer to a request: its status line and its headers.
  func readHead() async throws -> [String] {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head.append(try await socket.read()) }
    return String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  func close() {
    // Closing a connection that the other side has already closed is not a failure.
    try? socket.close()
  }
}
