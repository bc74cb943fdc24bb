/// The server's ids for temporary ids that a client has given to new elements.
///
/// ```swift
/// extension RenameItem: TemporaryIDAction {
///   func replacingTemporaryIDs(_ ids: TemporaryIDs) -> RenameItem {
///     RenameItem(item: ids[item] ?? item, title: title)
///   }
/// }
/// ```
///
/// A client never forgets a temporary id, because a screen of the client can still show it. For n
/// ids, a look-up takes O(log n) time. Adding an id takes O(log n) time on average, also while
/// copies of the value exist.
public struct TemporaryIDs: Sendable {
  /// Dictionaries, each of which has at least twice as many ids as the next one.
  ///
  /// The versions of a replica share the large dictionaries. A single dictionary would be copied
  /// whenever an id is added.
  private var parts: [[String: String]] = []

  /// Creates a value from a dictionary of the server's ids by temporary ids.
  public init(_ ids: [String: String] = [:]) {
    add(ids)
  }

  /// The server's id for a temporary id, or `nil`.
  public subscript(temporaryID: String) -> String? {
    // A later part contains newer ids.
    for part in parts.reversed() {
      if let id = part[temporaryID] { return id }
    }
    return nil
  }

  /// A Boolean value that indicates whether there are no ids.
  public var isEmpty: Bool { parts.isEmpty }

  /// The number of dictionaries, for tests.
  var partCount: Int { parts.count }

  /// The server's ids by temporary ids.
  var dictionary: [String: String] {
    parts.reduce(into: [:]) { $0.merge($1) { $1 } }
  }

  /// Adds ids, which replace existing ids for the same temporary ids.
  mutating func add(_ ids: [String: String]) {
    var last = ids
    while let part = parts.last, part.count < 2 * last.count {
      last = part.merging(last) { $1 }
      parts.removeLast()
    }
    if !last.isEmpty { parts.append(last) }
  }
}

extension TemporaryIDs: ExpressibleByDictionaryLiteral {
  /// Creates a value from the server's ids by temporary ids.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { $1 })
  }
}

extension TemporaryIDs: Hashable {
  /// Returns a Boolean value that indicates whether two values contain the same ids.
  public static func == (first: TemporaryIDs, second: TemporaryIDs) -> Bool {
    first.dictionary == second.dictionary
  }

  /// Hashes the ids.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(dictionary)
  }
}

extension TemporaryIDs: Codable {
  /// Decodes a dictionary.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([String: String].self))
  }

  /// Encodes the ids as a dictionary.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(dictionary)
  }
}
