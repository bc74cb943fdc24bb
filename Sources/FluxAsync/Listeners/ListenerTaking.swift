/// Which of the actions that match a listener takes while its effect is still running for others.
///
/// It is decided when the action is told, in commit order, and not when a task gets to run; so it is exact however
/// quickly actions follow each other. The names are redux-saga's.
public enum ListenerTaking: Hashable, Sendable {
  /// Each action starts a run, whatever else runs.
  case every
  /// Each action starts a run, and those before it are cancelled first.
  ///
  /// With a ``ListenerContext/delay(for:)`` at the beginning the effect is debounced.
  case latest
  /// An action starts a run unless one is running, cancelled or not.
  ///
  /// With a ``ListenerContext/delay(for:)`` at the end the effect is throttled.
  case leading
  /// The first action starts a run, and ends the listening, as ``ListenerContext/unsubscribe()`` would.
  case once
}
