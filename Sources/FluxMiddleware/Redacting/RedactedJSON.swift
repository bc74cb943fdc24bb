/// An algorithm that replaces the secrets in JSON, and the names and ids that reveal these
/// secrets.
struct RedactedJSON {
  let redaction: Redaction
  /// The string representations of the secrets that have been replaced since the set was last
  /// emptied.
  private var secrets = SecretTexts()

  init(redaction: Redaction) {
    self.redaction = redaction
  }

  mutating func redact(_ value: JSONValue, at path: PartPath, position: Int = 0) -> JSONValue {
    switch value {
    case .array(let elements): .array(list(elements, at: path))
    case .object(let members): .object(object(members, at: path, position: position))
    default: value
    }
  }

  /// Returns the result of a closure, and the secrets that the closure replaces.
  private mutating func collecting<Result>(
    _ work: (inout RedactedJSON) -> Result
  ) -> (result: Result, secrets: SecretTexts) {
    let outer = secrets
    secrets = SecretTexts()
    let result = work(&self)
    defer {
      let inner = secrets
      secrets = outer
      secrets.formUnion(inner)
    }
    return (result, secrets)
  }

  private mutating func object(
    _ members: [String: JSONValue], at path: PartPath, position: Int
  ) -> [String: JSONValue] {
    let (entries, secrets) = collecting { walk in
      // The members are sorted, so that the numbers in the redaction marks are reproducible.
      members.sorted { $0.key < $1.key }.map { key, value in
        let name = MarkedName(key)
        let place = path.property(name.text)
        let (value, secrets) = walk.collecting { walk in
          walk.redaction.hides(name.text, at: place) ? walk.hidden(value) : walk.redact(value, at: place)
        }
        return (name, value, !name.isProperty && secrets.appear(in: name.text))
      }
    }
    var redacted: [String: JSONValue] = [:]
    // The numbering of each kind of redaction mark continues from the last number, so that the
    // search for an unused number does not start again for each key.
    var (numbers, texts) = (1, 1)
    func isTaken(_ key: String) -> Bool { redacted[key] != nil || members[key] != nil }
    for (name, value, isHidden) in entries {
      let key =
        switch (isHidden, isNumber: Int(name.text) != nil) {
        case (false, _): name.text
        case (true, isNumber: true): Self.mark(&numbers, { "\($0 - 1)" }, isTaken: isTaken)
        case (true, isNumber: false):
          Self.mark(&texts, { $0 == 1 ? Redaction.mark : "\(Redaction.mark) \($0)" }, isTaken: isTaken)
        }
      redacted[key] =
        switch value {
        case _ where name.text == "id": withoutSecrets(value, secrets, position: position)
        case .string(let text) where secrets.appear(in: text): hidden(value, position: position)
        default: value
        }
    }
    return redacted
  }

  /// Returns the first unused redaction mark, beginning with a given number.
  private static func mark(
    _ number: inout Int, _ text: (Int) -> String, isTaken: (String) -> Bool
  ) -> String {
    while isTaken(text(number)) { number += 1 }
    return text(number)
  }

  private mutating func list(_ elements: [JSONValue], at path: PartPath) -> [JSONValue] {
    var name: String?
    var redacted: [JSONValue] = []
    for (position, element) in elements.enumerated() {
      let place = path.element(at: position)
      let isSecret = name.map { redaction.hides($0, at: path.property($0)) } ?? false
      name = if case .string(let text) = element { text } else { nil }
      let (value, secrets) = collecting { walk in
        isSecret || walk.redaction.hides(nil, at: place)
          ? walk.hidden(element) : walk.redact(element, at: place, position: position)
      }
      // The elements can be the alternating keys and values of a dictionary.
      if elements.count.isMultiple(of: 2), !position.isMultiple(of: 2), let key = redacted.popLast() {
        redacted.append(withoutSecrets(key, secrets, position: position))
      }
      redacted.append(value)
    }
    return redacted
  }

  /// Returns a key or an id in which the strings and numbers that reveal a secret are replaced.
  ///
  /// - Parameter position: The position of the key or the element in its list. The mark
  ///   contains a number that depends on the position.
  private mutating func withoutSecrets(
    _ value: JSONValue, _ secrets: SecretTexts, position: Int
  ) -> JSONValue {
    switch value {
    case _ where secrets.isEmpty: value
    case .array(let elements): .array(elements.map { withoutSecrets($0, secrets, position: position) })
    case .object(let members):
      .object(members.mapValues { withoutSecrets($0, secrets, position: position) })
    case .bool, .null: value
    case .string(let text): secrets.appear(in: text) ? hidden(value, position: position) : value
    case .integer, .decimal, .double:
      secrets.contains(value.text) ? hidden(value, position: position) : value
    }
  }

  /// Returns the replacement for a secret value, and collects the string representations of the
  /// secrets in the value.
  private mutating func hidden(_ value: JSONValue, position: Int = 0) -> JSONValue {
    switch value {
    case .null: return .null
    case .bool: return false
    case .integer, .decimal, .double:
      secrets.insert(value.text)
      return .integer(position)
    case .string(let text):
      secrets.insert(text)
      return .string(position == 0 ? Redaction.mark : "\(Redaction.mark) \(position + 1)")
    case .array(let elements):
      for element in elements { _ = hidden(element) }
      return []
    case .object(let members):
      var properties: [String: JSONValue] = [:]
      for (key, value) in members {
        let name = MarkedName(key)
        let value = hidden(value)
        if name.isProperty { properties[name.text] = value } else { secrets.insert(name.text) }
      }
      return .object(properties)
    }
  }
}

extension JSONValue {
  /// The number as a string, or an empty string for any other value.
  fileprivate var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .double(let number): "\(number)"
    default: ""
    }
  }
}
