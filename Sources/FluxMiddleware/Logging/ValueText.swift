import FluxCore

/// The rules for the text of a value in a difference.
///
/// The text has a limited length and fits on one line. A string is enclosed in quotation marks.
struct ValueText {
  /// The maximum number of characters in a description, not counting quotation marks and the
  /// `…` of a shortened text.
  let characters: Int
  /// The rules for the secret parts, which the text omits.
  let redaction: Redaction

  /// The number of values that a shortened list contains.
  private static let few = 3

  /// Returns the description of a value.
  func text(_ value: Any, at path: PartPath = .whole) -> String {
    cut(Description(value, at: path, redaction))
  }

  /// Returns the path to an entry of a dictionary.
  ///
  /// If there is a redaction, the path contains the whole key, because a rule about paths would
  /// not match a shortened key.
  func place(of key: Any, of values: [Any], in path: PartPath) -> PartPath {
    redaction.isNone
      ? subscripted(key, in: path)
      : KeyText(key, of: values, in: path, redacting: redaction).place(in: path)
  }

  /// Returns the path to the element that has an id.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - elements: The versions of the element that the difference describes.
  ///   - path: The path to the collection.
  func place(ofID id: Any, of elements: [Any], in path: PartPath) -> PartPath {
    guard !redaction.isNone, let id = KeyText(idOf: elements, in: path, redacting: redaction) else {
      return subscripted(id, in: path)
    }
    return id.place(in: path)
  }

  private func subscripted(_ key: Any, in path: PartPath) -> PartPath {
    let place = "[" + text(key) + "]"
    return path.subscripted(place, full: place)
  }

  /// Returns the descriptions of two values, shortened in such a way that a difference remains
  /// visible.
  func texts(_ old: Any, _ new: Any, at path: PartPath) -> (old: String, new: String) {
    let old = Description(old, at: path, redaction)
    let new = Description(new, at: path, redaction)
    let beginnings = (old: cut(old), new: cut(new))
    guard beginnings.old == beginnings.new, old.text != new.text else { return beginnings }
    let common = zip(old.text, new.text).prefix { $0 == $1 }.count
    let start = max(0, common - characters / 2)
    return (cut(old, from: start), cut(new, from: start))
  }

  /// Returns a list of the first few values, each preceded by a sign, and the number of further
  /// values, or `nil` if there are no values.
  func list(_ values: some Collection, sign: Character, at path: PartPath, from position: Int) -> String? {
    guard !values.isEmpty else { return nil }
    let more = beyondFew(values)
    var parts = values.dropLast(more.count).enumerated().map { index, value in
      "\(sign) \(text(value, at: path.element(at: position + index)))"
    }
    if !more.isEmpty { parts.append("and \(more.count) more") }
    return parts.joined(separator: " ")
  }

  /// Returns the values that are not listed.
  ///
  /// If only one value would remain unlisted, it is also listed, because a count would take as
  /// much space as the value.
  func beyondFew<Values: Collection>(_ values: Values) -> Values.SubSequence {
    values.count <= Self.few + 1 ? values.suffix(0) : values.dropFirst(Self.few)
  }

  private func cut(_ description: Description, from start: Int = 0) -> String {
    let text = shown(description.text, from: start)
    return description.isString ? "\"" + text + "\"" : text
  }

  private func shown(_ text: String, from start: Int) -> String {
    // No string has more characters than UTF-8 bytes.
    if start == 0, text.utf8.count <= characters { return text.onOneLine }
    let rest = text.dropFirst(start)
    let shown = rest.prefix(characters)
    return (start > 0 ? "…" : "") + shown.onOneLine + (shown.endIndex < rest.endIndex ? "…" : "")
  }

  /// The complete description of a value.
  private struct Description {
    let text: String
    let isString: Bool

    init(_ value: Any, at path: PartPath, _ redaction: Redaction) {
      let facts = TypeFacts.ofValue(value)
      guard !facts.isExact else {
        text = redaction.text(of: value, at: path)
        isString = facts.isString
        return
      }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else {
        text = redaction.text(of: value, at: path)
        isString = value is String
        return
      }
      guard let wrapped = mirror.children.first?.value else {
        text = "nil"
        isString = false
        return
      }
      self = Description(wrapped, at: path, redaction)
    }
  }
}

extension ValueText {
  /// The number of elements of a collection that is not compared.
  static func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

  /// The number of entries of a dictionary that is not compared.
  static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }
}
