extension OrderedState: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements in their order, as an array of them is described.
  public var description: String { values.description }

  /// The elements in their order, as an array of them is described for debugging.
  public var debugDescription: String { values.debugDescription }
}

extension OrderedState: CustomReflectable {
  /// The elements in their order, as those of an array: logs and differences show them, and not how they are stored.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
