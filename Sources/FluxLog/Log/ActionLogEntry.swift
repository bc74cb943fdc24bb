public import Foundation

/// An entry of a log.
public struct ActionLogEntry: Hashable, Sendable {
  /// The position of the entry.
  public let position: LogPosition
  /// The contents of the entry, which the log does not interpret.
  public let data: Data

  /// Creates an entry.
  public init(position: LogPosition, data: Data) {
    self.position = position
    self.data = data
  }
}

/// A state that contains the effects of all entries before a position.
public struct LogSnapshot: Hashable, Sendable {
  /// The position of the first entry whose effect the state does not contain.
  public let position: LogPosition
  /// The encoded state, which the log does not interpret.
  public let data: Data

  /// Creates a snapshot.
  public init(position: LogPosition, data: Data) {
    self.position = position
    self.data = data
  }
}
