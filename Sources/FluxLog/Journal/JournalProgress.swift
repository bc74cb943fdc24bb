/// The number of the newest action of a journal, and the phase of the program.
///
/// The journal stores the value as one word, so that each change is complete or has not happened.
/// The upper 16 bits are a checksum, which depends on each other byte.
struct JournalProgress: Hashable, Sendable {
  enum Phase: UInt64, Sendable {
    /// The program has not used the journal, or has ended normally.
    case clean = 0
    /// The program is not reducing an action.
    case idle = 1
    /// The program is reducing the newest action.
    case reducing = 2
  }

  var phase: Phase
  /// The number of actions that the journal has received.
  var number: UInt64

  init(_ phase: Phase, number: UInt64) {
    self.phase = phase
    self.number = number
  }

  /// Creates a value from its word, or returns `nil` if the word was changed.
  init?(word: UInt64) {
    let value = word & Self.mask
    guard word == value | Self.checksum(of: value) << 48, let phase = Phase(rawValue: value & 3) else {
      return nil
    }
    self.init(phase, number: value >> 2)
  }

  var word: UInt64 {
    let value = (number << 2 | phase.rawValue) & Self.mask
    return value | Self.checksum(of: value) << 48
  }

  private static let mask: UInt64 = (1 << 48) - 1

  private static func checksum(of value: UInt64) -> UInt64 {
    (value ^ value >> 16 &* 0x9E37 ^ value >> 32 &* 0x79B9 ^ 0x5A5A) & 0xFFFF
  }
}
