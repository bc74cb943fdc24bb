/// The text of a dictionary's key or an element's id, without the secrets that it contains.
struct KeyText {
  /// The name of the entry, which is the complete description of the key, including all
  /// secrets.
  let name: String
  /// The part of the name that can be shown.
  let text: String
  /// A Boolean value that indicates whether ``text`` omits a secret, in which case two keys can
  /// have the same text.
  let hidesSomething: Bool
  /// A Boolean value that indicates whether the whole key is secret.
  let isSecret: Bool
  private let isString: Bool

  /// Creates the text of a dictionary's key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - values: The values for the key. The key is secret if it reveals a secret in one of the
  ///     values.
  ///   - path: The path to the dictionary.
  ///   - redaction: The rules for secret parts. The paths to the parts of the key begin with
  ///     `path[]`.
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
  ///   - elements: The versions of the element, such as its old value and its new value. The id
  ///     is secret if it reveals a secret in one of the versions, or if its name is secret.
  ///   - path: The path to the collection.
  ///   - redaction: The rules for secret parts.
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

  /// Creates the text that identifies an element without a key by its position.
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

  /// Returns the path to the entry that has this key, or to the element that has this id.
  ///
  /// If the key is a string, the path shows it in quotation marks, as in `accounts["Ada"].pin`.
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
  /// Returns the part that represents a key.
  ///
  /// The paths to the parts of the key begin with `path[]`.
  fileprivate func part(_ key: Any, redacting redaction: Redaction) -> ValuePart {
    ValuePart(key, label: "", at: subscripted("[]", full: "[]"), redacting: redaction)
  }

  /// Returns the unredacted path to the values for a key.
  ///
  /// The path must not be shown.
  ///
  /// Both `shown` and `full` contain the complete key.
  fileprivate func subscripted(_ key: Any) -> PartPath {
    let key = KeyText(key, in: self, redacting: .none) { false }
    return subscripted(key.full, full: key.full)
  }
}
