/// The text of a dictionary's key or of an element's id, without what is secret in it.
struct KeyText {
  /// The description of the key with everything secret in it: the name of the entry.
  let name: String
  /// What may be shown of the name.
  let text: String
  /// A Boolean value that indicates whether ``text`` leaves something out, so that another key may read the same.
  let hidesSomething: Bool
  /// A Boolean value that indicates whether nothing of the key may be shown.
  let isSecret: Bool
  private let isString: Bool

  /// Creates the text of a dictionary's key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - values: The values under the key. A key that gives away something secret in them is secret.
  ///   - path: The path to the dictionary.
  ///   - redaction: What is secret. The parts of the key have paths behind `path[]`.
  init(_ key: Any, of values: [Any], in path: PartPath, redacting redaction: Redaction) {
    let key = Self.unwrapped(key)
    self.init(key, in: path, redacting: redaction) {
      let name = String(describing: key)
      let place = path.subscripted(key)
      return values.contains { value in
        let isSecret = redaction.hides(name, at: place)
        let secrets = SecretTexts(
          in: ValuePart(value, label: name, at: place, isSecret: isSecret, redacting: redaction))
        return !secrets.isComplete || secrets.appear(in: path.part(key, redacting: redaction))
      }
    }
  }

  /// Creates the text of an element's id.
  ///
  /// - Parameters:
  ///   - elements: The versions of the element that are described. An id that gives away something secret in
  ///     one of them is secret, and so is an id whose name is.
  ///   - path: The path to the collection.
  ///   - redaction: What is secret.
  /// - Returns: `nil` if the element has no id.
  init?(idOf elements: [Any], in path: PartPath, redacting redaction: Redaction) {
    guard let identified = elements.first as? any Identifiable else { return nil }
    let id = Self.id(of: identified)
    self.init(id, in: path, redacting: redaction) {
      let place = path.subscripted(id)
      if redaction.hides("id", at: path.subscripted("[].id", full: "[].id")) { return true }
      return elements.contains { element in
        let part = ValuePart(element, label: "", at: place, redacting: redaction)
        return SecretIdentity(of: part, idAt: path.subscripted("[]", full: "[]")) != nil
      }
    }
  }

  /// Creates the text of a position, where there is no key.
  init(position: Int) {
    name = "\(position)"
    text = name
    hidesSomething = false
    isSecret = false
    isString = false
  }

  fileprivate init(
    _ key: Any, in path: PartPath, redacting redaction: Redaction, isSecret: () -> Bool
  ) {
    isString = key is String
    name = String(describing: key)
    self.isSecret = !redaction.isNone && isSecret()
    if self.isSecret {
      text = Redaction.mark
      hidesSomething = true
    } else if isString || redaction.isNone {
      text = name
      hidesSomething = false
    } else {
      var walk = RedactedText(redaction: redaction)
      (text, hidesSomething) = walk.describe(path.part(key, redacting: redaction))
    }
  }

  static func id(of element: some Identifiable) -> Any { unwrapped(element.id) }

  /// The path to the entry or the element: a text stands in quotation marks, as in `accounts["Ada"].pin`.
  func place(in path: PartPath) -> PartPath {
    let quotes = isString && !isSecret
    return path.subscripted(quotes ? "[\"\(text.onOneLine)\"]" : "[\(text.onOneLine)]", full: full)
  }

  fileprivate var full: String { isString ? "[\"\(name.onOneLine)\"]" : "[\(name.onOneLine)]" }

  static func unwrapped(_ key: Any) -> Any {
    let key = (key as? AnyHashable)?.base ?? key
    let mirror = Mirror(reflecting: key)
    guard mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value else { return key }
    return unwrapped(wrapped)
  }
}

extension PartPath {
  /// A key, whose parts have paths behind `path[]`.
  fileprivate func part(_ key: Any, redacting redaction: Redaction) -> ValuePart {
    ValuePart(key, label: "", at: subscripted("[]", full: "[]"), redacting: redaction)
  }

  /// The path to what stands under a key, with the whole key in both forms: for values that are not shown.
  fileprivate func subscripted(_ key: Any) -> PartPath {
    let key = KeyText(key, in: self, redacting: .none) { false }
    return subscripted(key.full, full: key.full)
  }
}
