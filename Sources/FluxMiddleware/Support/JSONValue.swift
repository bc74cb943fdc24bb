public import Foundation

/// A JSON document as a value, for data of unknown type, such as an old version of a state or
/// an unknown action.
///
/// ```swift
/// json["todos"]?[0]?["done"] = false
/// ```
///
/// Decoding and encoding a document preserve its contents. Numbers keep up to 38 digits.
public enum JSONValue: Sendable, Hashable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number of up to 38 digits that is not whole or does not fit in an `Int`.
  case decimal(Decimal)
  /// A number beyond the range of `Decimal`.
  case double(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, which contains values by name.
  case object([String: JSONValue])

  /// The value for a name; `nil` if this value is not an object or has no such name.
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

  /// The value at a position; `nil` if this value is not an array or has no such position.
  ///
  /// Assigning `nil` removes the value. If there is no such position, an assignment has no
  /// effect.
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
    // For Foundation, the cost of a failed attempt is quadratic in the depth. Therefore,
    // objects and arrays are detected early, and without decoding their contents.
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if (try? decoder.container(keyedBy: AnyName.self)) != nil {
      self = .object(try container.decode([String: JSONValue].self))
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

  /// A coding key for any name, which serves only to detect objects.
  private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  /// Encodes the value as JSON.
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
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates an object; if a name occurs several times, its last value is used.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }

  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
}
