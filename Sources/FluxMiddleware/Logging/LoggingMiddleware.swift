public import FluxCore

/// Returns a middleware that logs each action and its changes.
///
/// Each action produces one line: its description, limited to 400 characters, and the parts of
/// the state that differ, each as `path: old → new`. Line breaks and other control characters
/// are escaped.
///
/// ```
/// Rename(id: 7, name: "Vertigo") films[3].name: "Vertgo" → "Vertigo"
/// ```
///
/// The middleware reads the state before and after it calls `next`. While other threads
/// dispatch, a line can therefore also show their changes. If a later middleware does not pass
/// the action on, the line shows no changes.
///
/// The middleware keeps the state from before each action, so that an in-place change of a
/// collection copies the collection. The line is written on the thread that dispatches, unless
/// the sink is ``LogSink/buffered(_:)``. If exactness or time matters, use the plug-in
/// ``FluxCore/Plugin/logging(filter:level:minimumLevel:limits:redacting:buffer:sink:)``.
///
/// - Parameters:
///   - filter: The actions to log.
///   - redaction: The secret parts of states and actions, which no line contains.
///   - sink: The destination of the lines. The default is standard error.
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

/// Returns a middleware that logs each action and its changes to a closure.
///
/// The middleware is ``loggingMiddleware(filter:redacting:sink:)-(_,_,LogSink)`` with a closure
/// as its sink.
///
/// - Parameters:
///   - filter: The actions to log.
///   - redaction: The secret parts of states and actions, which no line contains.
///   - sink: A closure that is called with each line, on the thread that dispatched.
public func loggingMiddleware<State>(
  filter: ActionFilter = .all, redacting redaction: Redaction = .none,
  sink: @escaping @Sendable (_ line: String) -> Void
) -> Middleware<State> {
  loggingMiddleware(filter: filter, redacting: redaction, sink: LogSink(sink))
}
