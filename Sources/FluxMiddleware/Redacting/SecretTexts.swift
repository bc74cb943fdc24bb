/// The string representations of all secrets in a value, at any depth.
///
/// A redaction compares these strings with the keys and ids of the value.
///
/// The number of visited parts is limited. If the search stops before it has visited all parts,
/// ``isComplete`` is `false`.
struct SecretTexts {
  private static let maximumDepth = 20
  /// The minimum length, in UTF-8 bytes, of a secret that is also found inside a longer string.
  private static let shortestWithin = 4

  private(set) var isComplete = true
  private var texts: Set<String> = []
  /// The number of parts that the search can still visit.
  private var visits = 10_000

  /// Creates an empty set.
  init() {}

  /// Creates a set that contains the string representations of all secrets in a part.
  init(in part: ValuePart) {
    if !part.redaction.isNone { collect(part, isSecret: false, depth: 0) }
  }

  /// Creates a set that contains the string representations of all nested parts that are not
  /// secret.
  private init(shownIn part: ValuePart) {
    collectShown(part, depth: 0)
  }

  /// A Boolean value that indicates whether there are no secrets.
  var isEmpty: Bool { texts.isEmpty && isComplete }

  /// Returns whether the description of a part contains a string in the set.
  ///
  /// The method returns `true` if the string representation of a leaf in the part equals a string
  /// in the set. The method also returns `true` if the description of the part contains a string
  /// in the set that has at least four UTF-8 bytes.
  func appear(in part: ValuePart) -> Bool {
    if texts.isEmpty || part.isSecret { return false }
    return appear(in: part.text) || !SecretTexts(shownIn: part).texts.isDisjoint(with: texts)
  }

  /// Returns whether a string equals a string in the set, or contains a string in the set that
  /// has at least four UTF-8 bytes.
  func appear(in text: String) -> Bool {
    texts.contains(text) || texts.contains { $0.utf8.count >= Self.shortestWithin && text.contains($0) }
  }

  /// Returns whether the set contains a string.
  func contains(_ text: String) -> Bool { texts.contains(text) }

  /// Adds a string, unless it is empty.
  mutating func insert(_ text: String) {
    if !text.isEmpty { texts.insert(text) }
  }

  /// Adds the strings of another set.
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
      // A key inside a secret value is also secret.
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

  /// Adds the description of a value if the value is a leaf or its type has a custom
  /// description.
  private mutating func add(_ value: Any, _ parts: ValueParts) {
    switch parts.kind {
    case .wrapped, .elements, .entries: return
    // A Boolean value has only two possible string representations, which reveal nothing.
    case .whole where value is Bool: return
    case .whole: insert(String(describing: value))
    case .properties, .tuple, .payload:
      if let value = value as? any CustomStringConvertible { insert(value.description) }
    }
  }
}
