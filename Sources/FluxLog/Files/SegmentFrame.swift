import Foundation

/// A part of a segment that is written in one step, with checksums.
///
/// ```
/// offset  bytes
///      0      4  the number of bytes of the body
///      4      1  the kind: 1 for a snapshot, 2 for entries
///      5      8  the position of the snapshot, or of the first entry
///     13      8  the checksum of the previous 13 bytes
///     21      8  the checksum of the body
///     29         the body
/// ```
///
/// Numbers are in little-endian byte order. The separate checksum of the first fields shows
/// whether the number of bytes is correct, so that a damaged number is not mistaken for a frame
/// that continues after the end of the file.
struct SegmentFrame: Hashable, Sendable {
  enum Kind: UInt8 {
    case snapshot = 1
    case entries = 2
  }

  static let headerCount = 29
  private static let checkedCount = 13

  let kind: Kind
  let position: LogPosition
  let body: Data

  private init(_ kind: Kind, at position: LogPosition, _ body: Data) {
    self.kind = kind
    self.position = position
    self.body = body
  }

  /// Creates a frame with a snapshot, or with no snapshot at the beginning of a log.
  init(snapshot: Data?, at position: LogPosition) {
    self.init(.snapshot, at: position, snapshot.map { Data([1]) + $0 } ?? Data([0]))
  }

  /// Creates a frame with entries.
  init(entries: [Data], at position: LogPosition) {
    var body = Data(capacity: entries.reduce(0) { $0 + $1.count + 4 })
    for entry in entries {
      body.append(UInt32(entry.count))
      body.append(entry)
    }
    self.init(.entries, at: position, body)
  }

  var bytes: Data {
    var bytes = Data(capacity: Self.headerCount + body.count)
    bytes.append(UInt32(body.count))
    bytes.append(kind.rawValue)
    bytes.append(position.offset)
    bytes.append(bytes.checksum)
    bytes.append(body.checksum)
    bytes.append(body)
    return bytes
  }

  // MARK: - Reading

  /// The result of reading a frame.
  enum Reading {
    case frame(SegmentFrame, count: Int)
    /// The data ends before the frame is complete.
    case incomplete
    /// The first fields do not match their checksum.
    case damaged
    /// The body does not match its checksum.
    case damagedBody(count: Int)
  }

  /// Reads the frame at the beginning of data.
  static func read(_ data: Data) -> Reading {
    guard data.count >= headerCount else { return .incomplete }
    let start = data.startIndex
    let count = Int(data.integer(UInt32.self, at: 0))
    guard data.integer(UInt64.self, at: checkedCount) == data[start..<start + checkedCount].checksum,
      let kind = Kind(rawValue: data[start + 4])
    else { return .damaged }
    guard data.count - headerCount >= count else { return .incomplete }
    let body = data[start + headerCount..<start + headerCount + count]
    guard data.integer(UInt64.self, at: checkedCount + 8) == body.checksum else {
      return .damagedBody(count: headerCount + count)
    }
    let position = LogPosition(data.integer(UInt64.self, at: 5))
    return .frame(SegmentFrame(kind, at: position, Data(body)), count: headerCount + count)
  }

  /// The snapshot, or `nil` if the frame has none.
  var snapshot: Data? { body.first == 1 ? Data(body.dropFirst()) : nil }

  /// The entries, or `nil` if the body does not consist of entries.
  var entries: [Data]? {
    var entries: [Data] = []
    var rest = body
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let count = Int(rest.integer(UInt32.self, at: 0))
      rest = rest.dropFirst(4)
      guard rest.count >= count else { return nil }
      entries.append(Data(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return entries
  }
}

extension Data {
  fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate func integer<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number {
    var number = Number.zero
    for index in (0..<MemoryLayout<Number>.size).reversed() {
      number = number << 8 | Number(self[startIndex + offset + index])
    }
    return number
  }

  /// The 64-bit FNV-1a hash, by Fowler, Noll, and Vo.
  ///
  /// Each step of the hash is reversible, so every change of a single byte changes the result.
  fileprivate var checksum: UInt64 {
    withUnsafeBytes { bytes in
      bytes.reduce(0xcbf2_9ce4_8422_2325) { sum, byte in (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
  }
}
