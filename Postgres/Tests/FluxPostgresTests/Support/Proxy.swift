import Foundation
import Glibc
import Synchronization
import Testing

/// A program between a log and the server, which can lose answers and refuse connections.
final class Proxy: Sendable {
  private struct Contents {
    var listener: Int32 = -1
    /// The sockets of the open connections: that of the log, and that of the server.
    var open: [Int: (log: Int32, server: Int32)] = [:]
    /// The connections whose next answer is lost.
    var losing: Set<Int> = []
    var count = 0
  }

  private let contents = Mutex(Contents())
  private let port: UInt16
  private let serverPort: UInt16
  /// The connection string of the proxy.
  let url: String

  init() throws {
    let server = try #require(URLComponents(string: TestServer.url()))
    var proxy = server
    serverPort = UInt16(try #require(server.port))
    let listener = try Self.listen(0)
    port = try Self.port(of: listener)
    proxy.port = Int(port)
    url = try #require(proxy.string)
    accept(on: listener)
  }

  deinit { refuse() }

  /// Loses the next answer of the server to each connection, and the connection.
  func loseAnswers() {
    contents.withLock { contents in contents.losing = Set(contents.open.keys) }
  }

  /// Ends all connections, and refuses new ones.
  func refuse() {
    let (listener, open) = contents.withLock { contents in
      defer { contents.listener = -1 }
      return (contents.listener, contents.open.values)
    }
    if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
    for (log, server) in open {
      shutdown(log, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// Accepts connections again.
  func accept() throws { accept(on: try Self.listen(port)) }

  private func accept(on listener: Int32) {
    contents.withLock { $0.listener = listener }
    Thread { [weak self] in
      while true {
        let log = Glibc.accept(listener, nil, nil)
        guard log >= 0, let self, let server = try? Self.connect(serverPort) else { break }
        let number = contents.withLock { contents in
          contents.count += 1
          contents.open[contents.count] = (log, server)
          return contents.count
        }
        Thread { [weak self] in
          Self.copy(from: log, to: server) { true }
          self?.end(number)
        }.start()
        Thread { [weak self] in
          Self.copy(from: server, to: log) { self?.contents.withLock { $0.losing.remove(number) } == nil }
          self?.end(number)
        }.start()
      }
      close(listener)
    }.start()
  }

  /// Ends both parts of a connection.
  ///
  /// The descriptors stay reserved until the process ends, because two threads use each of them.
  private func end(_ number: Int) {
    guard let (log, server) = contents.withLock({ $0.open.removeValue(forKey: number) }) else { return }
    shutdown(log, Int32(SHUT_RDWR))
    shutdown(server, Int32(SHUT_RDWR))
  }

  private static func copy(from source: Int32, to target: Int32, while condition: () -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count > 0, condition() else { break }
      var sent = 0
      while sent < count {
        let part = buffer[sent..<count].withUnsafeBytes {
          send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard part > 0 else { return }
        sent += part
      }
    }
  }

  // MARK: - Sockets

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private static func withAddress(
    _ port: UInt16, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "errno \(errno)")
    return descriptor
  }

  private static func listen(_ port: UInt16) throws -> Int32 {
    try withAddress(port) { descriptor, address, length in
      bind(descriptor, address, length) == 0 ? Glibc.listen(descriptor, 16) : -1
    }
  }

  private static func connect(_ port: UInt16) throws -> Int32 {
    try withAddress(port) { Glibc.connect($0, $1, $2) }
  }

  private static func port(of descriptor: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    try #require(result == 0)
    return UInt16(bigEndian: address.sin_port)
  }
}
