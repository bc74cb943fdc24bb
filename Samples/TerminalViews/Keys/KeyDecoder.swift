/// A decoder of keys from the bytes that a terminal sends, in pieces of any size.
///
/// The decoder is a value without a clock. An Esc can be a key, or the beginning of the name of
/// another key, and only the time distinguishes the two. The caller calls ``flush()`` when no
/// byte has followed for a moment.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    /// The beginning of a character, and the number of missing bytes.
    case character([UInt8], lacking: Int)
    case escape
    /// The bytes after Esc [ of a name.
    case sequence([UInt8])
    /// A name that begins with Esc O.
    case applicationKey
    /// The last letter of a name that begins with Esc [ [, which the console of Linux sends.
    case consoleKey
  }

  /// A length that no name reaches.
  private static let longestName = 32

  private var state = State.ground

  package init() {}

  /// A Boolean value that indicates whether an Esc has arrived that might be a key by itself.
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

  /// Returns the key of a pending Esc, because no byte has followed for a moment.
  ///
  /// The beginning of a character is kept, because it was not typed but cut off.
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

  /// Creates the key of a name after Esc [.
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
