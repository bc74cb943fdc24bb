extension Redaction {
  /// JSON without what is secret.
  ///
  /// What stands in the place of something secret is of its kind: texts become ``mark``, numbers 0, `true` becomes
  /// `false`, lists lose their elements, and objects keep their names, with what they hold replaced. So it can be read
  /// again where any text and any number will do. The keys of a secret dictionary that are texts are not hidden.
  ///
  /// A dictionary whose keys are neither texts nor numbers is a list in JSON, of each key and what it holds. So in a list
  /// what follows a name is secret if the name is, whatever list it is.
  ///
  /// - Parameter value: A whole state or action as JSON.
  public func json(_ value: JSONValue) -> JSONValue { json(value, at: "") }

  private func json(_ value: JSONValue, at path: String) -> JSONValue {
    switch value {
    case _ where isNone: value
    case .array(let elements): .array(list(elements, at: path))
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            let place = path.isEmpty ? name : "\(path).\(name)"
            return (name, hides(name, at: place) ? hidden(value) : json(value, at: place))
          }))
    default: value
    }
  }

  private func list(_ elements: [JSONValue], at path: String) -> [JSONValue] {
    var name: String?
    return elements.enumerated().map { position, element in
      let place = "\(path)[\(position)]"
      let isNamedSecret = name.map { hides($0, at: path.isEmpty ? $0 : "\(path).\($0)") } ?? false
      name = if case .string(let text) = element { text } else { nil }
      return isNamedSecret || hides(nil, at: place) ? hidden(element) : json(element, at: place)
    }
  }

  private func hidden(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool: false
    case .integer, .decimal, .double: .integer(0)
    case .string: .string(Redaction.mark)
    case .array: []
    case .object(let members): .object(members.mapValues(hidden))
    }
  }

  /// An exported history, whose states and actions each have paths of their own.
  func history(_ document: JSONValue) -> JSONValue {
    var document = document
    for name in ["base", "state"] { document[name] = document[name].map { json($0) } }
    guard case .array(let entries) = document["entries"] else { return document }
    document["entries"] = .array(
      entries.map { entry in
        var entry = entry
        for name in ["payload", "state"] { entry[name] = entry[name].map { json($0) } }
        return entry
      })
    return document
  }
}
