/// A value with its hash value, for explorations that look up large values in large sets.
///
/// A set computes the hash values of all its elements again when it grows, and compares elements
/// that are near each other. Both are faster with a stored hash value.
public struct Hashed<Value: Hashable>: Hashable {
  /// The value.
  public let value: Value
  private let stored: Int

  /// Creates an instance, and computes the hash value.
  public init(_ value: Value) {
    self.value = value
    stored = value.hashValue
  }

  /// Returns a Boolean value that indicates whether two values are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.stored == right.stored && left.value == right.value
  }

  /// Hashes the stored hash value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(stored)
  }
}

extension Hashed: Sendable where Value: Sendable {}
