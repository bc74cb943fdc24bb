public import FluxCore
import Synchronization

/// The settings for the work of a store's actions, such as the policies.
final class WorkSettings: Sendable {
  let chance: @Sendable () -> Double
  private let policies: TypeTable<WorkPolicyRule.Policy>
  private let onError: (@Sendable (any Error, any Action) -> Void)?

  /// A Boolean value that indicates whether a plug-in of any store sets policies.
  fileprivate static let anyStoreHasPolicies = Atomic(false)

  init(
    policies: [WorkPolicyRule] = [], chance: @escaping @Sendable () -> Double = Backoff.chance,
    onError: (@Sendable (any Error, any Action) -> Void)? = nil
  ) {
    self.chance = chance
    self.onError = onError
    var table = TypeTable<WorkPolicyRule.Policy>()
    for rule in policies { table.insert(rule.policy, for: rule.type) { _, new in new } }
    self.policies = table
    if !policies.isEmpty { WorkSettings.anyStoreHasPolicies.store(true, ordering: .relaxed) }
  }

  /// A Boolean value that indicates whether the plug-in sets the policy of any type of action.
  fileprivate var hasPolicies: Bool { !policies.isEmpty }

  /// Returns the policy that the plug-in sets for an action, or `nil` if the plug-in sets no
  /// policy.
  fileprivate func policy(for action: some Action) -> WorkPolicy? { policies[action]?.of(action) }

  /// Reports an error to the handler, or dispatches the error if there is no handler.
  func report(_ error: any Error, of action: any Action, dispatch: DispatchFunction) {
    let error = (error as? MissingService)?.named(for: action) ?? error
    guard let onError else { return dispatch(WorkFailed(error: error, action: action)) }
    onError(error, action)
  }
}

extension ActionContext {
  /// The settings for the work of the store's actions.
  ///
  /// If no plug-in has provided settings, the property returns the default settings.
  var settings: WorkSettings { attachment(WorkSettings.self) { WorkSettings() } }

  /// Returns the policy for the work of an action: the policy that a plug-in sets, or the policy
  /// that the action specifies.
  package func policy(for action: some WorkAction) -> WorkPolicy {
    policySetByPlugin(for: action) ?? action.policy
  }

  /// Returns the policy that a plug-in sets for the work of an action, or `nil` if no plug-in sets
  /// a policy.
  func policySetByPlugin(for action: some WorkAction) -> WorkPolicy? {
    hasPolicies ? settings.policy(for: action) : nil
  }

  /// A Boolean value that indicates whether a plug-in sets the policy of any type of action.
  ///
  /// Most programs set no policies. In these programs, the settings of the store are not read.
  @inline(__always)
  var hasPolicies: Bool {
    WorkSettings.anyStoreHasPolicies.load(ordering: .relaxed) && settings.hasPolicies
  }

  /// Prepares work that has the identity and the policy of its action.
  func start(_ steps: any WorkSteps, of type: any Action.Type, _ policy: WorkPolicy) -> WorkStart? {
    start(steps, WorkID(of: type, key: policy.key), policy.rules)
  }

  /// The current time of the clock that the store uses for asynchronous work.
  package var time: Duration { timelineOfWork.now }

  /// The clock that the store uses for asynchronous work, and the executor of its timers.
  package var timelineOfWork: Timeline { scope.timeline }

  /// Reports an error of an action to the store's error handler.
  package func report(_ error: any Error, of action: any Action) {
    settings.report(error, of: action, dispatch: dispatch)
  }
}

extension Work {
  /// The settings for the work of the store.
  var settings: WorkSettings { context.settings }
}

extension WorkSteps {
  /// Reports an error to the store's error handler, or dispatches it as part of the work.
  @usableFromInline
  package func failed(_ work: Work, _ error: any Error) {
    work.scope.whileDispatching { work.settings.report(error, of: action) { work.dispatch($0) } }
  }
}

extension StateSource {
  /// The current time of the clock that the store uses for asynchronous work.
  ///
  /// Use the time, for example, to compute the age of a result that ``TaskContext/time`` or
  /// ``RequestContext/time`` dates.
  public var time: Duration { _proxy.context.time }
}

extension Plugin {
  /// Returns a plug-in that configures the work of a store's actions.
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer,
  ///   plugins: [
  ///     .asyncWork(policies: [.of(Search.self, .latest)], onError: { error, _ in report(error) })
  ///   ],
  ///   state: AppState())
  /// ```
  ///
  /// Without this plug-in, work uses the continuous clock and the policies of the actions, and
  /// an error is dispatched as a ``WorkFailed``. If a store has several plug-ins that configure
  /// work, the store uses the settings of the first plug-in.
  ///
  /// - Parameters:
  ///   - clock: The clock for debouncing, throttling, the delay before a retry, and time limits.
  ///   - policies: Policies for action types. These policies override the policies that the
  ///     actions specify. If two policies are for the same type, the store uses the later policy.
  ///   - chance: A closure that returns random numbers from 0 to 1, for the jitter of
  ///     ``Backoff``. The default closure returns 0 in a test that explores orders, so that the
  ///     test repeats itself.
  ///   - onError: A closure that receives an error and the action whose work threw the error. The
  ///     closure is called on the thread on which the work ended. Errors that are thrown after
  ///     the work was canceled are not reported.
  public static func asyncWork(
    clock: any Clock<Duration> = ContinuousClock(), policies: [WorkPolicyRule] = [],
    chance: @escaping @Sendable () -> Double = Backoff.chance,
    onError: (@Sendable (_ error: any Error, _ action: any Action) -> Void)? = nil
  ) -> Plugin {
    var plugin = Plugin(onStoreStart: { context in
      _ = context.attachment(WorkSettings.self) {
        context.scope.use(Timeline(clock))
        return WorkSettings(policies: policies, chance: chance, onError: onError)
      }
    })
    plugin.configuresStore = true
    return plugin
  }
}
