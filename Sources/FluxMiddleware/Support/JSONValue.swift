public import Foundation

/// A value that contains a JSON document, for data whose type is not known, such as an old
/// version of a state or an unknown action.
///
/// ```swift
/// json["todos"]?[0]?["done"] = false
/// ```
///
/// Decoding a document and encoding it again preserves its contents. Numbers keep up to 38
/// digits.
public enum JSONValue: Sendable, Hashable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A whole number that fits in an `Int`.
  case integer(Int)
  /// A number of up to 38 digits that is not whole or does not fit in an `Int`.
  case decimal(Decimal)
  /// A number beyond the range of `Decimal`.
  case double(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, which maps names to values.
  case object([String: JSONValue])

  /// The value for a name, or `nil` if this value is not an object or has no such name.
  ///
  /// Assigning `nil` removes the value. If this value is not an object, an assignment has no
  /// effect.
  public subscript(name: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members[name]
    }
    set {
      guard case .object(var members) = self else { return }
      self = .null
      members[name] = newValue
      self = .object(members)
    }
  }

  /// The value at a position, or `nil` if this value is not an array or has no such position.
  ///
  /// Assigning `nil` removes the value. If the value at the position does not exist, an
  /// assignment has no effect.
  public subscript(position: Int) -> JSONValue? {
    get {
      guard case .array(let elements) = self, elements.indices.contains(position) else { return nil }
      return elements[position]
    }
    set {
      guard case .array(var elements) = self, elements.indices.contains(position) else { return }
      self = .null
      if let newValue { elements[position] = newValue } else { elements.remove(at: position) }
      self = .array(elements)
    }
  }
}

extension JSONValue: Codable {
  /// Creates a value by decoding any JSON.
  public init(from decoder: any Decoder) throws {
    // In Foundation, the cost of a failed decoding attempt is quadratic in the depth of the
    // value. This code therefore detects objects and arrays early, without decoding their
    // contents.
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if (try? decoder.container(keyedBy: AnyName.self)) != nil {
      let members = try container.decode([String: JSONValue].self)
      // Only formats other than JSON encode a decimal as an object.
      if Set(members.keys) == Self.namesOfDecimal, let value = try? container.decode(Decimal.self) {
        self = .decimal(value)
      } else {
        self = .object(members)
      }
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try container.decode([JSONValue].self))
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self),
      // Foundation decodes a number that is too small for a double as the integer 0.
      value != 0 || (try? container.decode(Double.self)) == 0
    {
      self = .integer(value)
    } else if let value = try? container.decode(Decimal.self), value.isFinite {
      self = .decimal(value)
    } else {
      self = .double(try container.decode(Double.self))
    }
  }

  /// The names in an encoded decimal.
  private static let namesOfDecimal: Set = ["exponent", "length", "isNegative", "isCompact", "mantissa"]

  /// A coding key that accepts any name, and is used only to detect objects.
  private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  /// Encodes the value.
  ///
  /// A format other than JSON, such as a property list, also preserves every value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Creates a value that contains a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates the value `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a value that contains a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Creates a value that contains an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates a value that contains an object.
  ///
  /// If a name occurs several times, the object contains the last value for that name.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }

  /// Creates the value `null`.
  public init(nilLiteral: ()) { self = .null }
}
