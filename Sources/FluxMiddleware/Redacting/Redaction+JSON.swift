extension Redaction {
  /// Returns JSON without secrets.
  ///
  /// A placeholder of the same JSON type replaces each secret value: ``mark`` for a string, 0 for
  /// a number, `false` for a Boolean value, an empty list for a list, and an empty object for an
  /// object. JSON does not distinguish a dictionary from a value with properties, so the result
  /// contains no names from a secret object. An exported history distinguishes a dictionary from
  /// a value with properties, and contains the names of secret properties. A redacted history can
  /// be imported again if the secret properties accept every string and every number.
  ///
  /// If a name in an object reveals a secret in its value, the name is replaced by ``mark``. If a
  /// string or an `id` in an object reveals a secret in the same object, that value is also
  /// replaced. If two replaced names or ids would otherwise be equal, their marks contain
  /// numbers.
  ///
  /// In JSON, a dictionary whose keys are neither strings nor numbers is a list of alternating
  /// keys and values. An element of a list is therefore secret if the element before it is a
  /// secret name, or if the element itself reveals a secret in the element after it.
  ///
  /// - Parameter value: A whole state or action as JSON.
  public func json(_ value: JSONValue) -> JSONValue {
    if isNone { return value }
    var walk = RedactedJSON(redaction: self)
    return walk.redact(value, at: .whole)
  }

  /// Returns an exported history without secrets.
  ///
  /// The path to a value begins at the state or the action that contains the value.
  ///
  /// - Parameter document: The history, or an entry of the history, in which the names of
  ///   properties have a marker, as ``MarkedName`` describes.
  func history(_ document: JSONValue) -> JSONValue {
    guard case .object(let members) = document else { return document }
    return .object(
      Dictionary(
        members.map { name, value in
          let name = MarkedName(name).text
          switch (name, value) {
          case ("base", _), ("state", _), ("payload", _): return (name, json(value))
          case ("entries", .array(let list)), ("unrecorded", .array(let list)):
            return (name, .array(list.map(history)))
          default: return (name, value)
          }
        }
      ) { first, _ in first })
  }
}
