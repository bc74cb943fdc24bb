/// What an identifiable value does not show, because its id gives away something secret in the value.
struct SecretIdentity {
  private let secrets: SecretTexts
  private let id: String

  /// - Parameters:
  ///   - part: The value.
  ///   - place: The path to the id, for what is secret in the id itself; the property `id` if it is `nil`.
  /// - Returns: `nil` if the value has no id, or its id gives nothing away.
  init?(of part: ValuePart, idAt place: PartPath? = nil) {
    guard !part.redaction.isNone, let identified = part.value as? any Identifiable else { return nil }
    let secrets = SecretTexts(in: part)
    if secrets.isEmpty { return nil }
    let id = KeyText.id(of: identified)
    let shown = ValuePart(
      id, label: "", at: place ?? part.place.property("id"), redacting: part.redaction)
    guard !secrets.isComplete || secrets.appear(in: shown) else { return nil }
    self.secrets = secrets
    self.id = String(describing: id)
  }

  /// Returns whether a property of the value shows the id, or what the id gives away.
  func isShown(by value: Any) -> Bool {
    if String(describing: KeyText.unwrapped(value)) == id { return true }
    // What has parts is shown part by part.
    let part = ValuePart(value)
    return part.parts.count == 0 && secrets.appear(in: part)
  }
}
