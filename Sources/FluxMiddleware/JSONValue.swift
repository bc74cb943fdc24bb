public import Foundation

/// A JSON document as a value, for data whose type is not known: an old version of a state, an unknown action.
///
/// ```swift
/// json["todos"]?[0]?["done"] = false
/// ```
///
/// Nothing is lost on the way through it: numbers keep all their digits.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number that is not whole or does not fit an `Int`, of up to 38 digits.
  case decimal(Decimal)
  /// A number beyond what `Decimal` holds.
  case double(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Values by name.
  case object([String: JSONValue])

  /// The value under a name; `nil` if this is no object, or has none.
  ///
  /// Setting `nil` removes it. To set a value in what is no object does nothing.
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

  /// The value at a position; `nil` if this is no array, or has no such position.
  ///
  /// Setting `nil` removes it. To set a value where there is none does nothing.
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
  /// Decodes any JSON.
  public init(from decoder: any Decoder) throws {
    // What fails costs Foundation the square of the depth, so that what nests is asked for early, and without
    // going into it.
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
      // Foundation takes a number too small for a double for the integer 0.
      value != 0 || (try? container.decode(Double.self)) == 0
    {
      self = .integer(value)
    } else if let value = try? container.decode(Decimal.self), value.isFinite {
      self = .decimal(value)
    } else {
      self = .double(try container.decode(Double.self))
    }
  }

  /// Any name, where it is only asked whether there are names.
  private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  /// Encodes the value as the JSON it is.
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
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Creates a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates an object; of values under one name the last one stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }

  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
}
