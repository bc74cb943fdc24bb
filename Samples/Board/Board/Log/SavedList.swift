package import FluxLog
import Foundation

/// The list that the snapshot and the entries of a log make.
struct SavedList {
  private(set) var list = ItemList()
  /// The number of bytes of the entries after the snapshot.
  private(set) var count = 0

  /// Reads a log.
  ///
  /// - Throws: ``LogError``, or ``BoardError`` if the contents of the log are not a list.
  init(of log: any ActionLog) async throws {
    if let snapshot = try await log.snapshot() { try begin(with: snapshot) }
    try await catchUp(with: log)
  }

  /// Reads the changes after a list.
  ///
  /// If another process has removed them, the newest snapshot contains them.
  ///
  /// - Parameter count: The number of bytes of the entries from the snapshot to the list.
  /// - Throws: ``LogError``, or ``BoardError`` if the contents of the log are not a list.
  init(of log: any ActionLog, after list: ItemList, count: Int) async throws {
    (self.list, self.count) = (list, count)
    try await catchUp(with: log)
  }

  private mutating func catchUp(with log: any ActionLog) async throws {
    while true {
      do {
        return try await readEntries(of: log)
      } catch let error as LogError where error.code == .truncated {
        // Another process may save the next snapshot in the meantime, so the read is repeated.
        guard let snapshot = try await log.snapshot(), snapshot.position > position else { throw error }
        try begin(with: snapshot)
      }
    }
  }

  /// Each change makes one version, so the version is the position after the change.
  private var position: LogPosition { LogPosition(UInt64(list.version)) }

  private mutating func readEntries(of log: any ActionLog) async throws {
    for entry in try await log.entries(from: position) {
      let stored = try Self.decode(KeyedChange.self, from: entry.data, at: entry.position)
      _ = list.apply(stored.change, key: stored.key)
      count += entry.data.count
      try check(entry.position.advanced(by: 1))
    }
  }

  private mutating func begin(with snapshot: LogSnapshot) throws {
    list = try Self.decode(ItemList.self, from: snapshot.data, at: snapshot.position)
    count = 0
    try check(snapshot.position)
  }

  private func check(_ position: LogPosition) throws(BoardError) {
    guard UInt64(exactly: list.version) == position.offset else {
      throw BoardError(position: position, reason: "version \(list.version) is not position \(position)")
    }
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, at position: LogPosition
  ) throws(BoardError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw BoardError(position: position, reason: "\(error)")
    }
  }
}

/// An error that indicates that a log does not contain the changes of a board, for example
/// because a newer program wrote them.
package struct BoardError: Error, CustomStringConvertible {
  package let position: LogPosition
  let reason: String

  package var description: String { "The log cannot be understood at position \(position): \(reason)." }
}
