/// An id that must not be shown, with the secrets that the id reveals.
struct SecretIdentity {
  private let secrets: SecretTexts
  private let id: String

  /// Creates the secret identity of a value, if its id reveals a secret.
  ///
  /// - Parameters:
  ///   - part: The value.
  ///   - place: The path that determines the secrets in the id itself, or `nil` for the path to
  ///     the property `id`.
  /// - Returns: `nil` if the value has no id, or if its id does not reveal a secret.
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

  /// Returns whether a property of the value shows the id, or a secret that the id reveals.
  func isShown(by value: Any) -> Bool {
    if String(describing: KeyText.unwrapped(value)) == id { return true }
    // A value that has parts is described part by part.
    let part = ValuePart(value)
    return part.parts.count == 0 && secrets.appear(in: part)
  }
}
