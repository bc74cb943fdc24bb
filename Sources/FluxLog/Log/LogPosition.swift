/// A position in a log: the number of entries before it.
///
/// The position of an entry is the number of entries that were appended before the entry. The
/// position of the end of a log is the position that the next entry will have.
///
/// No log has more than 2⁶³ - 1 entries. A greater number is not decoded.
public struct LogPosition: Hashable, Sendable {
  /// The number of entries before the position, including truncated entries.
  public let offset: UInt64

  /// Creates a position.
  public init(_ offset: UInt64) {
    self.offset = offset
  }

  /// The position of the first entry of a log.
  public static let start = LogPosition(0)

  /// A Boolean value that indicates whether a log can have the position.
  var isPossible: Bool { offset <= UInt64(Int64.max) }

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

extension LogPosition: Codable {
  private enum CodingKeys: CodingKey {
    case offset
  }

  /// Decodes a position.
  ///
  /// - Throws: An error if no log can have the position.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(UInt64.self, forKey: .offset))
    guard isPossible else {
      throw DecodingError.dataCorruptedError(
        forKey: .offset, in: container, debugDescription: "No log has the position \(self).")
    }
  }
}

extension LogPosition: CustomStringConvertible {
  /// The number of entries before the position.
  public var description: String { "\(offset)" }
}
