import FlyingSocks
import Foundation
import Testing

/// A connection to a server on this machine, by which bytes go as a test wants them to.
struct Connection: Sendable {
  /// Longer, in seconds, than anything takes: no test depends on how fast the machine is.
  private static let patience = 600.0

  let socket: AsyncSocket

  /// Connects.
  ///
  /// - Parameters:
  ///   - url: Where to, of which the port counts.
  ///   - host: The address.
  ///   - room: How many bytes the system takes in before they are read; `nil` for as many as it likes.
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
    // Closing what the other side has closed already is no failure.
    try? socket.close()
  }
}
