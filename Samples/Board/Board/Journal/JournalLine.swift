import Foundation

/// A change that was made, and the version that the change made.
struct JournalEntry: Codable, Equatable {
  let version: Int
  let change: Change
}

/// The changes of one write to the journal: a line of JSON after its checksum.
///
/// A write begins only after the previous write is on disk. A kill or a power loss can therefore
/// leave only the last line of a segment incomplete, and the changes in that line were not
/// acknowledged.
struct JournalLine {
  /// The byte that ends a line.
  static let newline = UInt8(ascii: "\n")
  /// The number of bytes of the checksum and the space after it.
  private static let leadCount = 17

  let entries: [JournalEntry]

  init(_ entries: [JournalEntry]) {
    self.entries = entries
  }

  /// Reads a line without its ending newline; returns `nil` if the line is incomplete or
  /// damaged.
  ///
  /// - Throws: An error if an undamaged line cannot be decoded, for example because a newer
  ///   program wrote it.
  init?(whole bytes: Data) throws {
    let json = Data(bytes.dropFirst(Self.leadCount))
    guard bytes.prefix(Self.leadCount) == Self.lead(of: json) else { return nil }
    entries = try JSONDecoder().decode([JournalEntry].self, from: json)
  }

  func bytes() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(entries)
    return Self.lead(of: json) + json + [Self.newline]
  }

  private static func lead(of json: Data) -> Data {
    let digits = String(json.checksum, radix: 16)
    return Data("\(String(repeating: "0", count: 16 - digits.count))\(digits) ".utf8)
  }

  /// Returns the lines of a segment.
  ///
  /// If the segment does not end with a newline, the last line is incomplete.
  static func split(_ segment: Data) -> [Data] {
    var lines = segment.split(separator: newline, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

extension Data {
  /// The 64 bits of FNV-1a, by Fowler, Noll, and Vo.
  fileprivate var checksum: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { sum, byte in (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
