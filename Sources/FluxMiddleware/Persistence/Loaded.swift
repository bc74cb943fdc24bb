/// The result of loading a saved state.
public struct Loaded<Saved: Sendable>: Sendable {
  /// The origin of a loaded value.
  public enum Origin: Hashable, Sendable {
    /// The current file, or the file that a ``Migration`` from version 0 specifies if there has
    /// been no save.
    case current
    /// The previous file, because the current file is missing or could not be used.
    ///
    /// This case also applies if a file of the `Persistence` object could not be used, and the
    /// value was loaded from the file that a migration specifies.
    case previous
    /// No file, because nothing was saved or no file could be used.
    case nothing
  }

  /// The saved value, or `nil` if no file could be used.
  public let value: Saved?
  /// The origin of the value.
  public let origin: Origin
  /// The problems of the load, in the order in which they were found.
  ///
  /// Each problem was also passed to the `onProblem` closure of the `Persistence` object. If the
  /// array is empty, the load succeeded or nothing has been saved yet.
  public let problems: [PersistenceError]

  /// Creates a result for tests of code that uses the result of a load.
  public init(value: Saved?, origin: Origin, problems: [PersistenceError] = []) {
    self.value = value
    self.origin = origin
    self.problems = problems
  }
}

extension Loaded: Equatable where Saved: Equatable {}

/// The outcome of restoring a saved state into a running store.
public enum RestoreOutcome: Hashable, Sendable {
  /// The saved state replaced the state in the store, or was merged into it.
  case restored
  /// The saved state was not restored, and the changes since the store was created remain.
  case superseded
  /// There was no saved state that could be restored.
  case nothingSaved
  /// The action that restores the state has not reached the reducer.
  ///
  /// Either there is no store, or a middleware has not passed the action on. If the middleware
  /// passes the action on later, the action is reduced according to the same rules.
  case notReduced
}
