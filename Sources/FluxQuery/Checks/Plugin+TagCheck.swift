import FluxAsync
public import FluxCore

extension Plugin {
  /// Returns a plug-in that reports tags of unknown types during development.
  ///
  /// A tag is matched by the name of its type, so a misspelled name marks nothing as out of date.
  /// This plug-in compares the tags that queries provide, and the tags that mutations and actions
  /// invalidate, with the types that the app uses.
  ///
  /// ```swift
  /// .tagCheck(types: ["Film", "Person"]) { problem in print(problem) }
  /// ```
  ///
  /// The plug-in reports each unknown type once. In a release build of this package, the plug-in
  /// is empty unless `evenInRelease` is `true`. RTK Query has the same check for the `tagTypes` of
  /// an API.
  ///
  /// - Parameters:
  ///   - types: The names of the types that the app uses.
  ///   - evenInRelease: A Boolean value that indicates whether a release build runs the check.
  ///   - report: A closure that receives each problem. The closure is called on the delivering
  ///     thread, outside the store's lock.
  public static func tagCheck(
    types: Set<String>, evenInRelease: Bool = false,
    report: @escaping @Sendable (UnknownTag) -> Void
  ) -> Plugin {
    #if !DEBUG
      guard evenInRelease else { return Plugin() }
    #endif
    let known = Locked(types)
    return Plugin(
      onTransition: .actions { action, _ in
        for (tags, use, user) in uses(of: action) {
          for tag in tags where known.withLock({ $0.insert(tag.type).inserted }) {
            report(UnknownTag(tag: tag, use: use, user: user))
          }
        }
      })
  }

  /// Returns the tags that an action uses.
  private static func uses(
    of action: any Action
  ) -> [(tags: Set<QueryTag>, use: UnknownTag.Use, user: String)] {
    switch action {
    case let answered as FetchQuery.Fulfilled: provided(by: answered.request.key, answered.value)
    case let written as WriteQuery: provided(by: written.key, written.answer)
    case let failed as FetchQuery.Rejected:
      [
        (
          failed.request.key.query._tags(for: QueryFailure(of: failed.failure)), .provided,
          "\(failed.request)"
        )
      ]
    case let answered as PerformMutation.Fulfilled:
      [(answered.value.invalidatedTags, .invalidated, "\(answered.request)")]
        + answered.value.edits.map { ($0.tags ?? [], .provided, "\($0.key)") }
    case let failed as PerformMutation.Rejected:
      [
        (
          failed.request.mutation._invalidatedTags(for: QueryFailure(of: failed.failure)), .invalidated,
          "\(failed.request)"
        )
      ]
    case let invalidation as InvalidateTags: [(invalidation.tags, .invalidated, "InvalidateTags")]
    default: []
    }
  }

  /// Returns the tags of a result, and the tags of the entities that the result contains.
  private static func provided(
    by key: QueryKey, _ answer: QueryAnswer
  ) -> [(tags: Set<QueryTag>, use: UnknownTag.Use, user: String)] {
    var found = [(tags: answer.tags, use: UnknownTag.Use.provided, user: "\(key)")]
    _ = key.query._replacingEntities(in: answer.value, only: nil) { entity, value in
      found.append((entity.query._tags(for: value), .provided, "\(entity)"))
      return nil
    }
    return found
  }
}

/// A tag whose type is not one of the types that an app uses.
public struct UnknownTag: Hashable, Sendable {
  /// The use of a tag.
  public enum Use: Hashable, Sendable {
    /// The result of a query provides the tag.
    case provided
    /// A mutation or an action invalidates the tag.
    case invalidated
  }

  /// The tag.
  public let tag: QueryTag
  /// The use of the tag.
  public let use: Use
  /// The description of the query, the mutation, or the action that uses the tag.
  public let user: String
}

extension UnknownTag: CustomStringConvertible {
  /// A message that contains the tag and the query, the mutation, or the action that uses it.
  public var description: String {
    let verb =
      switch use {
      case .provided: "provides"
      case .invalidated: "invalidates"
      }
    return "Flux check: \(user) \(verb) the tag \(tag), but \"\(tag.type)\" is not one of the known types. "
      + "If the name is correct, add it to the types of the check."
  }
}
