// A decoded value that breaks a rule of its type is refused, because a later change of such a value
// could stop the program.

extension RouteStack: Codable where Route: Codable {
  private enum CodingKeys: String, CodingKey {
    case layers, nextNumber, record
  }

  /// Decodes the screens, and the places for ``back()`` and ``forward()``.
  ///
  /// - Throws: A `DecodingError` if the value does not describe a stack.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let stack = RouteStack(
      layers: try container.decode([Layer].self, forKey: .layers),
      nextNumber: try container.decode(UInt64.self, forKey: .nextNumber),
      record: try container.decodeIfPresent(RouteRecord<[Layer]>.self, forKey: .record)
        ?? RouteRecord(limit: 0))
    guard let stack else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "The screens do not form a stack."))
    }
    self = stack
  }

  /// Encodes the screens, and the places for ``back()`` and ``forward()``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(layers, forKey: .layers)
    try container.encode(nextNumber, forKey: .nextNumber)
    if record.limit > 0 { try container.encode(record, forKey: .record) }
  }
}

extension RouteTabs: Codable where Tab: Codable, Route: Codable {
  private enum CodingKeys: String, CodingKey {
    case tabs, selected, stacks, record
  }

  /// Decodes the tabs and their stacks.
  ///
  /// The value has the tabs that were encoded, even if the app has other tabs now. To adopt tabs
  /// that an update of the app has added or removed, use ``restore(from:)``. Keep the cases of
  /// removed tabs in the type of the tabs, because a tab without a case cannot be decoded.
  ///
  /// - Throws: A `DecodingError` if the value does not describe tabs.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let tabs = RouteTabs(
      tabs: try container.decode([Tab].self, forKey: .tabs),
      selected: try container.decode(Tab.self, forKey: .selected),
      stacks: try container.decode([RouteStack<Route>].self, forKey: .stacks),
      record: try container.decodeIfPresent(RouteRecord<Place>.self, forKey: .record)
        ?? RouteRecord(limit: 0))
    guard let tabs else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "The stacks do not belong to the tabs."))
    }
    self = tabs
  }

  /// Encodes the tabs and their stacks.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tabs, forKey: .tabs)
    try container.encode(selected, forKey: .selected)
    try container.encode(stacks, forKey: .stacks)
    if record.limit > 0 { try container.encode(record, forKey: .record) }
  }
}
