extension OrderedState: Encodable where Element: Encodable {
  /// Encodes the elements in their order, as an array does: `[{"id": 1, …}, {"id": 2, …}]`.
  ///
  /// The form depends on nothing but the elements: equal lists have the same.
  ///
  /// - Throws: What an element throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension OrderedState: Decodable where Element: Decodable {
  /// Decodes an array of elements, or the form in which Redux Toolkit keeps them: `{"ids": […], "entities":
  /// {…}}`.
  ///
  /// What ids and entities are about is checked: nothing is left out or put right in silence.
  ///
  /// - Throws: ``OrderedStateError`` when an id comes twice, has no element, or has one that is not listed or
  ///   stands under another id; what an element throws.
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
          .duplicateID, "has a second element with the id \(element.id), at index \(index)",
          at: container.codingPath)
      }
    }
  }

  private mutating func decode(_ container: KeyedDecodingContainer<EntityKey>) throws {
    let path = container.codingPath
    guard let type = Element.ID.self as? any Decodable.Type else {
      throw OrderedStateError.make(
        .uncodableID, "lists its ids, and ids of type \(Element.ID.self) cannot be decoded", at: path)
    }
    var listed = try container.nestedUnkeyedContainer(forKey: EntityKey("ids"))
    var entities = try Self.entities(in: container)
    while !listed.isAtEnd {
      guard let id = try listed.decode(type) as? Element.ID else { continue }
      if contains(id: id) {
        throw OrderedStateError.make(.duplicateID, "lists the id \(id) twice", at: path)
      }
      guard let element = entities.removeValue(forKey: id) else {
        throw OrderedStateError.make(.danglingID, "lists the id \(id), and has no element for it", at: path)
      }
      append(element)
    }
    if let id = (entities.keys.map { id in "\(id)" }).min() {
      throw OrderedStateError.make(
        .unlistedID, "has an element for the id \(id), which it does not list", at: path)
    }
  }

  /// The elements by id, each of which stands under its own, where that can be told of a name.
  private static func entities(
    in container: KeyedDecodingContainer<EntityKey>
  ) throws -> [Element.ID: Element] {
    // A dictionary, whose keys no strategy of a decoder changes.
    let named = try container.decode([String: Element].self, forKey: EntityKey("entities"))
    var entities: [Element.ID: Element] = [:]
    for (name, element) in named {
      guard isName(name, of: element.id) else {
        throw OrderedStateError.make(
          .mismatchedID, "has the element with the id \(element.id) under the id \(name)",
          at: container.codingPath + [EntityKey("entities")])
      }
      if entities.updateValue(element, forKey: element.id) != nil {
        throw OrderedStateError.make(
          .duplicateID, "has two elements with the id \(element.id)", at: container.codingPath)
      }
    }
    return entities
  }

  /// Whether a name is that of an id, as far as ids of the type can be told by a name: a UUID has two spellings, and the words
  /// for a type of one's own are not what is coded.
  private static func isName(_ name: String, of id: Element.ID) -> Bool {
    guard let type = Element.ID.self as? any LosslessStringConvertible.Type else { return true }
    return type.init(name) as? Element.ID == id
  }
}

/// The two forms that are read.
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
        // Neither of them: the one that is written is the one to name.
        throw DecodingError.typeMismatch(type, context)
      }
    }
  }
}

/// A key of which anything may be the name.
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
