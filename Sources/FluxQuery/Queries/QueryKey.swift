import FluxCore

/// The identity of an entry in a cache: a query of any type.
///
/// Two keys are equal if their queries have the same type and are equal.
public struct QueryKey: Sendable {
  /// The query.
  public let query: any Query
  /// The hash of the query and its type, which is computed once.
  @usableFromInline let hash: Int

  /// Creates the key of a query.
  @inlinable
  public init(_ query: some Query) {
    self.query = query
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(type(of: query)))
    hasher.combine(query)
    hash = hasher.finalize()
  }
}

extension QueryKey: Hashable {
  /// Returns a Boolean value that indicates whether two keys have equal queries of the same type.
  @inlinable
  public static func == (first: QueryKey, second: QueryKey) -> Bool {
    first.hash == second.hash && first.query.isEqual(to: second.query)
  }

  /// Hashes the query and its type.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}

extension QueryKey: CustomStringConvertible {
  /// The description of the query.
  public var description: String { ValueDescription.text(of: query) }
}

extension Query {
  @inlinable
  func isEqual(to other: any Query) -> Bool {
    (other as? Self) == self
  }
}
