import Foundation

/// A record at a place in a journal, with a number and a checksum.
///
/// ```
/// offset  bytes
///      0      4  the number of bytes of the contents
///      4      2  the number of bytes of the name
///      6      1  the subject: 1 for a snapshot, 2 for an action
///      7      1  0, or the number of the reason why the contents are missing
///      8      8  the number of the action, or of the first action after the snapshot
///     16      8  the checksum of all other words
///     24         the name, and zeros up to a multiple of eight bytes
///                the contents, and zeros up to a multiple of eight bytes
/// ```
///
/// The first word is written last. A frame is valid only if its checksum matches, so an incomplete
/// frame is not valid, wherever the program was killed. The remains of older frames after the last
/// frame are recognized by their numbers, because numbers never repeat in a file.
struct JournalFrame: Hashable, Sendable {
  enum Subject: UInt64, Sendable {
    case snapshot = 1
    case action = 2
  }

  static let headerCount = 24

  let subject: Subject
  let number: UInt64
  let record: JournalRecord

  /// Returns the number of bytes of the frame of a record.
  static func count(of record: JournalRecord) -> Int {
    headerCount &+ 8 &* record.name.words.count &+ padded(record.contents.count)
  }

  /// Writes a frame.
  ///
  /// The memory must have room for the frame.
  static func write(
    _ subject: Subject, _ record: JournalRecord, number: UInt64, to memory: some JournalMemory,
    at offset: Int
  ) {
    let first =
      UInt64(truncatingIfNeeded: record.contents.count)
      | UInt64(truncatingIfNeeded: record.name.count) &<< 32
      | subject.rawValue &<< 48 | (record.gap?.rawValue ?? 0) &<< 56
    var checksum = JournalChecksum()
    checksum.add(first)
    checksum.add(number)
    var place = offset &+ headerCount
    for word in record.name.words {
      checksum.add(word)
      memory.store(word, at: place)
      place = place &+ 8
    }
    memory.copy(record.contents, to: place, adding: &checksum)
    memory.store(number, at: offset &+ 8)
    memory.store(checksum.value, at: offset &+ 16)
    memory.publish(first, at: offset)
  }

  /// Reads a frame, or returns `nil` if there is no valid frame.
  ///
  /// - Parameters:
  ///   - bytes: The contents of a file.
  ///   - offset: The offset of the frame, which is a multiple of eight.
  ///   - end: The offset of the end of the half, which is at most the number of bytes.
  init?(_ bytes: [UInt8], at offset: Int, end: Int) {
    guard end - offset >= Self.headerCount else { return nil }
    let first = bytes.word(at: offset)
    let (count, nameCount) = (Int(first & 0xFFFF_FFFF), Int(first >> 32 & 0xFFFF))
    let body = offset + Self.headerCount
    let contents = body + Self.padded(nameCount)
    guard let subject = Subject(rawValue: first >> 48 & 0xFF), contents <= end,
      Self.padded(count) <= end - contents
    else { return nil }
    number = bytes.word(at: offset + 8)
    var checksum = JournalChecksum()
    checksum.add(first)
    checksum.add(number)
    for place in stride(from: body, to: contents + Self.padded(count), by: 8) {
      checksum.add(bytes.word(at: place))
    }
    guard checksum.value == bytes.word(at: offset + 16),
      let record = JournalRecord(
        name: JournalName(bytes[body..<body + nameCount]), contents: Data(bytes[contents..<contents + count]),
        gapNumber: first >> 56)
    else { return nil }
    self.subject = subject
    self.record = record
  }

  private static func padded(_ count: Int) -> Int { (count &+ 7) & ~7 }
}

/// A checksum of words.
///
/// Each step is reversible, so every change of a single word changes the result. A step for each
/// word instead of each byte takes about half an instruction for each byte.
struct JournalChecksum: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 32
  }
}

extension [UInt8] {
  /// Returns the word at an offset, in little-endian byte order.
  func word(at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in (offset..<offset + 8).reversed() { word = word << 8 | UInt64(self[index]) }
    return word
  }
}
