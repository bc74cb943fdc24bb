/// A state or an action, or one of its parts, for a tool that shows values part by part.
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
  /// The name of a property, a key, or the id or position of an element, which distinguishes
  /// the part from its siblings.
  ///
  /// The label leaves out the secrets in a key or an id, so that two parts can have the same
  /// label.
  public let label: String
  /// The value of the part, even if it is secret.
  public let value: Any
  /// The path to the part, in the form that ``StateDifference`` uses; empty for a whole value.
  public var path: String { place.shown }
  /// A Boolean value that indicates whether the value must not be shown.
  public let isSecret: Bool
  /// A Boolean value that indicates whether the label leaves something out.
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

  /// The parts of the value; empty if the value is secret.
  public var parts: ValueParts { ValueParts(of: self) }

  /// The parts of the value, even if it is secret, with labels that contain whole keys and ids.
  var allParts: ValueParts { ValueParts(of: self, showsSecrets: true) }

  /// The description of the value without secrets; ``Redaction/mark`` if the whole value is
  /// secret.
  public var text: String { isSecret ? Redaction.mark : redaction.text(of: value, at: place) }
}
