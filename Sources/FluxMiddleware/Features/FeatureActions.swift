public import FluxCore

/// An action that attaches a feature to a store.
///
/// ``Features/attach(_:)`` dispatches the action. The reducer of the feature receives this action
/// and all later actions. The middleware of the feature receive all later actions. A history does
/// not record the action, so an undo does not detach the feature.
public struct FeatureAttached: Action, CustomStringConvertible {
  /// The name of the feature.
  public var name: String { code.name }

  let code: FeatureCode
  let attachment = FeatureNumber()
  /// The object that the feature is attached to.
  let runs: FeatureRuns

  /// The name of the type, and the name of the feature.
  public var description: String { "FeatureAttached(\(name))" }
}

/// Returns a Boolean value that indicates whether an action changes which features are attached.
func isFeatureChange(_ action: any Action) -> Bool {
  let type = ObjectIdentifier(type(of: action))
  return type == ObjectIdentifier(FeatureAttached.self) || type == ObjectIdentifier(FeatureDetached.self)
    || type == ObjectIdentifier(FeatureAlignment.self)
}

/// Returns the object whose attached features an action changes, or `nil` if it changes none.
func runsOfFeatures(changedBy action: any Action) -> FeatureRuns? {
  guard isFeatureChange(action) else { return nil }
  return (action as? FeatureAttached)?.runs ?? (action as? FeatureDetached)?.runs
}

/// An action that detaches a feature from a store.
///
/// ``AttachedFeature/detach(keepingState:)`` dispatches the action. The middleware of the feature
/// receive this action, and the reducer does not. Neither receives later actions. A history does
/// not record the action, so an undo does not attach the feature.
public struct FeatureDetached: Action, CustomStringConvertible {
  /// The name of the feature.
  public let name: String
  /// A Boolean value that indicates whether the state of the feature is kept.
  public let keepsState: Bool

  let attachment: FeatureNumber
  let change = FeatureNumber()
  /// The object that the feature is attached to.
  let runs: FeatureRuns

  /// The name of the type, and the name of the feature.
  public var description: String { "FeatureDetached(\(name))" }
}

/// The reason for which a history aligns the states of features.
enum FeatureAlignmentPurpose: Sendable {
  /// The history has restored the state. A replay starts with the restored state, not with the
  /// aligned state.
  case restoring
  /// The history is about to change the state or the record. If the reducer of the store has
  /// replaced the state, a replay starts with the aligned state. A restored state does not change.
  case leaving
  /// A replay starts with the aligned state.
  case lasting
}

/// An action with which a history aligns the states of features, after the state was replaced.
///
/// The plug-in of the features does not pass the action on, so no reducer of the app receives it.
struct FeatureAlignment: Action {
  /// The object with the features that the state must contain.
  let runs: FeatureRuns
  let purpose: FeatureAlignmentPurpose
}
