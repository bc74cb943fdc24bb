extension OrderedState: Encodable where Element: Encodable {
  /// Encodes the elements as an array, in list order: `[{"id": 1, …}, {"id": 2, …}]`.
  ///
  /// The form depends only on the elements, so equal lists have equal encoded forms.
  ///
  /// - Throws: An error that an element or the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension OrderedState: Decodable where Element: Decodable {
  /// Creates a list from an array of elements, or from the form that Redux Toolkit uses:
  /// `{"ids": […], "entities": {…}}`.
  ///
  /// The initializer checks that ids and elements match. The initializer never omits or corrects
  /// an element silently.
  ///
  /// - Throws: An ``OrderedStateError`` if an id is repeated, a listed id has no element, the id
  ///   of an element is not listed, an element is stored under another id, or ids cannot be
  ///   decoded. If an element or the decoder throws an error, the initializer throws the same
  ///   error.
  public init(from decoder: any Decoder) throws {
    self.init()
    switch try CodedForm(decoder) {
    case .array(let elements): try decode(elements)
    case .entities(let entities): try decode(entities)
    }
  }

  private mutating func decode(_ elements: any UnkeyedDecodingContainer) throws {
    var container = elements
    while !container.isAtEnd {
      let index = container.currentIndex
      let element = try container.decode(Element.self)
      guard add(element) else {
        throw OrderedStateError.make(
          .duplicateID, "has a second element with the id \(element.id) at index \(index)",
          at: container.codingPath)
      }
    }
  }

  private mutating func decode(_ container: KeyedDecodingContainer<EntityKey>) throws {
    let path = container.codingPath
    guard let type = Element.ID.self as? any Decodable.Type else {
      throw OrderedStateError.make(
        .uncodableID, "lists its ids, but ids of type \(Element.ID.self) cannot be decoded", at: path)
    }
    var listed = try container.nestedUnkeyedContainer(forKey: EntityKey("ids"))
    var entities = try Self.entities(in: container)
    while !listed.isAtEnd {
      guard let id = try listed.decode(type) as? Element.ID else { continue }
      if contains(id: id) {
        throw OrderedStateError.make(.duplicateID, "lists the id \(id) twice", at: path)
      }
      guard let element = entities.removeValue(forKey: id) else {
        throw OrderedStateError.make(
          .danglingID, "lists the id \(id), but has no element with this id", at: path)
      }
      append(element)
    }
    if let id = (entities.keys.map { id in "\(id)" }).min() {
      throw OrderedStateError.make(
        .unlistedID, "has an element with the id \(id), but does not list this id", at: path)
    }
  }

  /// Returns the elements by id, and throws an error if an element is recognizably stored under
  /// another id.
  private static func entities(
    in container: KeyedDecodingContainer<EntityKey>
  ) throws -> [Element.ID: Element] {
    // Key decoding strategies do not change the keys of a dictionary.
    let named = try container.decode([String: Element].self, forKey: EntityKey("entities"))
    var entities: [Element.ID: Element] = [:]
    for (name, element) in named {
      guard isName(name, of: element.id) else {
        throw OrderedStateError.make(
          .mismatchedID, "has the element with the id \(element.id) under the key \(name)",
          at: container.codingPath + [EntityKey("entities")])
      }
      if entities.updateValue(element, forKey: element.id) != nil {
        throw OrderedStateError.make(
          .duplicateID, "has two elements with the id \(element.id)", at: container.codingPath)
      }
    }
    return entities
  }

  /// Returns a Boolean value that indicates whether a key can be the encoded form of an id.
  ///
  /// The function compares only ids that can be created from their descriptions, and returns
  /// `true` for all other ids. For example, a UUID has two spellings, and the description of a
  /// custom type can differ from its encoded form.
  private static func isName(_ name: String, of id: Element.ID) -> Bool {
    guard let type = Element.ID.self as? any LosslessStringConvertible.Type else { return true }
    return type.init(name) as? Element.ID == id
  }
}

/// The two encoded forms of a list that can be decoded.
private enum CodedForm {
  case array(any UnkeyedDecodingContainer)
  case entities(KeyedDecodingContainer<EntityKey>)

  init(_ decoder: any Decoder) throws {
    do {
      self = .array(try decoder.unkeyedContainer())
    } catch DecodingError.typeMismatch(let type, let context) {
      do {
        self = .entities(try decoder.container(keyedBy: EntityKey.self))
      } catch DecodingError.typeMismatch {
        // If the input has neither form, the initializer throws the error from decoding the array
        // form, because lists are encoded as arrays.
        throw DecodingError.typeMismatch(type, context)
      }
    }
  }
}

/// A coding key with any name.
private struct EntityKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init?(stringValue: String) {
    self.init(stringValue)
  }

  init?(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
