import FluxCore

/// Attaching and detaching in a value, for the expected states of tests.
extension FeatureStates {
  /// Attaches a feature in this value, like ``Features/attach(_:)`` in the state of a store.
  ///
  /// Use the method to create a state for a test or a preview:
  ///
  /// ```swift
  /// features.attach(statistics)
  /// await store.receive(FeatureAttached.self) { $0.features.attach(statistics) }
  /// ```
  ///
  /// The feature continues with the state that was saved or kept for it, or begins with its initial
  /// state. Assign a value to ``subscript(_:)`` if the feature has another state. If the feature is
  /// attached already, the method has no effect. A saved state that cannot be decoded is moved to
  /// ``unreadableStates``. The reducer of the feature does not receive ``FeatureAttached``.
  ///
  /// The method does not attach the feature to a store. If the value is the state of a store, the
  /// feature reduces no actions until ``Features/attach(_:)`` attaches it.
  public mutating func attach<State>(_ feature: Feature<State>) {
    if isAttached(feature) { return }
    _ = add(AttachedCode(code: FeatureCode(of: feature), attachments: []))
    // The next action of a store aligns the value with the features of the store.
    revision = .repeated
  }

  /// Detaches a feature in this value, like ``AttachedFeature/detach(keepingState:)`` for the last
  /// attachment in the state of a store.
  ///
  /// The method does not detach the feature from a store. If the value becomes the state of a
  /// store, the next action attaches the feature again.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - keepsState: A Boolean value that indicates whether the value keeps the state of the
  ///     feature. If the argument is `false`, the method also discards a state that was kept.
  public mutating func detach<State>(_ feature: Feature<State>, keepingState keepsState: Bool) {
    guard let index = parts.firstIndex(where: { $0.name == feature.name }) else { return }
    if keepsState { parts[index].detach() } else { parts.remove(at: index) }
    revision = .repeated
  }
}
