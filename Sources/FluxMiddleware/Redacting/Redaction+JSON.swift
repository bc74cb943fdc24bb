extension Redaction {
  /// Returns JSON without secrets.
  ///
  /// A secret value is replaced by a value of the same kind: a text by ``mark``, a number by 0,
  /// `true` by `false`, and a list or an object by an empty one. JSON does not distinguish a
  /// dictionary from a value with properties. Therefore, no name in a secret object is written.
  /// An exported history does distinguish them: a value with properties keeps their names. The
  /// history can be imported again if any text and any number is valid for these properties.
  ///
  /// In an object, a name that reveals a secret in its value is replaced by ``mark``. A text or
  /// an `id` in the object is replaced too if it reveals a secret in the same object. Marks
  /// that would be equal are numbered.
  ///
  /// In JSON, a dictionary whose keys are neither texts nor numbers is a list of alternating
  /// keys and values. Therefore, an element of a list is secret if the previous element is a
  /// secret name, or if it reveals a secret in the next element.
  ///
  /// - Parameter value: A whole state or action as JSON.
  public func json(_ value: JSONValue) -> JSONValue {
    if isNone { return value }
    var walk = RedactedJSON(redaction: self)
    return walk.redact(value, at: .whole)
  }

  /// Returns an exported history without secrets.
  ///
  /// Each state and each action in it has its own paths.
  ///
  /// - Parameter document: The history, or an entry of the history, with marked names of
  ///   properties: see ``MarkedName``.
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
