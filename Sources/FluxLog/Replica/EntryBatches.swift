import Foundation

/// The entries of a log from a position on, in batches, including entries that are appended later.
struct EntryBatches: AsyncSequence, Sendable {
  typealias Failure = any Error

  let log: any ActionLog
  let position: LogPosition
  let decode: @Sendable (ActionLogEntry) throws -> ReplicaEntry

  init(
    of log: any ActionLog, from position: LogPosition,
    decode: @escaping @Sendable (ActionLogEntry) throws -> ReplicaEntry
  ) {
    self.log = log
    self.position = position
    self.decode = decode
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(log: log, position: position, decode: decode, ends: log.ends().makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    let log: any ActionLog
    var position: LogPosition
    let decode: @Sendable (ActionLogEntry) throws -> ReplicaEntry
    var ends: AsyncStream<LogPosition>.Iterator

    mutating func next() async throws -> [ReplicaEntry]? {
      try await next(isolation: nil)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> [ReplicaEntry]? {
      while true {
        let entries = try await log.entries(from: position, limit: 1_000)
        guard entries.isEmpty else {
          position = position.advanced(by: entries.count)
          return try entries.map(decode)
        }
        guard await ends.next(isolation: actor) != nil else { return nil }
      }
    }
  }
}
