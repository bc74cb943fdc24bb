import FluxCore

/// The identity of an entry in a cache: a query of any type.
///
/// Two keys are equal if their queries have the same type and are equal. A copy of a key costs one
/// retain, and the hash of the query is computed once.
public struct QueryKey: Sendable {
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let query: any Query
    /// The hash of the query and its type.
    @usableFromInline let hash: Int

    @inlinable
    init(_ query: any Query, hash: Int) {
      self.query = query
      self.hash = hash
    }
  }

  @usableFromInline let storage: Storage

  /// Creates the key of a query.
  @inlinable
  public init<Keyed: Query>(_ query: Keyed) {
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(Keyed.self))
    hasher.combine(query)
    storage = Storage(query, hash: hasher.finalize())
  }

  /// The query.
  @inlinable public var query: any Query { storage.query }
}

extension QueryKey: Hashable {
  /// Returns a Boolean value that indicates whether two keys have equal queries of the same type.
  @inlinable
  public static func == (first: QueryKey, second: QueryKey) -> Bool {
    first.storage === second.storage
      || first.storage.hash == second.storage.hash && first.storage.query._isEqual(to: second.storage.query)
  }

  /// Hashes the query and its type.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.hash)
  }

  /// Returns the hash that was computed when the key was created.
  ///
  /// The standard library calls this method instead of hashing the stored hash again.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int { storage.hash ^ seed }
}

extension QueryKey: CustomStringConvertible {
  /// The description of the query.
  public var description: String { ValueDescription.text(of: query) }
}

extension QueryKey: CustomReflectable {
  /// A mirror that presents the query as a wrapped value.
  ///
  /// Tools that describe values part by part therefore describe the key as its query, for example to
  /// hide a secret.
  public var customMirror: Mirror { Mirror(self, children: ["some": query], displayStyle: .optional) }
}
