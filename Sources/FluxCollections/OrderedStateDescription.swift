extension OrderedState: CustomStringConvertible, CustomDebugStringConvertible {
  /// A description of the elements, in the form of an array.
  public var description: String { values.description }

  /// A debug description of the elements, in the form of an array.
  public var debugDescription: String { values.debugDescription }
}

extension OrderedState: CustomReflectable {
  /// A mirror of the elements, in the form of an array.
  ///
  /// Logs and differences show the elements, and not the storage.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
