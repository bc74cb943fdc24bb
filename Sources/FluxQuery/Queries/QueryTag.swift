import FluxCore

/// A name for a part of the server's data, which connects queries with the mutations that change
/// their results.
///
/// ```swift
/// func tags(for result: Result<[Film], QueryFailure>) -> Set<QueryTag> {
///   let films = (try? result.get()) ?? []
///   return Set(films.map { .type("Film", id: $0.id) } + [.list("Film")])
/// }
/// ```
///
/// A query provides tags, and an action or a mutation invalidates tags. A tag of a type matches
/// all tags of the same type that are provided. A tag with an id matches only the same tag. The
/// rules come from RTK Query.
public struct QueryTag: Sendable {
  /// The part of a type that a tag names.
  enum Scope: Sendable {
    case all
    case list
    case id(any Hashable & Sendable)
  }

  /// The name of the type of data.
  public let type: String
  let scope: Scope

  /// Returns a tag of all data of a type.
  ///
  /// If a query provides the tag, only an invalidation of the whole type matches it. If an action
  /// invalidates the tag, it matches all tags of the type.
  public static func type(_ type: String) -> QueryTag {
    QueryTag(type: type, scope: .all)
  }

  /// Returns a tag of the data with an id.
  public static func type(_ type: String, id: some Hashable & Sendable) -> QueryTag {
    QueryTag(type: type, scope: .id(id))
  }

  /// Returns a tag of a list of data of a type.
  ///
  /// Invalidate the tag when an element was added or removed.
  public static func list(_ type: String) -> QueryTag {
    QueryTag(type: type, scope: .list)
  }

  /// A Boolean value that indicates whether the tag names all data of its type.
  var isOfWholeType: Bool {
    if case .all = scope { true } else { false }
  }

  /// Returns a Boolean value that indicates whether the tag matches one of the tags that an entry
  /// provides.
  func matches(anyOf provided: Set<QueryTag>) -> Bool {
    isOfWholeType ? provided.contains { $0.type == type } : provided.contains(self)
  }
}

extension QueryTag: Hashable {
  /// Returns a Boolean value that indicates whether two tags name the same data.
  ///
  /// Ids of different types are different.
  public static func == (first: QueryTag, second: QueryTag) -> Bool {
    first.type == second.type && first.scope == second.scope
  }

  /// Hashes the name of the type and the id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(scope)
  }
}

extension QueryTag.Scope: Hashable {
  static func == (first: QueryTag.Scope, second: QueryTag.Scope) -> Bool {
    switch (first, second) {
    case (.all, .all), (.list, .list): true
    case (.id(let first), .id(let second)): first.isEqual(toID: second)
    case (.all, _), (.list, _), (.id, _): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .all: hasher.combine(0)
    case .list: hasher.combine(1)
    case .id(let id): id.hash(into: &hasher)
    }
  }
}

extension Hashable {
  fileprivate func isEqual(toID other: any Hashable) -> Bool {
    type(of: other) == Self.self && exactly(other, Self.self) == self
  }
}

extension QueryTag: CustomStringConvertible {
  /// The name of the type, followed by the id.
  public var description: String {
    switch scope {
    case .all: type
    case .list: "\(type)(list)"
    case .id(let id): "\(type)(\(ValueDescription.text(of: id)))"
    }
  }
}
