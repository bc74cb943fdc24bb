/// The texts of everything secret in a value, at any depth, to be compared with the keys and ids of that value.
///
/// The search is bounded. Where it ends before the end of the value, ``isComplete`` is `false`.
struct SecretTexts {
  private static let maximumDepth = 20
  /// The shortest text that is also found inside a longer one.
  private static let shortestWithin = 4

  private(set) var isComplete = true
  private var texts: Set<String> = []
  /// How many more parts the search visits.
  private var visits = 10_000

  /// Creates an empty set of texts.
  init() {}

  /// Finds the texts of everything secret in a part.
  init(in part: ValuePart) {
    if !part.redaction.isNone { collect(part, isSecret: false, depth: 0) }
  }

  /// Finds the texts of everything in a part that is not secret by itself.
  private init(shownIn part: ValuePart) {
    collectShown(part, depth: 0)
  }

  /// Whether there is nothing secret.
  var isEmpty: Bool { texts.isEmpty && isComplete }

  /// Returns whether the text of a part contains one of the texts.
  ///
  /// It does if a leaf of the part equals a text, or the text of the part contains one of at least four characters.
  func appear(in part: ValuePart) -> Bool {
    if texts.isEmpty || part.isSecret { return false }
    return appear(in: part.text) || !SecretTexts(shownIn: part).texts.isDisjoint(with: texts)
  }

  /// Returns whether a text equals one of the texts, or contains one of at least four characters.
  func appear(in text: String) -> Bool {
    texts.contains(text) || texts.contains { $0.utf8.count >= Self.shortestWithin && text.contains($0) }
  }

  /// Returns whether a text is one of the texts.
  func contains(_ text: String) -> Bool { texts.contains(text) }

  /// Adds a text, unless it is empty.
  mutating func insert(_ text: String) {
    if !text.isEmpty { texts.insert(text) }
  }

  /// Adds the texts of another set.
  mutating func formUnion(_ other: SecretTexts) {
    texts.formUnion(other.texts)
    isComplete = isComplete && other.isComplete
  }

  private mutating func collect(_ part: ValuePart, isSecret: Bool, depth: Int) {
    guard visits > 0, depth < Self.maximumDepth else {
      isComplete = false
      return
    }
    visits -= 1
    let isSecret = isSecret || part.isSecret
    let parts = part.allParts
    if isSecret { add(part.value, parts) }
    for part in parts {
      // A key in something secret is secret too.
      if isSecret, parts.kind == .entries { insert(part.label) }
      collect(part, isSecret: isSecret, depth: depth + 1)
      if !isComplete { return }
    }
  }

  private mutating func collectShown(_ part: ValuePart, depth: Int) {
    guard visits > 0, depth < Self.maximumDepth else { return }
    visits -= 1
    let parts = part.parts
    add(part.value, parts)
    for part in parts where !part.isSecret { collectShown(part, depth: depth + 1) }
  }

  /// Adds what a secret value says of itself: a leaf, or a type with a description of its own.
  private mutating func add(_ value: Any, _ parts: ValueParts) {
    switch parts.kind {
    case .wrapped, .elements, .entries: return
    // Either of two texts gives nothing away.
    case .whole where value is Bool: return
    case .whole: insert(String(describing: value))
    case .properties, .tuple, .payload:
      if let value = value as? any CustomStringConvertible { insert(value.description) }
    }
  }
}
