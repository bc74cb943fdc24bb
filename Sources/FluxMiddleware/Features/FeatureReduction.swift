/// The reduction of an action by the attached features.
///
/// The reducer of the store receives the action afterward.
@usableFromInline
enum FeatureReduction: Sendable {
  /// The reducer of the store does not receive the action.
  case ofFeaturesOnly
  /// A new action is reduced.
  case ofNewAction
  /// A history reduces an action again.
  case ofRepeatedAction

  /// The reduction of an action that the reducer of the store also receives.
  static var current: FeatureReduction {
    Recomputation.isRunning && !Recomputation.isCheck ? .ofRepeatedAction : .ofNewAction
  }
}
