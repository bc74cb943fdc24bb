/// A position in a log: the number of entries before it.
///
/// The position of an entry is the number of entries that were appended before the entry. The
/// position of the end of a log is the position that the next entry will have.
public struct LogPosition: Hashable, Codable, Sendable {
  /// The number of entries before the position, including truncated entries.
  public let offset: UInt64

  /// Creates a position.
  public init(_ offset: UInt64) {
    self.offset = offset
  }

  /// The position of the first entry of a log.
  public static let start = LogPosition(0)

  /// Returns the position that follows this position by a number of entries.
  public func advanced(by count: Int) -> LogPosition { LogPosition(offset + UInt64(count)) }

  /// Returns the number of entries from this position to another position, which is negative if
  /// the other position is earlier.
  public func distance(to other: LogPosition) -> Int {
    Int(Int64(bitPattern: other.offset &- offset))
  }
}

extension LogPosition: Comparable {
  /// Returns a Boolean value that indicates whether the first position is earlier than the second
  /// position.
  public static func < (first: LogPosition, second: LogPosition) -> Bool {
    first.offset < second.offset
  }
}

extension LogPosition: CustomStringConvertible {
  /// The number of entries before the position.
  public var description: String { "\(offset)" }
}
