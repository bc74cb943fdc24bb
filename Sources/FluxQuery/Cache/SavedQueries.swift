import FluxCollections
import FluxCore

/// A query whose result can be saved, and restored when the app starts again.
public protocol SavedQuery: Query, Codable where Value: Codable {
  /// The name of the type in saved data, which must stay the same when the type is renamed.
  ///
  /// The names of the types of a ``SavedQueries`` value must be different.
  ///
  /// The default is the name of the type, without the names of enclosing types.
  static var savedName: String { get }
}

extension SavedQuery {
  /// The name of the type, without the names of enclosing types.
  public static var savedName: String { String(describing: self) }
}

/// The results of the queries of some types, in a form that can be encoded and decoded.
///
/// ```swift
/// extension AppState {
///   var savedQueries: SavedQueries<FilmByID, AllFilms> {
///     get { SavedQueries(of: queries) }
///     set { newValue.restore(in: &queries) }
///   }
/// }
///
/// let persistence = Persistence(of: \AppState.savedQueries, in: FileStorage(directory: folder))
/// let store = Store(
///   reducer: appReducer, plugins: [persistence.plugin, queries.plugin],
///   state: persistence.restored(AppState()))
/// ```
///
/// A restored result is shown immediately, and counts as out of date, so it is fetched again when
/// the query is observed. Like other entries, a restored entry is removed if it has no subscriber
/// for the duration of ``Query/lifetimeWithoutSubscribers``, and is then no longer saved. Queries
/// that are saved for the next start of the app therefore need a long duration.
///
/// Each type needs its own ``SavedQuery/savedName``. If two of the types have the same name,
/// encoding or decoding the value stops the program with a message.
///
/// Edits that a mutation has not confirmed are not saved. To create and copy a value takes constant
/// time, and to encode it takes O(n) time for n entries.
public struct SavedQueries<each Saved: SavedQuery>: Sendable {
  private let cache: QueryCache

  /// Creates a value that contains the results of a cache.
  public init(of cache: QueryCache) {
    self.cache = cache
  }

  /// Adds the results to a cache, as results that are out of date.
  ///
  /// A result that the cache already contains remains.
  public func restore(in cache: inout QueryCache) {
    func restore<Restored: SavedQuery>(_ type: Restored.Type) {
      for (query, value) in self.cache.confirmedResults(of: type) {
        cache.contents.value.restored(query, value)
      }
    }
    repeat restore((each Saved).self)
    cache.contents.value.version = CacheContents.nextVersion()
  }
}

extension SavedQueries: Equatable {
  /// Returns a Boolean value that indicates whether two values contain the same entries.
  public static func == (first: SavedQueries, second: SavedQueries) -> Bool {
    first.cache == second.cache
  }
}

/// A query with its result.
private struct SavedResult<Saved: SavedQuery>: Codable {
  let query: Saved
  let value: Saved.Value
}

/// The name of a type of queries.
private struct SavedName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) { nil }
}

extension SavedQueries: Codable {
  /// Creates a value from results that were encoded.
  ///
  /// Results of types that the value does not have are ignored.
  public init(from decoder: any Decoder) throws {
    let results = try decoder.container(keyedBy: SavedName.self)
    var cache = QueryCache()
    Self.requireDistinctNames()
    func decode<Decoded: SavedQuery>(_ type: Decoded.Type) throws {
      let name = SavedName(stringValue: type.savedName)
      guard let found = try results.decodeIfPresent([SavedResult<Decoded>].self, forKey: name) else { return }
      for result in found { cache.contents.value.restored(result.query, result.value) }
    }
    repeat try decode((each Saved).self)
    self.init(of: cache)
  }

  /// Encodes the results by the names of the types of their queries, in the order of the cache.
  public func encode(to encoder: any Encoder) throws {
    var results = encoder.container(keyedBy: SavedName.self)
    Self.requireDistinctNames()
    func encode<Encoded: SavedQuery>(_ type: Encoded.Type) throws {
      let found = cache.confirmedResults(of: type).map { SavedResult(query: $0.query, value: $0.value) }
      try results.encode(found, forKey: SavedName(stringValue: type.savedName))
    }
    repeat try encode((each Saved).self)
  }

  /// Stops the program if two of the types have the same name, because the results of one type
  /// would replace the results of the other type.
  private static func requireDistinctNames() {
    var types: [String: any SavedQuery.Type] = [:]
    func require(_ type: any SavedQuery.Type) {
      if let other = types.updateValue(type, forKey: type.savedName), other != type {
        Misuse.sharedSavedName(type.savedName, of: other, and: type)
      }
    }
    repeat require((each Saved).self)
  }
}

extension QueryCache {
  /// Returns the results of all queries of a type, without edits that mutations have not confirmed.
  fileprivate func confirmedResults<Saved: SavedQuery>(
    of type: Saved.Type
  ) -> [(query: Saved, value: Saved.Value)] {
    entries.compactMap { entry in
      guard let query = entry.query as? Saved,
        let value = contents.value.confirmedValue(of: entry.id) as? Saved.Value
      else { return nil }
      return (query, value)
    }
  }
}

extension CacheContents {
  /// Adds a result that is out of date, unless the cache has a result.
  fileprivate mutating func restored<Restored: Query>(_ query: Restored, _ value: Restored.Value) {
    restored(QueryKey(query), value)
  }

  private mutating func restored(_ key: QueryKey, _ value: any Sendable) {
    if entries[id: key]?.value != nil { return }
    for (entity, value) in entitiesContained(in: value, of: key) { restored(entity, value) }
    // Edits of running mutations remain.
    overlays[key]?.wrote(value)
    let shown = showingEntities(in: shownValue(of: key, over: value), of: key)
    change(key, providing: key.query._tags(for: value)) { entry in
      entry.show(shown)
      entry.isInvalidated = true
    }
  }
}
