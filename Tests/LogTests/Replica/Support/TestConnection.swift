import FluxLog
import Foundation
import TestSupport

/// A connection to a server, which a test can interrupt.
final class TestConnection: ReplicaTransport {
  struct Lost: Error {}

  /// What happens to a call that sends actions.
  enum Fate {
    case arrives
    /// The server receives nothing.
    case isLost
    /// The server receives the actions, and the answer is lost.
    case losesAnswer
    /// The server receives the actions twice.
    case isRepeated
  }

  private struct Contents {
    var isOpen = true
    var entriesAreOpen = true
    var fates: [Fate] = []
    var pushed: [PushedActions] = []
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var waits = 0
  }

  private let server: any ReplicaTransport
  private let contents: Shared<Contents>

  init(to server: any ReplicaTransport, isOpen: Bool = true, _ fates: [Fate] = []) {
    self.server = server
    contents = Shared(Contents(isOpen: isOpen, entriesAreOpen: isOpen, fates: fates))
  }

  /// The messages that the server has received or that were lost.
  var pushed: [PushedActions] { contents.value.pushed }

  /// Lets calls through from now on.
  func open() {
    open { $0.isOpen = true }
    openEntries()
  }

  /// Lets calls that send actions through from now on.
  func openPushes() {
    open { $0.isOpen = true }
  }

  /// Lets entries through from now on.
  func openEntries() {
    open { $0.entriesAreOpen = true }
  }

  private func open(_ change: (inout Contents) -> Void) {
    let waiting = contents.change { contents in
      change(&contents)
      defer { contents.waiting = [:] }
      return contents.waiting.values.map(\.self)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the connection is open, or until the task is canceled.
  private func until(_ isOpen: @escaping @Sendable (Contents) -> Bool) async throws {
    while !isOpen(contents.value) {
      let wait = contents.change { contents in
        contents.waits += 1
        return contents.waits
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = contents.change { contents in
            let isReady = isOpen(contents) || Task.isCancelled
            if !isReady { contents.waiting[wait] = continuation }
            return isReady
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        contents.change { $0.waiting.removeValue(forKey: wait) }?.resume()
      }
      try Task.checkCancellation()
    }
  }

  func push(_ actions: PushedActions) async throws -> UInt64 {
    try await until(\.isOpen)
    let fate = contents.change { contents in
      contents.pushed.append(actions)
      return contents.fates.isEmpty ? .arrives : contents.fates.removeFirst()
    }
    switch fate {
    case .arrives: return try await server.push(actions)
    case .isLost: throw Lost()
    case .losesAnswer:
      _ = try await server.push(actions)
      throw Lost()
    case .isRepeated:
      _ = try await server.push(actions)
      return try await server.push(actions)
    }
  }

  func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
    OpenedEntries(connection: self, entries: { [server] in server.entries(from: position) })
  }

  func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
    try await server.snapshot(for: client)
  }

  /// The entries of a server after the connection was opened.
  private struct OpenedEntries: AsyncSequence, Sendable {
    typealias Failure = any Error

    let connection: TestConnection
    let entries: @Sendable () -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
      let sequence: OpenedEntries
      var iterator: (any AsyncIteratorProtocol<[ReplicaEntry], any Error>)?

      mutating func next() async throws -> [ReplicaEntry]? {
        try await next(isolation: nil)
      }

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> [ReplicaEntry]? {
        try await sequence.connection.until(\.entriesAreOpen)
        var found = iterator ?? sequence.entries().makeAsyncIterator()
        defer { iterator = found }
        return try await found.next(isolation: actor)
      }
    }
  }
}
