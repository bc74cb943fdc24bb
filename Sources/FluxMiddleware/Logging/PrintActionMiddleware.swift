public import FluxCore

/// A middleware that prints each action as it goes by, before it goes on.
///
/// One line an action: its description, with line breaks and other control characters escaped. It says
/// nothing of what the action changes, and so reads no state and keeps none.
///
/// After SwiftDux's middleware of that name.
///
/// - Parameters:
///   - printer: Takes each line, on the thread that dispatches: standard output, unless said otherwise.
///   - redaction: What of actions is secret, and no part of any line.
///   - filter: The actions to print.
public func printActionMiddleware<State>(
  printer: @escaping @Sendable (_ line: String) -> Void = LogSink.standardOutput.write,
  redacting redaction: Redaction = .none,
  filter: ActionFilter = .all
) -> Middleware<State> {
  { _, _ in
    { next in
      let printing: DispatchFunction = { action in
        printer(redaction.text(of: action).onOneLine)
        next(action)
      }
      return filter.branch(to: printing, otherwise: next)
    }
  }
}

/// A middleware that prints each action for which a closure says so.
///
/// It is ``printActionMiddleware(printer:redacting:filter:)-(_,_,ActionFilter)`` with a closure for a filter.
///
/// - Parameters:
///   - printer: Takes each line, on the thread that dispatches: standard output, unless said otherwise.
///   - redaction: What of actions is secret, and no part of any line.
///   - filter: Whether an action is to be printed.
public func printActionMiddleware<State>(
  printer: @escaping @Sendable (_ line: String) -> Void = LogSink.standardOutput.write,
  redacting redaction: Redaction = .none,
  filter: @escaping @Sendable (_ action: any Action) -> Bool
) -> Middleware<State> {
  printActionMiddleware(printer: printer, redacting: redaction, filter: .where(filter))
}
