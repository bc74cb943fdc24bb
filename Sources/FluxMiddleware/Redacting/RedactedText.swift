import FluxCore

/// Describes values part by part where they hold something secret.
///
/// Bounded: of a value with very many parts, those that are not looked into are told as `…`, since they might be secret.
struct RedactedText {
  private static let maximumDepth = 20
  let redaction: Redaction
  /// How many parts may still be looked into.
  private var visits = 10_000

  init(redaction: Redaction) {
    self.redaction = redaction
  }

  /// A description, and whether something in it was hidden.
  mutating func describe(_ part: ValuePart) -> (text: String, hidesSomething: Bool) {
    describe(part, depth: 0) ?? ("…", true)
  }

  /// As above; `nil` if there is no more room.
  private mutating func describe(_ whole: ValuePart, depth: Int) -> (text: String, hidesSomething: Bool)? {
    guard visits > 0, depth < Self.maximumDepth else { return nil }
    visits -= 1
    let parts = whole.parts
    var texts: [String] = []
    var hidesSomething = false
    for part in parts {
      hidesSomething = hidesSomething || part.labelHidesSomething
      let introduction = parts.kind.namesParts ? "\(part.label): " : ""
      if part.isSecret {
        hidesSomething = true
        texts.append(introduction + Redaction.mark)
      } else if let inner = describe(part, depth: depth + 1) {
        hidesSomething = hidesSomething || inner.hidesSomething
        texts.append(introduction + (part.value is String ? "\"\(inner.text)\"" : inner.text))
      } else {
        hidesSomething = true
        texts.append(introduction + "…")
        break
      }
    }
    guard hidesSomething else { return (ValueDescription.text(of: whole.value), false) }
    let list = texts.joined(separator: ", ")
    let text =
      switch parts.kind {
      case .elements, .entries: "[\(list)]"
      case .wrapped, .payload: list
      case .tuple: "(\(list))"
      case .properties, .whole: "\(type(of: whole.value))(\(list))"
      }
    return (text, true)
  }
}

extension ValueParts.Kind {
  /// Whether its parts are told with their labels.
  fileprivate var namesParts: Bool {
    switch self {
    case .properties, .tuple, .payload, .entries: true
    case .whole, .wrapped, .elements: false
    }
  }
}
