public import FluxCore

/// An action that means nothing: for a place where there has to be one.
///
/// ```swift
/// transformActions { store, action in isNoise(action) ? EmptyAction() : action }
/// ```
///
/// It passes the chain, makes a new version of the state, and is handled by no reducer. The idea is SwiftDux's.
public struct EmptyAction: Action, Hashable {
  /// Creates an action that means nothing.
  public init() {}
}
