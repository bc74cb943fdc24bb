/// A rule for matching actions that arrive while the effect of a listener is running for other
/// actions.
///
/// The rule is applied when the action is delivered, in commit order, and not when a task
/// begins. It is therefore exact, however quickly actions follow each other. The names come
/// from redux-saga.
public enum ListenerTaking: Hashable, Sendable {
  /// Each action starts a run, regardless of other runs.
  case every
  /// Each action starts a run, and cancels the runs before it first.
  ///
  /// With a ``ListenerContext/delay(for:)`` at its beginning, the effect is debounced.
  case latest
  /// An action starts a run unless another run is running, canceled or not.
  ///
  /// With a ``ListenerContext/delay(for:)`` at its end, the effect is throttled.
  case leading
  /// The first action starts a run, and unsubscribes the listener as
  /// ``ListenerContext/unsubscribe()`` does.
  case once
}
