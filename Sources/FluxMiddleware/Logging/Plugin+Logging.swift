public import FluxCore

extension Plugin {
  /// Returns a plug-in that logs each action with its exact changes and the duration of its
  /// reduction.
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
  /// Each action produces one line, which shows only the changes that the action made, even if
  /// other threads or nested dispatches change the state at the same time. The lines are in the
  /// order in which the actions were reduced.
  ///
  /// If there is a buffer, a dispatch only applies the filter, determines the level, and
  /// appends the states to the buffer. The difference is computed and written on a separate
  /// thread. When the store is released or the program exits, the plug-in has one second to
  /// write the pending lines. While the buffer is full, further lines are dropped, and a single
  /// line that contains their number replaces them.
  ///
  /// The store keeps a copy of the state during each action, as
  /// ``/FluxCore/TransitionObserver/states(_:)`` explains. A pending line retains the states
  /// before and after its action. If the state contains large collections that change with each
  /// action, a smaller buffer limits the memory. If memory is not a concern, a larger buffer
  /// reduces the number of lines that are lost in a burst of actions.
  ///
  /// - Parameters:
  ///   - filter: The actions to log.
  ///   - level: A closure that returns the level of a transition. The closure is called on the
  ///     thread that delivers the transition, and must be quick.
  ///   - minimumLevel: The lowest level that is logged.
  ///   - limits: The limits of the differences.
  ///   - redaction: The secret parts of states and actions, which no line contains. The
  ///     redaction's closure is called on the thread that computes the difference.
  ///   - buffer: The maximum number of pending lines. If the number is 0 or less, the thread
  ///     that delivers the transition writes each line before `dispatch` returns. If the sink
  ///     already has a buffer, it keeps that buffer.
  ///   - sink: The destination of the lines.
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
