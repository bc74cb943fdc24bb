/// A value in an address: a component of the path, or a query item.
///
/// ```swift
/// path("films", .int) { Route.film($0) }
/// path("search", .query("q", .string), .query("page", .int, default: 1)) {
///   Route.search($0, page: $1)
/// }
/// ```
///
/// Create a parameter for a type of your own with ``init(parse:print:)``.
public struct RouteParameter<Value: Sendable>: Sendable {
  enum Place: Sendable {
    case component
    case item(name: String, absent: Absent?)
  }

  /// The value of an item that an address does not contain.
  struct Absent: Sendable {
    let value: Value
    let isAbsent: @Sendable (Value) -> Bool
  }

  let place: Place
  private let parsed: @Sendable (String) -> Value?
  private let printed: @Sendable (Value) -> String

  /// Creates a parameter from two functions.
  ///
  /// Several texts can represent one value, such as a UUID in lowercase and in uppercase letters.
  /// The function `print` returns one of them. The printed address is the canonical address of a
  /// route.
  ///
  /// ```swift
  /// let uuid = RouteParameter(parse: { UUID(uuidString: $0) }, print: { $0.uuidString })
  /// ```
  ///
  /// - Parameters:
  ///   - parse: A function that returns the value that a text represents, or `nil` if the text
  ///     does not represent a value.
  ///   - print: A function that returns a text that represents a value, so that `parse` returns
  ///     the value. The address contains the text with percent-encoding.
  public init(
    parse: @escaping @Sendable (_ text: String) -> Value?,
    print: @escaping @Sendable (_ value: Value) -> String
  ) {
    self.init(place: .component, parse, print)
  }

  private init(
    place: Place, _ parse: @escaping @Sendable (String) -> Value?,
    _ print: @escaping @Sendable (Value) -> String
  ) {
    self.place = place
    parsed = parse
    printed = print
  }

  /// Returns a parameter that is a required query item.
  ///
  /// - Parameters:
  ///   - name: The name of the query item.
  ///   - parameter: The type of the value.
  public static func query(_ name: String, _ parameter: RouteParameter) -> RouteParameter {
    RouteParameter(place: .item(name: name, absent: nil), parameter.parsed, parameter.printed)
  }

  /// Returns a parameter that is a query item with a default value.
  ///
  /// - Parameters:
  ///   - name: The name of the query item.
  ///   - parameter: The type of the value.
  ///   - value: The value of an address without the item. An address does not contain an item
  ///     with this value.
  public static func query(_ name: String, _ parameter: RouteParameter, default value: Value)
    -> RouteParameter
  where Value: Equatable {
    RouteParameter(
      place: .item(name: name, absent: Absent(value: value) { $0 == value }), parameter.parsed,
      parameter.printed)
  }

  /// Returns a parameter that is an optional query item.
  ///
  /// - Parameters:
  ///   - name: The name of the query item.
  ///   - parameter: The type of the value. An absent item has the value `nil`.
  public static func query<Present>(
    _ name: String, optional parameter: RouteParameter<Present>
  ) -> RouteParameter where Value == Present? {
    RouteParameter(
      place: .item(name: name, absent: Absent(value: nil) { $0 == nil }),
      { text in parameter.parsed(text).map { .some($0) } },
      // The text of an absent item is not part of an address.
      { value in value.map(parameter.printed) ?? "" })
  }

  /// A Boolean value that indicates whether the parameter is a component of the path.
  var isComponent: Bool { if case .component = place { true } else { false } }

  /// Returns the value that a text represents, or `nil` if the text does not represent a value.
  func value(of text: String) -> Value? { parsed(text) }

  /// Returns the text that represents a value.
  func text(of value: Value) -> String { printed(value) }
}

extension RouteParameter where Value == String {
  /// Any text.
  public static var string: RouteParameter {
    RouteParameter(parse: { $0 }, print: { $0 })
  }
}

extension RouteParameter where Value == Int {
  /// An integer in decimal digits, with a minus sign if it is negative.
  ///
  /// Another spelling of the number, such as `007` or `+7`, is not accepted.
  public static var int: RouteParameter {
    RouteParameter(
      parse: { text in Int(text).flatMap { String($0) == text ? $0 : nil } }, print: { String($0) })
  }
}

extension RouteParameter where Value == Bool {
  /// One of the words `true` and `false`.
  public static var bool: RouteParameter {
    RouteParameter(parse: { Bool($0) }, print: { String($0) })
  }
}

extension RouteParameter where Value: RawRepresentable, Value.RawValue == String {
  /// The raw value of an enumeration or structure.
  public static var rawValue: RouteParameter {
    RouteParameter(parse: { Value(rawValue: $0) }, print: { $0.rawValue })
  }
}

extension RouteParameter where Value: LosslessStringConvertible {
  /// The description of a value, or another text from which the type creates a value.
  public static var description: RouteParameter {
    RouteParameter(parse: { Value($0) }, print: { $0.description })
  }
}
