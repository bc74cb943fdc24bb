public import FluxCore

/// Returns a middleware that logs each action and its changes.
///
/// Each action produces one line. The line contains the description of the action, limited to
/// 400 characters, and the parts of the state that changed, each in the form `path: old → new`.
/// Line breaks and other control characters are escaped.
///
/// ```
/// Rename(id: 7, name: "Vertigo") films[3].name: "Vertgo" → "Vertigo"
/// ```
///
/// The middleware reads the state before and after it calls `next`. A line can therefore also
/// show the changes of actions that other threads dispatch at the same time. If a later
/// middleware does not pass the action on, the line shows no changes.
///
/// The middleware keeps the previous state while an action is reduced, so an in-place change of
/// a collection copies the collection. Unless the sink has a buffer (``LogSink/buffered(_:)``),
/// the line is written on the thread that dispatched the action. If you need exact changes or
/// better performance, use the plug-in
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

/// Returns a middleware that logs each action and its changes with a closure.
///
/// The middleware works like ``loggingMiddleware(filter:redacting:sink:)-(_,_,LogSink)``, but
/// uses a closure as its sink.
///
/// - Parameters:
///   - filter: The actions to log.
///   - redaction: The secret parts of states and actions, which no line contains.
///   - sink: A closure that is called with each line, on the thread that dispatched the action.
public func loggingMiddleware<State>(
  filter: ActionFilter = .all, redacting redaction: Redaction = .none,
  sink: @escaping @Sendable (_ line: String) -> Void
) -> Middleware<State> {
  loggingMiddleware(filter: filter, redacting: redaction, sink: LogSink(sink))
}
