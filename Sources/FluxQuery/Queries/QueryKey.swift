import FluxCore

/// The identity of an entry in a cache: a query of any type.
///
/// Two keys are equal if their queries have the same type and are equal. A copy of a key costs one
/// retain, and the hash of the query is computed once.
public struct QueryKey: Sendable {
  @usableFromInline let storage: any KeyStorage

  /// Creates the key of a query.
  @inlinable
  public init(_ query: some Query) {
    self = query._key
  }

  /// Creates the key of a query whose type the compiler knows.
  @inlinable @inline(__always)
  init<Keyed: Query>(storing query: Keyed) {
    storage = TypedKeyStorage(query)
  }

  /// The query.
  public var query: any Query { storage.query }

  /// Returns the hash of a query and its type, which the key of the query has.
  @inlinable @inline(__always)
  static func hash<Keyed: Query>(of query: Keyed) -> Int {
    query._rawHashValue(seed: Int(bitPattern: ObjectIdentifier(Keyed.self)))
  }

  /// Returns a Boolean value that indicates whether the key is the key of a query.
  ///
  /// The comparison does not create the key of the query.
  @inlinable @inline(__always)
  func isKey<Keyed: Query>(of query: Keyed) -> Bool {
    TypedKeyStorage<Keyed>.typed(storage)?.typedQuery == query
  }
}

/// The query of a key.
@usableFromInline
protocol KeyStorage: AnyObject, Sendable {
  var query: any Query { get }
  /// The hash of the query and its type.
  var hash: Int { get }
  /// Returns a Boolean value that indicates whether a key is the key of the query.
  func isQuery(of key: QueryKey) -> Bool
}

/// The query of a key, whose type the compiler knows.
///
/// The type of the class stands for the type of the query, so that a comparison of addresses
/// distinguishes queries of different types.
@usableFromInline
final class TypedKeyStorage<Keyed: Query>: KeyStorage {
  @usableFromInline let hash: Int
  @usableFromInline let typedQuery: Keyed

  @inlinable
  init(_ query: Keyed) {
    hash = QueryKey.hash(of: query)
    typedQuery = query
  }

  @usableFromInline var query: any Query { typedQuery }

  /// Calls a method of the query, because the compiler specializes methods of the query's type, and
  /// not those of this type.
  @usableFromInline
  func isQuery(of key: QueryKey) -> Bool { typedQuery._isQuery(of: key) }

  /// Returns a query as a query of this type, or `nil` if it has another type.
  @inlinable @inline(__always)
  static func typed(_ storage: any KeyStorage) -> TypedKeyStorage? {
    type(of: storage) == TypedKeyStorage.self ? unsafeDowncast(storage, to: TypedKeyStorage.self) : nil
  }
}

extension QueryKey: Hashable {
  /// Returns a Boolean value that indicates whether two keys have equal queries of the same type.
  @inlinable
  public static func == (first: QueryKey, second: QueryKey) -> Bool {
    first.storage === second.storage
      || first.storage.hash == second.storage.hash && first.storage.isQuery(of: second)
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
  /// Tools that describe values part by part therefore describe the key as its query. A tool can
  /// then hide a secret in the query.
  public var customMirror: Mirror { Mirror(self, children: ["some": query], displayStyle: .optional) }
}
