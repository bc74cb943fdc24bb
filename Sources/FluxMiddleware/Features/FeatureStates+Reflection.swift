extension FeatureStates: CustomReflectable {
  /// A mirror that contains the states as a dictionary with the names of the features as keys.
  ///
  /// Logs and the inspector therefore show paths such as `features.states["visits"].count`. The
  /// saved state of a feature that was not attached is shown as JSON.
  public var customMirror: Mirror {
    var states: [String: any Sendable] = saved
    for part in parts { states[part.name] = part.cell.value }
    return Mirror(self, children: ["states": states, "attached": attachedNames], displayStyle: .struct)
  }
}
