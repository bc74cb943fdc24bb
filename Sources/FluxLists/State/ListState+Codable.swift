import FluxCollections

// The encoded form contains the items and the progress of the pagination, but no running load. A
// decoded list is invalidated, because its load time belongs to a clock of another process.

extension ListState: Codable where Item: Codable {
  private enum CodingKeys: String, CodingKey {
    case items, isLoaded, lastPage, nextPage
  }

  /// Creates a list from its encoded form.
  ///
  /// A list that was loaded is invalidated, so that ``ListSlice/loadIfNeeded`` refreshes it.
  ///
  /// - Throws: An error that the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    items = try container.decode(OrderedState<Item>.self, forKey: .items)
    isLoaded = try container.decode(Bool.self, forKey: .isLoaded)
    lastPage = try container.decodeIfPresent(LoadedPage.self, forKey: .lastPage)
    nextPage = try container.decodeIfPresent(PagePosition.self, forKey: .nextPage)
    isInvalidated = isLoaded
  }

  /// Encodes the list, including edits that are not confirmed.
  ///
  /// - Throws: An error that the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encode(isLoaded, forKey: .isLoaded)
    try container.encodeIfPresent(lastPage, forKey: .lastPage)
    try container.encodeIfPresent(nextPage, forKey: .nextPage)
  }
}
