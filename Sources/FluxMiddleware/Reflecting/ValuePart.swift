/// A state, an action, or a part of a state or action, for a tool that displays values part by
/// part.
///
/// ```swift
/// func tell(_ part: ValuePart) {
///   for part in part.parts {
///     print(part.path, part.text)
///     tell(part)
///   }
/// }
/// tell(ValuePart(state, redacting: .fields("password")))
/// ```
public struct ValuePart {
  /// The text that distinguishes the part from its siblings: the name of a property, a key, or
  /// the id or position of an element.
  ///
  /// The label omits the secrets in a key or an id, so two parts can have the same label.
  public let label: String
  /// The value of the part, even if it is secret.
  public let value: Any
  /// The path to the part, in the form that ``StateDifference`` uses, or an empty string for a
  /// whole value.
  public var path: String { place.shown }
  /// A Boolean value that indicates whether the value must not be shown.
  public let isSecret: Bool
  /// A Boolean value that indicates whether the label omits a secret.
  let labelHidesSomething: Bool
  let place: PartPath
  let redaction: Redaction

  /// Creates the part for a whole value.
  ///
  /// - Parameters:
  ///   - whole: A state or an action.
  ///   - label: The label of the value.
  ///   - redaction: The rules for secret parts.
  public init(_ whole: Any, label: String = "", redacting redaction: Redaction = .none) {
    self.init(whole, label: label, at: .whole, redacting: redaction)
  }

  init(
    _ value: Any, label: String, at place: PartPath, isSecret: Bool = false,
    labelHidesSomething: Bool = false, redacting redaction: Redaction
  ) {
    self.label = label
    self.value = value
    self.place = place
    self.isSecret = isSecret
    self.labelHidesSomething = labelHidesSomething
    self.redaction = redaction
  }

  /// The parts of the value, or no parts if the value is secret.
  public var parts: ValueParts { ValueParts(of: self) }

  /// The parts of the value, even if it is secret, with labels that contain whole keys and ids.
  var allParts: ValueParts { ValueParts(of: self, showsSecrets: true) }

  /// The description of the value without secrets, or ``Redaction/mark`` if the whole value is
  /// secret.
  public var text: String { isSecret ? Redaction.mark : redaction.text(of: value, at: place) }
}

/// The path to a part of a value, in a form for display and in a form that a redaction checks.
///
/// If a key or an id reveals a secret, ``shown`` omits the key or the id. ``full`` always
/// contains every key and id, so that a rule for `accounts["Ada"].pin` still applies.
struct PartPath {
  /// The path of a whole value.
  static let whole = PartPath(shown: "", full: "")

  let shown: String
  let full: String

  var isWhole: Bool { full.isEmpty }

  /// Returns the path to a property, an element of a tuple, or a payload.
  func property(_ name: String) -> PartPath {
    let shown = isWhole ? name : shown + "." + name
    return PartPath(shown: shown, full: isSameInBothForms ? shown : "\(full).\(name)")
  }

  /// Returns the path to the element at a position.
  func element(at position: Int) -> PartPath { subscripted("[\(position)]", full: "[\(position)]") }

  /// Returns the path to a dictionary entry that has a key, or to an element that has an id.
  func subscripted(_ shown: String, full: String) -> PartPath {
    let shownPath = self.shown + shown
    return PartPath(
      shown: shownPath, full: isSameInBothForms && shown == full ? shownPath : self.full + full)
  }

  private var isSameInBothForms: Bool { shown == full }
}
