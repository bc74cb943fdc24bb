import Foundation

/// An action or a state in a journal: its name, and its contents or the reason why they are
/// missing.
struct JournalRecord: Hashable, Sendable {
  /// The reason why a record has no contents.
  enum Gap: UInt64, Sendable {
    case unregistered = 1
    case unencodable = 2
    case tooLarge = 3
  }

  /// The name of the type of an action in the registry, or the name of the type of a state.
  let name: JournalName
  /// One line of JSON, or no bytes if the contents are missing.
  let contents: Data
  let gap: Gap?

  private init(name: JournalName, contents: Data, gap: Gap?) {
    self.name = name
    self.contents = contents
    self.gap = gap
  }

  /// Creates a record with contents.
  init(name: JournalName, contents: Data) {
    self.init(name: name, contents: contents, gap: nil)
  }

  /// Creates a record without contents.
  init(name: JournalName, without gap: Gap) {
    self.init(name: name, contents: Data(), gap: gap)
  }

  /// Creates a record from its parts in a file, or returns `nil` if they are not valid.
  init?(name: JournalName, contents: Data, gapNumber: UInt64) {
    let gap = Gap(rawValue: gapNumber)
    guard (gap == nil) == (gapNumber == 0), gap == nil || contents.isEmpty else { return nil }
    self.init(name: name, contents: contents, gap: gap)
  }

  /// Returns the record without its contents, because it is too large.
  var shortened: JournalRecord { JournalRecord(name: name, without: .tooLarge) }
}

/// A name as UTF-8, in the form in which a journal stores it.
struct JournalName: Hashable, Sendable {
  private static let maximumCount = 200

  /// The number of bytes.
  let count: Int
  /// The bytes in little-endian byte order, followed by zeros.
  let words: [UInt64]

  /// Creates a name from UTF-8, without the end of a name that is too long.
  init(_ utf8: some Sequence<UInt8>) {
    let bytes = Array(utf8.prefix(Self.maximumCount))
    count = bytes.count
    words = stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  init(_ text: String) {
    self.init(text.utf8)
  }

  /// The name as text.
  var text: String {
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
