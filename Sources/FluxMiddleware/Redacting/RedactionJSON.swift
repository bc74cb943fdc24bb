extension Redaction {
  /// Returns JSON without what is secret.
  ///
  /// A secret value is replaced with one of its kind: a text becomes ``mark``, a number 0, `true` becomes `false`, and
  /// a list or an object becomes empty. JSON does not tell a dictionary from a value with properties, so no name in a
  /// secret object is written. An exported history knows which is which: there a value with properties keeps their
  /// names, and can be read again wherever any text and any number is valid.
  ///
  /// In an object, a name that gives away something secret in its value is replaced with ``mark``, and so is a text or
  /// an `id` in the object that gives away something secret beside it. Marks are numbered where they would be equal.
  ///
  /// A dictionary whose keys are neither texts nor numbers is a list in JSON, of each key and its value. In a list, the
  /// element behind a name is therefore secret if the name is, and an element that gives away something secret in the
  /// element behind it is secret too.
  ///
  /// - Parameter value: A whole state or action as JSON.
  public func json(_ value: JSONValue) -> JSONValue {
    if isNone { return value }
    var walk = RedactedJSON(redaction: self)
    return walk.redact(value, at: .whole)
  }

  /// Returns an exported history, whose states and actions each have paths of their own, without what is secret.
  ///
  /// - Parameter document: The history, or an entry of it, with property names that are marked: see ``MarkedName``.
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
