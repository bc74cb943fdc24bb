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
    let reported = Locked(types)
    @Sendable func check(_ tags: Set<QueryTag>, _ use: UnknownTag.Use, by user: String) {
      for tag in tags where reported.withLock({ $0.insert(tag.type).inserted }) {
        report(UnknownTag(tag: tag, use: use, user: user))
      }
    }
    return Plugin(
      onTransition: .actions { action, _ in
        switch action {
        case let answered as FetchQuery.Fulfilled:
          check(answered.value.tags, .provided, by: "\(answered.request.key)")
        case let answered as PerformMutation.Fulfilled:
          check(answered.value.invalidatedTags, .invalidated, by: "\(answered.request)")
        case let invalidation as InvalidateTags:
          check(invalidation.tags, .invalidated, by: "InvalidateTags")
        default: break
        }
      })
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
