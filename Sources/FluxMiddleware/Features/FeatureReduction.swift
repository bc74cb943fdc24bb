/// The features that were attached while their reducers received an action.
///
/// The reducer of the store receives the action afterward, and can replace the state, for example
/// at a logout. The features are then attached again in the new state.
@usableFromInline
struct FeatureReduction: Sendable {
  /// A Boolean value that indicates whether no other reducer receives the action.
  @usableFromInline let isComplete: Bool
  /// The number of the last change to the attached features.
  let revision: FeatureNumber
  /// The attached features if the action is reduced again, or `nil` if the features are those that
  /// are attached at present.
  let attached: [AttachedCode]?

  /// The reduction of an action that only the features receive.
  @usableFromInline static let complete = FeatureReduction(isComplete: true, revision: .none, attached: nil)

  init(of states: FeatureStates) {
    isComplete = false
    revision = states.revision
    attached = Recomputation.isRunning ? states.attached : nil
  }

  private init(isComplete: Bool, revision: FeatureNumber, attached: [AttachedCode]?) {
    self.isComplete = isComplete
    self.revision = revision
    self.attached = attached
  }
}
