import Foundation

/// The values of the parameters of a statement, in the binary format of PostgreSQL.
struct Parameters: Hashable, Sendable {
  /// The object identifiers of the types, which never change.
  enum PostgresType: UInt32, Hashable, Sendable {
    case bytes = 17
    case integer = 20
    case text = 25
    case bytesArray = 1001
    case timestamp = 1184
    case uuid = 2950
  }

  /// The bytes of all values.
  ///
  /// The first byte is unused, so that the pointer of an empty value is not null, which would mean
  /// a null value.
  private(set) var bytes: [UInt8] = [0]
  private(set) var types: [PostgresType] = []
  /// The part of the bytes that contains each value, or `nil` for a null value.
  private(set) var ranges: [Range<Int>?] = []

  mutating func append(_ text: String) {
    append(.text) { $0 += text.utf8 }
  }

  mutating func append(_ number: Int64?) {
    guard let number else { return appendNull(.integer) }
    append(.integer) { $0.append(bigEndian: number) }
  }

  mutating func append(_ uuid: UUID) {
    append(.uuid) { bytes in withUnsafeBytes(of: uuid.uuid) { bytes += $0 } }
  }

  mutating func append(_ data: Data) {
    append(.bytes) { $0 += data }
  }

  /// Appends a time as the server has sent it.
  mutating func append(time: Data) {
    append(.timestamp) { $0 += time }
  }

  /// Appends an array of data, which has one dimension and no null values.
  mutating func append(_ elements: [Data]) {
    append(.bytesArray) { bytes in
      bytes.reserveCapacity(bytes.count + elements.reduce(20) { $0 + $1.count + 4 })
      // An empty array has no dimension.
      bytes.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
      bytes.append(bigEndian: Int32(0))
      bytes.append(bigEndian: PostgresType.bytes.rawValue)
      guard !elements.isEmpty else { return }
      bytes.append(bigEndian: Int32(elements.count))
      bytes.append(bigEndian: Int32(1))
      for element in elements {
        bytes.append(bigEndian: Int32(element.count))
        bytes += element
      }
    }
  }

  private mutating func append(_ type: PostgresType, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    types.append(type)
    ranges.append(start..<bytes.count)
  }

  private mutating func appendNull(_ type: PostgresType) {
    types.append(type)
    ranges.append(nil)
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { self += $0 }
  }
}
