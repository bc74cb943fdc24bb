/// A problem with a feature that joins or leaves a running store.
///
/// The error is a structure with a code instead of an enumeration, so that a new code does not
/// break existing programs.
public struct FeatureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A code that identifies a problem.
  public struct Code: Hashable, Sendable {
    fileprivate enum Value: Sendable {
      case unreadableState, actionAfterDetach, otherFeature
    }

    fileprivate let value: Value

    /// The saved state of the feature could not be decoded.
    ///
    /// The feature begins with its initial state. The saved state is kept in
    /// ``FeatureStates/unreadableStates``.
    public static let unreadableState = Code(value: .unreadableState)
    /// An action was dropped, because the proxy of a detached feature dispatched it.
    public static let actionAfterDetach = Code(value: .actionAfterDetach)
    /// A feature was attached while another feature with the same name was attached.
    ///
    /// The reducer, the middleware, and the plug-ins of the new feature are not used. The reason
    /// contains the lines of the source code that created the two features.
    public static let otherFeature = Code(value: .otherFeature)
  }

  /// The code that identifies the problem.
  public let code: Code
  /// The name of the feature.
  public let feature: String
  /// The reason for the problem, the dropped action, or the lines that created the features.
  public let reason: String

  init(_ code: Code, of feature: String, reason: String) {
    self.code = code
    self.feature = feature
    self.reason = reason
  }

  /// A description of the problem.
  public var description: String {
    switch code.value {
    case .unreadableState: "The saved state of the feature \(feature) cannot be decoded: \(reason)."
    case .actionAfterDetach: "The feature \(feature) is detached, so its action was dropped: \(reason)."
    case .otherFeature:
      "Another feature with the name \(feature) is attached, so its code is used: \(reason)."
    }
  }
}
