/// What was found when a saved state was loaded.
public struct Loaded<Saved: Sendable>: Sendable {
  /// Where a value was found.
  public enum Origin: Hashable, Sendable {
    /// The newest generation, or, before the first save, the file that a ``Migration`` from version 0 names.
    case current
    /// The generation before, since the newest is not there or could not be used.
    case previous
    /// Nowhere: nothing was saved, or nothing of it could be used.
    case nothing
  }

  /// The saved value; `nil` if there is none that could be used.
  public let value: Saved?
  /// Where the value was found.
  public let origin: Origin
  /// What went wrong on the way, in that order.
  ///
  /// Each was reported too. None means that all is well, also when nothing was saved yet.
  public let problems: [PersistenceError]

  /// Creates what a load would return, for tests of what is done with it.
  public init(value: Saved?, origin: Origin, problems: [PersistenceError] = []) {
    self.value = value
    self.origin = origin
    self.problems = problems
  }
}

extension Loaded: Equatable where Saved: Equatable {}

/// What became of a saved state that was to be restored into a running store.
public enum RestoreOutcome: Hashable, Sendable {
  /// It was put in place.
  case restored
  /// It was not: what the user has done since the store was made stays.
  case superseded
  /// There was nothing to restore.
  case nothingSaved
  /// The action that restores has not come to the reducer: there is no store, or a middleware holds the
  /// action.
  ///
  /// If the middleware lets go of it later, it is reduced by the same rule.
  case notReduced
}
