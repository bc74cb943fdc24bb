public import FluxCore

/// A middleware that logs each action and what it changed.
///
/// One line an action: its description, in at most 400 characters, and the parts of the state that differ,
/// each as `path: old → new`. Line breaks and other control characters are escaped.
///
/// ```
/// Rename(id: 7, name: "Vertigo") films[3].name: "Vertgo" → "Vertigo"
/// ```
///
/// The familiar way of working, and best effort under concurrency: the states are read before and after
/// `next`, so while other threads dispatch, a line may show their changes too. A middleware behind this one
/// that holds an action back makes it a line without changes.
///
/// It reads and keeps the state before each action, so that changing a collection in place copies it. The
/// line is written on the thread that dispatches, unless the sink is ``LogSink/buffered(_:)``. Where
/// exactness or time matters use the plug-in
/// ``FluxCore/Plugin/logging(filter:level:minimumLevel:limits:redacting:buffer:sink:)``.
///
/// - Parameters:
///   - filter: The actions to log.
///   - redaction: What of states and actions is secret, and no part of any line.
///   - sink: Where the lines go: standard error, unless said otherwise.
public func loggingMiddleware<State>(
  filter: ActionFilter = .all, redacting redaction: Redaction = .none, sink: LogSink = .standardError
) -> Middleware<State> {
  { _, getState in
    { next in
      let log: DispatchFunction = { action in
        let before = getState()
        next(action)
        let after = getState()
        let difference = StateDifference(from: before, to: after, redacting: redaction)
        sink.write("\(action.logText(redacting: redaction)) \(difference.logText)")
      }
      return filter.branch(to: log, otherwise: next)
    }
  }
}

/// A middleware that logs each action and what it changed to a closure.
///
/// It is ``loggingMiddleware(filter:redacting:sink:)-(_,_,LogSink)`` with a closure for a sink.
///
/// - Parameters:
///   - filter: The actions to log.
///   - redaction: What of states and actions is secret, and no part of any line.
///   - sink: Takes each line, on the thread that dispatched.
public func loggingMiddleware<State>(
  filter: ActionFilter = .all, redacting redaction: Redaction = .none,
  sink: @escaping @Sendable (_ line: String) -> Void
) -> Middleware<State> {
  loggingMiddleware(filter: filter, redacting: redaction, sink: LogSink(sink))
}
