import FlyingSocks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pool of sockets that send at once what is written.
///
/// An answer is written in two parts, and a socket by itself keeps the second one back until the client has acknowledged
/// the first: which the client puts off, in turn, for 40 milliseconds. The listening socket is the one that waits for
/// reading and writing, and those it accepts have its options.
struct PromptPool: AsyncSocketPool {
  /// So many sockets are told of at once, of some hundreds.
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
