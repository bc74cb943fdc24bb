/// How much of a state or an action is told to a page at once; numbers below 1 count as 1.
///
/// What is cut off is said, and the page can ask for what lies deeper. A value with a description of its own makes it whole
/// before it is cut, and so does an action: on the page's own queue, where no dispatch waits.
public struct InspectorLimits: Sendable {
  /// How many levels of parts are told.
  public var depth: Int
  /// How many parts of one value are told.
  public var breadth: Int
  /// How many values are told in all.
  public var nodes: Int
  /// How many characters of one value's text are told.
  public var characters: Int
  /// How many changes of one action are told.
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
