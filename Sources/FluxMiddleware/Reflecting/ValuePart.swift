/// A state or an action, or a part of one where it stands in the whole: for a tool that tells them part by part.
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
  /// What tells it from the others beside it: a property's name, a key, an element's id or position.
  ///
  /// Without what is secret in a key or an id, so that two can have the same.
  public let label: String
  /// The value itself, secret or not.
  public let value: Any
  /// The path to it, as ``StateDifference`` writes it; empty for a whole.
  public var path: String { place.shown }
  /// Whether it must not be shown.
  public let isSecret: Bool
  /// Whether its label leaves something out.
  let labelHidesSomething: Bool
  let place: PartPath
  let redaction: Redaction

  /// Begins with a whole.
  ///
  /// - Parameters:
  ///   - whole: A state or an action.
  ///   - label: What it is called.
  ///   - redaction: What is secret in it.
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

  /// What it consists of; nothing if it is secret.
  public var parts: ValueParts { ValueParts(of: self) }

  /// The parts with everything secret: what a part consists of if it is secret, and labels with whole keys and ids.
  var allParts: ValueParts { ValueParts(of: self, showsSecrets: true) }

  /// Its description without what is secret; ``Redaction/mark`` if it is secret itself.
  public var text: String { isSecret ? Redaction.mark : redaction.text(of: value, at: place) }
}
