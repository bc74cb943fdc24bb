import Foundation

/// The name of a member of a JSON object, with a mark if the name is that of a property.
///
/// The name of an entry of a dictionary has no mark. Only an encoder that
/// ``JSONEncoder/ofHistory(marksProperties:)`` makes writes marks.
struct MarkedName {
  private static let mark = "\u{0}property:"

  /// The name without the mark.
  let text: String
  /// A Boolean value that indicates whether the name has a mark.
  let isProperty: Bool

  init(_ name: String) {
    isProperty = name.hasPrefix(Self.mark)
    text = isProperty ? String(name.dropFirst(Self.mark.count)) : name
  }

  /// A strategy that marks the names of properties.
  ///
  /// `JSONEncoder` does not apply a strategy to a dictionary whose keys are strings. The coding
  /// keys of other dictionaries have a type of the standard library.
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
