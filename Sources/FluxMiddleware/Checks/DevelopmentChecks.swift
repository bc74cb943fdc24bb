public import FluxCore

/// A set of development checks, which find mistakes in the use of a store.
public struct DevelopmentChecks: OptionSet, Hashable, Sendable {
  /// The bits that represent the checks.
  public let rawValue: Int

  /// Creates a set of checks from bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The check for reducers that give different results for the same state and action.
  ///
  /// The plug-in reduces each action a second time on a copy of the state, and compares the two
  /// results by reflection.
  public static let impureReducers = DevelopmentChecks(rawValue: 1)
  /// The check for reducers that take longer than ``DevelopmentBudgets/reducer``.
  public static let slowReducers = DevelopmentChecks(rawValue: 2)
  /// The check for observers whose total time for one action exceeds
  /// ``DevelopmentBudgets/observers``.
  ///
  /// The check measures the observers that `dispatch` calls. The check does not measure
  /// observers on the main actor, or observers that are called at the end of a batch.
  public static let slowObservers = DevelopmentChecks(rawValue: 4)
  /// The check for actions that reach the reducer, change nothing, and start no work.
  ///
  /// The check finds actions that have no handler, and actions whose type conforms to
  /// `AsyncAction` in a way that the store cannot detect. If an action of a type has changed the
  /// state before, the check treats the type as handled.
  public static let unhandledActions = DevelopmentChecks(rawValue: 8)
  /// The check for observers that dispatch endlessly, so that the dispatch that called them
  /// never returns.
  ///
  /// The check counts the dispatches that observers make while `dispatch` is calling them. The
  /// check does not detect endless dispatches by observers that are called at the end of a
  /// batch or when they subscribe.
  public static let dispatchStorms = DevelopmentChecks(rawValue: 16)
  /// All checks.
  public static let all: DevelopmentChecks = [
    .impureReducers, .slowReducers, .slowObservers, .unhandledActions, .dispatchStorms,
  ]
}

/// The limits beyond which the development checks report a problem.
public struct DevelopmentBudgets: Sendable {
  /// The maximum time for the reduction of one action.
  public var reducer: Duration
  /// The maximum total time of all observers for one action.
  public var observers: Duration
  /// The maximum number of dispatches that observers can make, directly or indirectly, within
  /// one dispatch.
  public var nestedDispatches: Int

  /// Creates budgets from the maximum times and the maximum number of dispatches.
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
  /// Returns a plug-in for use during development, which reports mistakes that are easy to make
  /// and hard to notice.
  ///
  /// ```swift
  /// let store = Store(reducer: appReducer, plugins: [.developmentChecks()], state: AppState())
  /// ```
  ///
  /// A problem is reported only once for each check and each type of action. The message
  /// contains the type and describes how to solve the problem. Put this plug-in after all other
  /// plug-ins, so that only the app's reducer runs twice, and not the reducer of a history.
  ///
  /// In a release build of this package, the plug-in is empty unless `evenInRelease` is `true`.
  /// The checks are expensive: each action is reduced twice, and copies of the state are kept
  /// until the transition is delivered.
  ///
  /// - Parameters:
  ///   - checks: The checks to run.
  ///   - budgets: The limits beyond which a problem is reported.
  ///   - handlers: The handlers of the store, if the reducer consists of handlers. The plug-in
  ///     does not report an action that has a handler, even if the action leaves the state
  ///     unchanged.
  ///   - ignoring: The actions that the plug-in never reports as unhandled.
  ///   - clock: The clock that measures the time.
  ///   - evenInRelease: A Boolean value that indicates whether a release build runs the checks.
  ///   - redaction: The secret parts of the state, which no message contains.
  ///   - report: A closure that receives the problems. The closure is called on the dispatching
  ///     thread or the delivering thread, outside the store's lock. By default, the closure
  ///     writes the problems to standard error.
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
      mayBeUnhandled: { action, after in
        action is WorkAttemptFailed || ignoring.matches(action)
          || (action as? any PluginAction)?.isDone(after: after) == true
          || handlers?.handles(type(of: action)) == true
      }, redaction: redaction, report: report)
    var plugin = Plugin<State>(
      middleware: { _, _ in
        { next in
          { action in watch.follow(action, next) }
        }
      },
      wrapReducer: { reducer in
        { state, action in watch.reduce(&state, action, by: reducer) }
      },
      onTransition: .actions { action, _ in watch.delivers(action) })
    plugin.onWork = { watch.notesWork() }
    return plugin
  }
}

/// A problem that a development check found.
public struct DevelopmentProblem: Sendable, CustomStringConvertible {
  /// The check that found the problem.
  public let check: DevelopmentChecks
  /// The type of the action that caused the problem.
  public let actionType: any Action.Type
  /// A description of the problem and its solution.
  public let message: String

  init(_ check: DevelopmentChecks, _ actionType: any Action.Type, _ message: String) {
    self.check = check
    self.actionType = actionType
    self.message = message
  }

  /// The message, with a prefix that identifies its origin.
  public var description: String { "Flux check: \(message)" }
}
