import Foundation

/// The name of an object's member in JSON, with a mark if the name is that of a property and not a dictionary's key.
///
/// Only an encoder that ``JSONEncoder/ofHistory(marksProperties:)`` makes writes marks.
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

  /// Marks the names of properties.
  ///
  /// A strategy does not apply to a dictionary whose keys are texts. The keys of other dictionaries have a type of the
  /// standard library.
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
