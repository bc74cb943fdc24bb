/// The rules of a connection to a server that is established again after it was lost.
///
/// The value has no lock, no socket, and no clock. Each method is one event, and returns what to
/// do.
struct ConnectionRules: Hashable, Sendable {
  /// The next step of the owner of the connection.
  enum Step: Hashable, Sendable {
    /// Wait, and call ``waitEnded()``.
    case wait(milliseconds: Int)
    /// Try to connect, and call ``attemptEnded(succeeded:)``.
    case connect
    /// Use the connection until it is lost.
    case use
    /// Close the connection. No step follows.
    case stop
  }

  enum State: Hashable, Sendable {
    /// There is no connection, and none is needed.
    case disconnected
    /// There is no connection, and a number of attempts have failed since the last one.
    case waiting(failures: Int)
    case connecting(failures: Int)
    case connected
    case closed
  }

  /// The first delay, in milliseconds, which each failed attempt doubles.
  static let firstDelay = 50
  /// The longest delay, in milliseconds.
  static let longestDelay = 2_000

  private(set) var state: State

  init(_ state: State) {
    self.state = state
  }

  /// The number of attempts that have failed since there was a connection.
  var failures: Int {
    switch state {
    case .waiting(let failures), .connecting(let failures): failures
    case .disconnected, .connected, .closed: 0
    }
  }

  /// The step that the current state requires, or `nil` if there is no connection, and none is
  /// needed.
  var step: Step? {
    switch state {
    case .disconnected: nil
    case .waiting(let failures): .wait(milliseconds: Self.delay(after: failures))
    case .connecting: .connect
    case .connected: .use
    case .closed: .stop
    }
  }

  /// Begins to connect if there is no connection.
  mutating func connect() {
    if state == .disconnected { state = .connecting(failures: 0) }
  }

  mutating func waitEnded() {
    if case .waiting(let failures) = state { state = .connecting(failures: failures) }
  }

  mutating func attemptEnded(succeeded: Bool) {
    guard case .connecting(let failures) = state else { return }
    state = succeeded ? .connected : .waiting(failures: failures + 1)
  }

  /// Records that the connection was lost.
  ///
  /// Even the first attempt follows a delay, because a server can close each connection at once.
  mutating func lost() {
    if state == .connected { state = .waiting(failures: 0) }
  }

  /// Gives up, until there is a need for the connection again.
  mutating func giveUp() {
    if state != .closed { state = .disconnected }
  }

  mutating func close() {
    state = .closed
  }

  private static func delay(after failures: Int) -> Int {
    min(firstDelay << min(failures, 16), longestDelay)
  }
}
