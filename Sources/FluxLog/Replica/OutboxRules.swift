/// The rules by which a client writes its pending actions to its disk, and sends them to a server.
///
/// Each action of a client has a number, and the first action has the number one. A client writes
/// an action to its disk before it sends the action. A client that is killed and started again
/// therefore never gives the number of an action that the server has received to another action.
///
/// The value has no lock, no task, and no action. Each method is one event.
package struct OutboxRules: Hashable, Sendable {
  /// The numbers of consecutive actions.
  package typealias Numbers = ClosedRange<UInt64>

  /// Actions that the client sends to the server in one call.
  package struct Sending: Hashable, Sendable {
    package let numbers: Numbers
    /// The number of calls up to this call, which distinguishes the call from calls that were
    /// given up.
    package let call: Int
  }

  /// A reason why a client and a server cannot continue.
  package enum Mismatch: Error, Hashable, Sendable {
    /// The server has received actions of the client that the client does not know, for example
    /// because the client's disk was replaced by a backup.
    case clientIsOlder
    /// The server does not know actions of the client that it has confirmed, for example because
    /// the server's log was replaced by a backup.
    case serverIsOlder
  }

  private enum Connection: Hashable, Sendable {
    case offline
    case idle
    case sending(Sending)
    /// The last calls have failed, and the client waits before the next call.
    case waiting
  }

  /// The number of the newest action, or zero.
  package private(set) var newest: UInt64
  /// The number of the newest action on the disk.
  package private(set) var written: UInt64
  /// The number of the newest action that the server has received.
  package private(set) var received: UInt64
  /// The number of the newest action that the server has confirmed or refused.
  package private(set) var confirmed: UInt64
  /// The number of calls that have failed since the last call that succeeded.
  package private(set) var failures = 0
  private var writing: Numbers?
  /// The actions of a write that failed, and that the log may contain nevertheless.
  private var failedWrite: Numbers?
  private var connection = Connection.offline
  private var calls = 0

  /// Creates the rules of a client that starts.
  ///
  /// - Parameters:
  ///   - confirmed: The number of the newest action that the server has confirmed or refused.
  ///   - written: The number of the newest action on the disk.
  package init(confirmed: UInt64 = 0, written: UInt64 = 0) {
    self.confirmed = confirmed
    received = confirmed
    self.written = max(written, confirmed)
    newest = self.written
  }

  /// A Boolean value that indicates whether all actions were confirmed or refused.
  package var isEmpty: Bool { confirmed == newest }

  // MARK: Writing

  /// Returns the number of a new action.
  package mutating func add() -> UInt64 {
    newest += 1
    return newest
  }

  /// Returns the actions to write next, or `nil` if all actions were written, or a write is in
  /// progress.
  ///
  /// After a failure, the next write contains the same actions. If the failed write has taken
  /// effect, the repeated write finds the same entries in the log. A write with more actions would
  /// be refused.
  package mutating func beginWrite() -> Numbers? {
    guard writing == nil, written < newest else { return nil }
    writing = failedWrite.take() ?? written + 1...newest
    return writing
  }

  /// Records the end of the write in progress.
  package mutating func writeEnded(isSuccess: Bool) {
    guard let numbers = writing.take() else { return }
    if isSuccess { written = numbers.upperBound } else { failedWrite = numbers }
  }

  // MARK: Sending

  /// Records that the server can or cannot be reached.
  ///
  /// A call that is in progress when the connection is lost is given up.
  package mutating func connectionChanged(isOnline: Bool) {
    switch (connection, isOnline) {
    case (.offline, true): connection = .idle
    case (.offline, false), (_, true): break
    case (_, false): connection = .offline
    }
  }

  /// Returns the actions to send next, or `nil` if there are none, or the client cannot send now.
  package mutating func beginSending() -> Sending? {
    guard connection == .idle, received < written else { return nil }
    calls += 1
    let sending = Sending(numbers: received + 1...written, call: calls)
    connection = .sending(sending)
    return sending
  }

  /// Records that the server has answered a call.
  ///
  /// The answer to a call that was given up has no effect.
  ///
  /// - Parameters:
  ///   - call: The number of the call.
  ///   - received: The number of the newest action of this client that the server has received.
  /// - Returns: `false` if the server has received none of the actions of the call. The client then
  ///   waits, as after a call that failed, so that it does not send the actions over and over.
  @discardableResult
  package mutating func answered(_ call: Int, received: UInt64) throws(Mismatch) -> Bool {
    guard case .sending(let sending) = connection, sending.call == call else { return true }
    guard received <= written else { throw .clientIsOlder }
    guard received >= confirmed else { throw .serverIsOlder }
    self.received = received
    guard received >= sending.numbers.lowerBound else {
      failed(call)
      return false
    }
    connection = .idle
    failures = 0
    return true
  }

  /// Records that a call has failed, or that its time limit has passed.
  ///
  /// The server may have received the actions of the call.
  package mutating func failed(_ call: Int) {
    guard case .sending(let sending) = connection, sending.call == call else { return }
    failures += 1
    connection = .waiting
  }

  /// Records the end of the wait after a failure.
  package mutating func waitEnded() {
    if connection == .waiting { connection = .idle }
  }

  // MARK: Confirming

  /// Records that the server has confirmed or refused all actions up to a number.
  package mutating func confirm(through number: UInt64) throws(Mismatch) {
    guard number <= written else { throw .clientIsOlder }
    confirmed = max(confirmed, number)
    received = max(received, number)
  }
}
