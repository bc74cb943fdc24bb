import FlyingSocks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pool whose sockets send bytes as soon as the bytes are written.
///
/// An answer is written in two parts. By default, a socket delays the second part until the
/// client has acknowledged the first part, and the client delays the acknowledgment for 40
/// milliseconds. The listening socket is the socket that waits for connections, and accepted
/// sockets inherit its options.
struct PromptPool: AsyncSocketPool {
  /// The pool that polls the sockets, and that reports up to 256 ready sockets at a time.
  private let pool: some AsyncSocketPool = SocketPool<Poll>.make(maxEvents: 256)

  func prepare() async throws { try await pool.prepare() }

  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    if events == .connection {
      try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    }
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
