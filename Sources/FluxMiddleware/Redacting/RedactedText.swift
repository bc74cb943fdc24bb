import FluxCore

/// An algorithm that describes a value part by part if the value contains a secret.
///
/// The number of visited parts is limited. If a value has too many parts, the description
/// contains `…` instead of the parts that are not visited, because these parts might be secret.
struct RedactedText {
  private static let maximumDepth = 20
  let redaction: Redaction
  /// The number of parts that can still be visited.
  private var visits = 10_000

  init(redaction: Redaction) {
    self.redaction = redaction
  }

  /// Returns the description of a part, and whether the description omits a secret or an
  /// unvisited part.
  mutating func describe(_ part: ValuePart) -> (text: String, hidesSomething: Bool) {
    describe(part, depth: 0) ?? ("…", true)
  }

  /// Returns the description of a part and whether the description omits something, or `nil` if
  /// a limit is reached.
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
  /// A Boolean value that indicates whether the parts are described with their labels.
  fileprivate var namesParts: Bool {
    switch self {
    case .properties, .tuple, .payload, .entries: true
    case .whole, .wrapped, .elements: false
    }
  }
}
