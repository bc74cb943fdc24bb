import Foundation

/// A change that was made, and the version that it made.
struct JournalEntry: Codable, Equatable {
  let version: Int
  let change: Change
}

/// The changes of one write to the journal: a line of JSON behind its checksum.
///
/// A write is begun only when the one before is on disk. So what a kill or a loss of power may leave torn is the last
/// line of a segment, whose changes nobody was told of.
struct JournalLine {
  /// The mark of the end of a line.
  static let newline = UInt8(ascii: "\n")
  /// The digits of the checksum, and a blank.
  private static let leadCount = 17

  let entries: [JournalEntry]

  init(_ entries: [JournalEntry]) {
    self.entries = entries
  }

  /// Reads a line, without the mark of its end; `nil` if it is cut off, or not what was written.
  ///
  /// - Throws: Why what was written cannot be understood, perhaps since a newer program has written it.
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

  /// The lines of a segment; behind the last mark of an end stands what is cut off.
  static func split(_ segment: Data) -> [Data] {
    var lines = segment.split(separator: newline, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

extension Data {
  /// The 64 bits of FNV-1a, by Fowler, Noll and Vo.
  fileprivate var checksum: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { sum, byte in (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
