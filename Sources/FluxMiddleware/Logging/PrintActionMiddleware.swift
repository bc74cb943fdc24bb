public import FluxCore

/// Returns a middleware that prints each action before it passes the action on.
///
/// Each action produces one line, which contains the description of the action. Line breaks and
/// other control characters are escaped. The middleware does not describe changes, and therefore
/// does not read or keep the state.
///
/// The idea is borrowed from SwiftDux, which has a middleware with the same name.
///
/// - Parameters:
///   - printer: A closure that is called with each line, on the thread that dispatched the
///     action. The default closure prints to standard output.
///   - redaction: The secret parts of actions, which no line contains.
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

/// Returns a middleware that prints each action that a closure selects.
///
/// The middleware works like
/// ``printActionMiddleware(printer:redacting:filter:)-(_,_,ActionFilter)``, but uses a closure
/// as its filter.
///
/// - Parameters:
///   - printer: A closure that is called with each line, on the thread that dispatched the
///     action. The default closure prints to standard output.
///   - redaction: The secret parts of actions, which no line contains.
///   - filter: A closure that returns whether an action is printed.
public func printActionMiddleware<State>(
  printer: @escaping @Sendable (_ line: String) -> Void = LogSink.standardOutput.write,
  redacting redaction: Redaction = .none,
  filter: @escaping @Sendable (_ action: any Action) -> Bool
) -> Middleware<State> {
  printActionMiddleware(printer: printer, redacting: redaction, filter: .where(filter))
}
