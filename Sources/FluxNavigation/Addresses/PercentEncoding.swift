/// The encoding of text in addresses, as in RFC 3986.
enum PercentEncoding {
  /// The characters that addresses contain without encoding, in addition to letters and digits.
  private static let unreserved: Set<UInt8> = Set("-._~".utf8)

  /// Returns a text in which all characters except letters, digits, and `-._~` are encoded.
  static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      if isLetterOrDigit(byte) || unreserved.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + hexadecimal(byte >> 4) + hexadecimal(byte & 15)
      }
    }
    return encoded
  }

  /// Returns the text that an encoded text represents, or `nil` if the encoding is not valid.
  static func decode(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> String {
    String(digit, radix: 16, uppercase: true)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
