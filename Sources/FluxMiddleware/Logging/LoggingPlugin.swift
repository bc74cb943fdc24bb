public import FluxCore

extension Plugin {
  /// Logs each action with exactly what it changed and how long the reducer took, one line an action.
  ///
  /// ```swift
  /// .logging(
  ///   filter: .except(Tick.self),
  ///   level: { $0.duration > .milliseconds(16) ? .warning : .info },
  ///   sink: try .file(at: url))
  /// ```
  /// ```
  /// info #12 ToggleWish(film: 27) marks.wished: + 27 (12 µs)
  /// info #13 Refresh() changed nothing (410 ns)
  /// ```
  ///
  /// Each line tells its own action's change, whatever other threads and nested dispatches do meanwhile. The
  /// lines stand in the order in which the actions were reduced.
  ///
  /// With a buffer, what a dispatch pays for is the filter, the level, and to queue the states: finding the
  /// difference and writing is done on a thread of the buffer's own. When the store ends, and when the
  /// program does, what waits is written, if that takes no longer than a second. While the buffer is full
  /// further lines are dropped; a line in their place says how many.
  ///
  /// The store keeps a copy of the state across each action, as ``/FluxCore/TransitionObserver/states(_:)`` explains,
  /// and a line that waits keeps the two states around its action. Where the state holds large collections
  /// that change with each action, a smaller buffer bounds the memory; where memory does not matter, a larger
  /// one bounds what is lost in a burst of actions.
  ///
  /// - Parameters:
  ///   - filter: The actions to log.
  ///   - level: How much a transition matters. Called on the thread that delivers, so it is quick.
  ///   - minimumLevel: What matters less is not logged.
  ///   - limits: How much is told of what an action changed.
  ///   - redaction: What of states and actions is secret, and no part of any line. It is asked where the
  ///     difference is found.
  ///   - buffer: The most lines that wait to be written. With 0, and with less, each line is written by the
  ///     thread that delivers, before `dispatch` returns. A sink that is buffered already keeps the buffer
  ///     that it has.
  ///   - sink: Where the lines go.
  public static func logging(
    filter: ActionFilter = .all,
    level: @escaping @Sendable (_ transition: StateTransition<State>) -> LogLevel = { _ in .info },
    minimumLevel: LogLevel = .info,
    limits: StateDifference.Limits = StateDifference.Limits(),
    redacting redaction: Redaction = .none,
    buffer: Int = 1_000,
    sink: LogSink = .standardError
  ) -> Plugin {
    let sink = sink.buffered(buffer)
    return Plugin(
      onTransition: .states { transition in
        guard filter.matches(transition.action) else { return }
        let level = level(transition)
        guard level >= minimumLevel else { return }
        sink.writeMade {
          LogEntry(
            level: level, version: transition.version, action: transition.action,
            duration: transition.duration,
            difference: StateDifference(
              from: transition.before, to: transition.after, limits: limits, redacting: redaction),
            redacting: redaction
          ).description
        }
      },
      onStoreEnd: { _ in sink.flush(waitingAtMost: .seconds(1)) })
  }
}
