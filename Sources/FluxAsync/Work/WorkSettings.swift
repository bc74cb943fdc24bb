public import FluxCore

/// How the work of a store's actions is done: what the plug-in for it was made with.
final class WorkSettings: Sendable {
  let timeline: Timeline
  let chance: @Sendable () -> Double
  private let policies: TypeTable<WorkPolicyRule.Policy>
  private let onError: (@Sendable (any Error, any Action) -> Void)?

  init(
    clock: any Clock<Duration> = ContinuousClock(), policies: [WorkPolicyRule] = [],
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    onError: (@Sendable (any Error, any Action) -> Void)? = nil
  ) {
    timeline = Timeline(clock)
    self.chance = chance
    self.onError = onError
    var table = TypeTable<WorkPolicyRule.Policy>()
    for rule in policies { table.insert(rule.policy, for: rule.type) { _, new in new } }
    self.policies = table
  }

  /// The policy that was plugged in for an action, if there is one.
  func policy(for action: any Action) -> WorkPolicy? {
    policies[action]?.of(action)
  }

  /// Tells the user of an error.
  func report(_ error: any Error, of action: any Action, dispatch: DispatchFunction) {
    guard let onError else { return dispatch(WorkFailed(error: error, action: action)) }
    onError(error, action)
  }
}

extension ActionContext {
  /// The settings of the store, which are those by default unless a plug-in has set others.
  var settings: WorkSettings { attachment(WorkSettings.self) { WorkSettings() } }

  /// The time on the clock of the store's work.
  package var time: Duration { settings.timeline.now }
}

extension Plugin {
  /// Says how the work of a store's actions is done.
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer,
  ///   plugins: [.asyncWork(policies: [.of(Search.self, .latest)], onError: { error, action in report(error) })],
  ///   state: AppState())
  /// ```
  ///
  /// Without it work runs on the continuous clock, by the policies that the actions name, and what it throws becomes a
  /// ``WorkFailed``. The first of several in one store counts.
  ///
  /// - Parameters:
  ///   - clock: What time is measured on: by debouncing, throttling, waiting before another try, and time limits.
  ///   - policies: Policies by type of action, which take the place of those that the actions name. Of two for one type
  ///     the later counts.
  ///   - chance: Gives numbers from 0 to 1, for the jitter of ``Backoff``.
  ///   - onError: Takes what work throws, with the action whose work it was, on the thread where the work ended. What is
  ///     thrown after the work was cancelled is of no interest, and not told.
  public static func asyncWork(
    clock: any Clock<Duration> = ContinuousClock(), policies: [WorkPolicyRule] = [],
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    onError: (@Sendable (_ error: any Error, _ action: any Action) -> Void)? = nil
  ) -> Plugin {
    Plugin(onStoreStart: { context in
      _ = context.attachment(WorkSettings.self) {
        WorkSettings(clock: clock, policies: policies, chance: chance, onError: onError)
      }
    })
  }
}
