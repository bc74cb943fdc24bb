#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The system calls of the server.

extension LoopbackServer {
  /// Listens on a free port of the loopback address.
  static func listen() throws(SystemError) -> (listener: Int32, port: UInt16) {
    let listener = try reserve(port: 0)
    try check(systemListen(listener), "listen", orClose: listener)
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withGeneric(&address) { getsockname(listener, $0, &length) }
    try check(named, "getsockname", orClose: listener)
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Prevents the system from giving a port of the loopback address to others, without listening
  /// on it; 0 selects a free port.
  ///
  /// A listening port can be reserved too, and remains reserved when it no longer listens.
  static func reserve(port: UInt16) throws(SystemError) -> Int32 {
    let holder = try streamSocket()
    var yes: Int32 = 1
    let shared = setsockopt(holder, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size))
    try check(shared, "setsockopt", orClose: holder)
    var address = loopback(port: port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try check(withGeneric(&address) { bind(holder, $0, length) }, "bind", orClose: holder)
    return holder
  }

  /// Connects to a port of the loopback address.
  static func connect(to port: UInt16) throws(SystemError) -> Int32 {
    let connection = try streamSocket()
    var address = loopback(port: port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withGeneric(&address) { systemConnect(connection, $0, length) }
    try check(connected, "connect", orClose: connection)
    return connection
  }

  /// Makes writing to a connection that the other side has closed an error, instead of a signal.
  static func ignoreBrokenPipe(_ connection: Int32) {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  private static func streamSocket() throws(SystemError) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
    return descriptor
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func withGeneric(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }

  private static func check(
    _ result: Int32, _ call: String, orClose descriptor: Int32
  ) throws(SystemError) {
    guard result != 0 else { return }
    let error = SystemError(call: call, code: errno)
    close(descriptor)
    throw error
  }
}

// Inside the server, these names refer to its own methods.

private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 16) }

private func systemConnect(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
  connect(descriptor, address, length)
}

/// Sends bytes; returns their number, or -1.
func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
