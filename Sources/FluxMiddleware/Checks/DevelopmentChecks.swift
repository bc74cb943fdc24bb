public import FluxCore

/// What the development checks look for.
public struct DevelopmentChecks: OptionSet, Hashable, Sendable {
  /// The checks as bits.
  public let rawValue: Int

  /// Creates a set of checks from bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A reducer that gives different results for the same state and action.
  ///
  /// Each action is reduced twice, the second time on a copy, and the results are compared by reflection.
  public static let impureReducers = DevelopmentChecks(rawValue: 1)
  /// A reducer that takes longer than a budget.
  public static let slowReducers = DevelopmentChecks(rawValue: 2)
  /// Observers that together take longer than a budget for one action.
  ///
  /// Those that a `dispatch` calls: not those on the main actor, nor those that the end of a batch calls.
  public static let slowObservers = DevelopmentChecks(rawValue: 4)
  /// An action that reaches the reducer, changes nothing, and starts no work.
  ///
  /// Nobody handles it, or it is an `AsyncAction` by a conformance that is not seen. A type of which some action has
  /// changed something is handled.
  public static let unhandledActions = DevelopmentChecks(rawValue: 8)
  /// Observers that dispatch for ever: the dispatch that called them never returns.
  ///
  /// Those that a `dispatch` calls: what the end of a batch, or a first call, sets going is not seen.
  public static let dispatchStorms = DevelopmentChecks(rawValue: 16)
  /// Everything there is.
  public static let all: DevelopmentChecks = [
    .impureReducers, .slowReducers, .slowObservers, .unhandledActions, .dispatchStorms,
  ]
}

/// From when on the development checks speak up.
public struct DevelopmentBudgets: Sendable {
  /// The longest that reducing one action may take.
  public var reducer: Duration
  /// The longest that the observers may take for one action, all together.
  public var observers: Duration
  /// How often observers may dispatch, again and again, within one dispatch.
  public var nestedDispatches: Int

  /// Creates budgets.
  public init(
    reducer: Duration = .milliseconds(4), observers: Duration = .milliseconds(16),
    nestedDispatches: Int = 1_000
  ) {
    self.reducer = reducer
    self.observers = observers
    self.nestedDispatches = nestedDispatches
  }
}

extension Plugin {
  /// Looks for mistakes that are easily made and hard to see, while an app is being developed.
  ///
  /// ```swift
  /// let store = Store(reducer: appReducer, plugins: [.developmentChecks()], state: AppState())
  /// ```
  ///
  /// Each problem is reported once for its kind and type of action, with a message that names the type and says what
  /// to do. Put it last among the plug-ins: it reduces twice, which is for the app's reducer and not for a history.
  ///
  /// In a release build of this package it is an empty plug-in, unless asked for. Where it is on it costs a lot: each
  /// action is reduced twice, and copies of the state are kept while it is.
  ///
  /// - Parameters:
  ///   - checks: What to look for.
  ///   - budgets: From when on something is too slow, or too much.
  ///   - handlers: The store's handlers, if it has such a reducer: what they handle may change nothing.
  ///   - ignoring: Actions that may go unhandled.
  ///   - clock: What measures the time.
  ///   - evenInRelease: Whether a release build checks too.
  ///   - redaction: What of the state is secret, and not in any message.
  ///   - report: Takes the problems, on the thread that dispatched, outside the store's lock; it writes them to
  ///     standard error unless said otherwise.
  public static func developmentChecks(
    _ checks: DevelopmentChecks = .all, budgets: DevelopmentBudgets = DevelopmentBudgets(),
    handlers: ActionHandlers<State>? = nil, ignoring: ActionFilter = .only(EmptyAction.self),
    clock: any Clock<Duration> = ContinuousClock(), evenInRelease: Bool = false,
    redacting redaction: Redaction = .none,
    report: @escaping @Sendable (DevelopmentProblem) -> Void = { LogSink.standardError.write("\($0)") }
  ) -> Plugin {
    #if !DEBUG
      guard evenInRelease else { return Plugin() }
    #endif
    let watch = DevelopmentWatch<State>(
      checks, budgets: budgets, timeline: Timeline(clock),
      mayBeUnhandled: { action, trace in
        action is WorkAttemptFailed || ignoring.matches(action)
          || (action as? any PluginAction)?.isDone(trace) == true
          || handlers?.handles(type(of: action)) == true
      }, redaction: redaction, report: report)
    return Plugin(
      middleware: { _, _ in
        { next in
          { action in watch.follow(action, next) }
        }
      },
      wrapReducer: { reducer in
        { state, action in watch.reduce(&state, action, by: reducer) }
      },
      onTransition: .actions { action, _ in watch.delivers(action) },
      onWork: { watch.notesWork() })
  }
}
