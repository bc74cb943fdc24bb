import FluxMiddleware
import Foundation

// The numbers of binary files, in little-endian byte order.

extension Data {
  mutating func append<Number: FixedWidthInteger>(number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Returns the number at an offset, or `nil` if the data ends before it is complete.
  func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, count >= size, offset <= count - size else { return nil }
    return (0..<size).reversed().reduce(0) { $0 << 8 | Number(self[startIndex + offset + $1]) }
  }

  /// Replaces the number at an offset, where there is room for it.
  mutating func replace<Number: FixedWidthInteger>(number: Number, at offset: Int) {
    var bytes = Data()
    bytes.append(number: number)
    replaceSubrange(startIndex + offset..<startIndex + offset + bytes.count, with: bytes)
  }
}

extension JSONValue {
  /// A number of 64 bits: any JSON describes one, so that each change of a number has an effect.
  var word: UInt64 {
    switch self {
    case .integer(let number): UInt64(bitPattern: Int64(number))
    case .decimal, .double: .max
    case .bool(let isTrue): isTrue ? 1 : 0
    case .null, .string, .array, .object: 0
    }
  }

  /// The text of a string, and the JSON of any other value.
  var utf8: Data {
    if case .string(let text) = self { return Data(text.utf8) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A number that JSON cannot contain is left out.
    return (try? encoder.encode(self)) ?? Data()
  }

  /// The elements of an array, or no elements.
  var elements: [JSONValue] {
    if case .array(let elements) = self { return elements }
    return []
  }

  /// The members of an object, or no members.
  var members: [String: JSONValue] {
    if case .object(let members) = self { return members }
    return [:]
  }
}
