/// Limits for the data about a state or an action in one message to a page; numbers below 1
/// count as 1.
///
/// A truncated value is marked, and the page can request deeper parts. A custom description of a
/// value or an action is made completely before it is truncated. The description is made on the
/// queue of the page's session, so it does not delay any dispatch.
public struct InspectorLimits: Sendable {
  /// The maximum depth of a tree.
  public var depth: Int
  /// The maximum number of parts of one value.
  public var breadth: Int
  /// The maximum number of values in total.
  public var nodes: Int
  /// The maximum number of characters of one value's text.
  public var characters: Int
  /// The maximum number of changes of one action.
  public var changes: Int

  /// Creates limits.
  public init(
    depth: Int = 6, breadth: Int = 200, nodes: Int = 3_000, characters: Int = 300, changes: Int = 200
  ) {
    self.depth = max(1, depth)
    self.breadth = max(1, breadth)
    self.nodes = max(1, nodes)
    self.characters = max(1, characters)
    self.changes = max(1, changes)
  }
}
