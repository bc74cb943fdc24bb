import FluxCollections

// A list that is kept, by a persistence say, for the next launch: what has come, and how far the list has
// got. What was on its way is not; and what comes back is out of date, since the clock by which it was loaded
// is another one.

extension ListState: Codable where Item: Codable {
  private enum CodingKeys: String, CodingKey {
    case items, isLoaded, lastPage, nextPage
  }

  /// Takes a list from its coded form: loaded, with an end where it had one, and invalidated, for
  /// ``ListSlice/loadIfNeeded`` to refresh.
  ///
  /// - Throws: What the decoder does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    items = try container.decode(OrderedState<Item>.self, forKey: .items)
    isLoaded = try container.decode(Bool.self, forKey: .isLoaded)
    lastPage = try container.decodeIfPresent(LoadedPage.self, forKey: .lastPage)
    nextPage = try container.decodeIfPresent(PagePosition.self, forKey: .nextPage)
    isInvalidated = isLoaded
  }

  /// Puts the list into its coded form, with the changes that were not confirmed as they are shown.
  ///
  /// - Throws: What the encoder does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encode(isLoaded, forKey: .isLoaded)
    try container.encodeIfPresent(lastPage, forKey: .lastPage)
    try container.encodeIfPresent(nextPage, forKey: .nextPage)
  }
}
