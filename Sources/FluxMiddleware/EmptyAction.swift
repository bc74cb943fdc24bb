public import FluxCore

/// An action that no reducer handles, for a place that requires an action.
///
/// ```swift
/// transformActions { store, action in isNoise(action) ? EmptyAction() : action }
/// ```
///
/// The action passes through the chain and produces a new version of the state. The idea is
/// borrowed from SwiftDux.
public struct EmptyAction: Action, Hashable {
  /// Creates an empty action.
  public init() {}
}
