import Foundation

/// The name of a member of a JSON object, with a marker if the member is a property.
///
/// The name of a dictionary entry has no marker. Only encoders from
/// ``JSONEncoder/ofHistory(marksProperties:)`` write markers.
struct MarkedName {
  private static let mark = "\u{0}property:"

  /// The name without the marker.
  let text: String
  /// A Boolean value that indicates whether the name begins with the marker.
  let isProperty: Bool

  init(_ name: String) {
    isProperty = name.hasPrefix(Self.mark)
    text = isProperty ? String(name.dropFirst(Self.mark.count)) : name
  }

  /// An encoding strategy that adds the marker to the names of properties.
  ///
  /// `JSONEncoder` does not apply the strategy to a dictionary whose keys are strings. For other
  /// dictionaries, the strategy recognizes the type that the standard library uses for coding
  /// keys.
  static let strategy = JSONEncoder.KeyEncodingStrategy.custom { path in
    guard let key = path.last else { return Key(stringValue: "") }
    return "\(type(of: key))" == "_DictionaryCodingKey" ? key : Key(stringValue: mark + key.stringValue)
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}
