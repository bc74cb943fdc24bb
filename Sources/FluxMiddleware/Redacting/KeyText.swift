/// How a key of a dictionary, or the id of an element, is told: without what is secret in it.
struct KeyText {
  /// What it says of itself, secrets and all: the name of the entry that it is the key of.
  let name: String
  /// What may be shown of that.
  let text: String
  /// Whether something in it was left out, so that another may read the same.
  let hidesSomething: Bool
  private let isString: Bool

  /// - Parameters:
  ///   - key: The key or the id.
  ///   - path: Where the collection stands.
  ///   - redaction: What is secret. Of the key's parts it is asked behind `path[]`.
  init(_ key: Any, in path: String, redacting redaction: Redaction) {
    let key = Self.unwrapped(key)
    isString = key is String
    name = String(describing: key)
    if isString || redaction.isNone {
      text = name
      hidesSomething = false
    } else {
      var walk = RedactedText(redaction: redaction)
      (text, hidesSomething) = walk.describe(ValuePart(key, label: "", at: path + "[]", redacting: redaction))
    }
  }

  /// The id of an element.
  ///
  /// - Returns: `nil` if it has none, or if that is secret: by its name, or since a part of the element is that says
  ///   the same.
  init?(idOf element: Any, in path: String, redacting redaction: Redaction) {
    guard let identified = element as? any Identifiable else { return nil }
    let id = Self.id(of: identified)
    if !redaction.isNone {
      guard !redaction.hides("id", at: path + "[].id") else { return nil }
      let text = String(describing: Self.unwrapped(id))
      let parts = ValuePart(element, label: "", at: path + "[]", redacting: redaction).parts
      for part in parts where part.isSecret {
        if String(describing: Self.unwrapped(part.value)) == text { return nil }
      }
    }
    self.init(id, in: path, redacting: redaction)
  }

  /// A position, where there is no key.
  init(position: Int) {
    self.init(position, in: "", redacting: .none)
  }

  private static func id(of element: some Identifiable) -> Any { element.id }

  /// How it stands in a path: a text in quotation marks, as in `accounts["Ada"].pin`, and all on one line.
  var place: String { isString ? "[\"\(text.onOneLine)\"]" : "[\(text.onOneLine)]" }

  private static func unwrapped(_ key: Any) -> Any {
    let key = (key as? AnyHashable)?.base ?? key
    let mirror = Mirror(reflecting: key)
    guard mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value else { return key }
    return unwrapped(wrapped)
  }
}
