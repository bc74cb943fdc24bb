/// A decoder of keys from the bytes that a terminal sends, in pieces of any size.
///
/// An Esc byte can be a key, or the beginning of the escape sequence of another key. If no byte
/// follows within a short time, it is a key. The decoder has no clock, so the caller measures the
/// time and calls ``flush()``.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    /// The beginning of a character, and the number of missing bytes.
    case character([UInt8], lacking: Int)
    case escape
    /// An incomplete escape sequence that begins with Esc [, with the bytes that follow Esc [.
    case sequence([UInt8])
    /// An incomplete escape sequence that begins with Esc O.
    case applicationKey
    /// An escape sequence that begins with Esc [ [, which the Linux console sends, and that lacks
    /// only its last letter.
    case consoleKey
  }

  /// A length that is greater than the length of every known escape sequence.
  private static let longestName = 32

  private var state = State.ground

  package init() {}

  /// A Boolean value that indicates whether the last bytes are an Esc or an incomplete escape
  /// sequence.
  package var isWaiting: Bool {
    switch state {
    case .ground, .character: false
    case .escape, .sequence, .applicationKey, .consoleKey: true
    }
  }

  /// Processes bytes; returns the keys that they complete, without unknown keys.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    bytes.flatMap { feed($0) }
  }

  /// Discards an incomplete escape sequence; returns the Esc key if the sequence consists of only
  /// an Esc.
  ///
  /// The caller calls this method when no byte has followed within a short time.
  ///
  /// An incomplete character stays pending, because its missing bytes always follow.
  package mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    defer { state = .ground }
    if case .escape = state { return [.escape] }
    return []
  }

  private mutating func feed(_ byte: UInt8) -> [Key] {
    switch state {
    case .ground: return begin(byte)
    case .character(let bytes, let lacking):
      guard 0x80...0xBF ~= byte else {
        state = .ground
        return [.character("\u{FFFD}")] + begin(byte)
      }
      state = .character(bytes + [byte], lacking: lacking - 1)
      guard lacking == 1 else { return [] }
      state = .ground
      // Invalid bytes that look like a character become several replacement characters.
      let text = String(decoding: bytes + [byte], as: UTF8.self)
      return [.character(text.count == 1 ? Character(text) : "\u{FFFD}")]
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "O"): state = .applicationKey
      default:
        // Two keys that arrived together, or a key with Alt.
        state = .ground
        return [.escape] + begin(byte)
      }
      return []
    case .sequence(let name): return continueName(name, byte)
    case .applicationKey:
      state = .ground
      return [byte == UInt8(ascii: "M") ? .enter : Key(letter: byte)].compactMap { $0 }
    case .consoleKey:
      state = .ground
      return []
    }
  }

  private mutating func begin(_ byte: UInt8) -> [Key] {
    switch byte {
    case 0x1B: state = .escape
    case 0x0D, 0x0A: return [.enter]
    case 0x09: return [.tab]
    case 0x7F, 0x08: return [.backspace]
    case 0x01...0x1A: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
    case 0x20...0x7E: return [.character(Character(Unicode.Scalar(byte)))]
    case 0xC2...0xDF: state = .character([byte], lacking: 1)
    case 0xE0...0xEF: state = .character([byte], lacking: 2)
    case 0xF0...0xF4: state = .character([byte], lacking: 3)
    case 0x80...: return [.character("\u{FFFD}")]
    default: break
    }
    return []
  }

  private mutating func continueName(_ name: [UInt8], _ byte: UInt8) -> [Key] {
    switch byte {
    case UInt8(ascii: "[") where name.isEmpty:
      state = .consoleKey
      return []
    case 0x40...0x7E:
      state = .ground
      return [Key(name: name, letter: byte)].compactMap { $0 }
    case 0x20...0x3F where name.count < KeyDecoder.longestName:
      state = .sequence(name + [byte])
      return []
    default:
      state = .ground
      return begin(byte)
    }
  }
}

extension Key {
  /// Creates the key whose name ends with a letter.
  fileprivate init?(letter: UInt8) {
    switch Unicode.Scalar(letter) {
    case "A": self = .up
    case "B": self = .down
    case "C": self = .right
    case "D": self = .left
    case "H": self = .home
    case "F": self = .end
    case "Z": self = .backTab
    default: return nil
    }
  }

  /// Creates a key from the part of its escape sequence that follows Esc [.
  ///
  /// The modifiers after a semicolon are ignored.
  fileprivate init?(name: [UInt8], letter: UInt8) {
    guard letter == UInt8(ascii: "~") else {
      self.init(letter: letter)
      return
    }
    switch String(decoding: name.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": self = .home
    case "3": self = .delete
    case "4", "8": self = .end
    case "5": self = .pageUp
    case "6": self = .pageDown
    default: return nil
    }
  }
}
