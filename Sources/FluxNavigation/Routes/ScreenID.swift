/// The identity of a screen in a navigation state.
///
/// A screen keeps its identity while it remains in the stack, even if its position changes. A
/// screen that is pushed later has another identity, also for the same route.
///
/// Identities are numbers from a counter in the navigation state. After an undo, the counter
/// continues from its earlier value, so a later screen can have the number of a screen that the
/// undo removed. If a history skips a push, the later screens receive smaller numbers, so that a
/// state that is kept for the number of a screen can belong to another screen afterward.
public struct ScreenID: Hashable, Sendable {
  @usableFromInline let number: UInt64

  @inlinable
  init(_ number: UInt64) {
    self.number = number
  }
}

extension ScreenID: CustomStringConvertible {
  /// The number of the screen.
  public var description: String { "\(number)" }
}

// A dictionary of the states of screens is encoded as an object with the numbers as keys.
extension ScreenID: CodingKeyRepresentable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = "\(intValue)" }
  }

  /// The number as a key.
  public var codingKey: any CodingKey { Key(stringValue: description) }

  /// Creates the identity whose number is a key, or returns `nil` if the key is not a number.
  public init?(codingKey: some CodingKey) {
    guard let number = UInt64(codingKey.stringValue), "\(number)" == codingKey.stringValue else {
      return nil
    }
    self.init(number)
  }
}

extension ScreenID: Codable {
  /// Decodes a number.
  public init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}
