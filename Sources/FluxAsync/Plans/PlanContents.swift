public import FluxCore

/// The body, the name, and the policy of a plan, without the type of the state.
///
/// A plan consists of a reference to its contents, so a dispatch does not copy them. Each body
/// contains code that was created where the type of the state is statically known, so the compiler
/// specializes it for this type.
@usableFromInline
final class PlanContents: Sendable {
  @usableFromInline
  enum Body: Sendable {
    case atOnce(@Sendable (PlanContents, ActionContext, any ProxyUser) throws -> Void)
    case callback(PlanCallback.Body)
    case task(TaskBody)
  }

  /// The closure of a plan that runs in a task.
  @usableFromInline
  typealias TaskBody = @Sendable (PlanRun) async throws -> Void

  /// The type of the plan.
  private let type: any WorkAction.Type
  let policy: WorkPolicy
  /// The name that logs show, or `nil` if they show the file and the line.
  let name: String?
  private let body: Body
  /// The file and the line in which the plan was created.
  private let origin: String
  private let makePlan: @Sendable (PlanContents) -> any WorkAction
  /// The user of the proxies of a synchronous plan.
  ///
  /// A proxy that the user keeps does not retain the body of the plan.
  private let proxyUser: NamedProxyUser

  /// Creates the contents of a plan.
  ///
  /// - Parameters:
  ///   - body: The body of the plan.
  ///   - type: The type of the plan.
  ///   - origin: The file and the line in which the plan was created.
  ///   - makePlan: A closure that returns the plan with the given contents.
  init(
    _ body: Body, of type: any WorkAction.Type, from origin: String,
    makePlan: @escaping @Sendable (PlanContents) -> any WorkAction
  ) {
    self.body = body
    self.type = type
    self.origin = origin
    self.makePlan = makePlan
    policy = .every
    name = nil
    proxyUser = NamedProxyUser(ServiceUser(type, from: origin))
  }

  private init(_ other: PlanContents, policy: WorkPolicy, name: String?) {
    body = other.body
    type = other.type
    origin = other.origin
    makePlan = other.makePlan
    self.policy = policy
    self.name = name
    proxyUser = NamedProxyUser(ServiceUser(type, from: name ?? origin))
  }

  func with(policy: WorkPolicy, name: String?) -> PlanContents {
    PlanContents(self, policy: policy, name: name)
  }

  /// The plan.
  var action: any WorkAction { makePlan(self) }

  /// The name, or the file and the line in which the plan was created.
  var shownName: String { name ?? origin }

  /// The code that looks up services, for errors.
  var serviceUser: ServiceUser { ServiceUser(type, from: shownName) }

  /// Prepares the plan, and returns a closure that runs the plan.
  func start(in context: ActionContext) -> WorkStart? {
    if case .atOnce = body {
      // The closure captures one object, so it needs no heap allocation.
      return { [self] context in runAtOnce(in: context) }
    }
    return startWork(in: context)
  }

  @inline(never)
  private func startWork(in context: ActionContext) -> WorkStart? {
    switch body {
    case .atOnce: return nil
    case .callback(let body):
      let policy = context.policy(for: self)
      return start(CallbackSteps(self, body, policy.attempts), in: context, policy)
    case .task(let body):
      let policy = context.policy(for: self)
      return start(PlanSteps(self, body, policy.attempts), in: context, policy)
    }
  }

  /// Returns a proxy for code that runs the plan, or `nil` if the store was released.
  ///
  /// - Throws: An error if the state is not of the given type.
  @inlinable
  func store<State: Sendable>(
    of type: State.Type, in context: ActionContext, usedBy user: any ProxyUser
  ) throws -> StoreProxy<State>? {
    if let store = context.store(of: State.self, usedBy: user) { return store }
    try throwUnlessReleased(expecting: State.self, in: context)
    return nil
  }

  @usableFromInline
  func throwUnlessReleased(expecting type: Any.Type, in context: ActionContext) throws {
    try context.throwUnlessReleased(expecting: type, for: action)
  }

  private func runAtOnce(in context: ActionContext) {
    guard case .atOnce(let body) = body else { return }
    do {
      if let scope = EffectScope.current {
        if !scope.hasEnded { try body(self, context, PlanDispatches(serviceUser, in: scope)) }
      } else {
        try body(self, context, proxyUser)
      }
    } catch {
      context.settings.report(error, of: action, dispatch: context.dispatch)
    }
  }

  /// Prepares the work of the plan.
  ///
  /// Without a key, the identity of the work contains the place where the plan was created.
  private func start(_ steps: any WorkSteps, in context: ActionContext, _ policy: WorkPolicy) -> WorkStart? {
    let key = policy.key ?? WorkKey(origin)
    return context.start(steps, WorkID(of: type, key: key), policy.rules)
  }
}

/// The dispatches of a plan that runs as part of other work or of a dispatch that a caller awaits.
private final class PlanDispatches: ProxyUser {
  let serviceUser: ServiceUser?
  private let scope: EffectScope

  init(_ serviceUser: ServiceUser, in scope: EffectScope) {
    self.serviceUser = serviceUser
    self.scope = scope
  }

  /// Dispatches an action, unless the work or the dispatch was canceled.
  func dispatch(_ action: any Action, in context: ActionContext) {
    context.dispatch(action, in: scope)
  }
}

extension ActionContext {
  /// Returns the policy for the work of a plan: the policy that a plug-in sets, or the policy of
  /// the plan.
  fileprivate func policy(for plan: PlanContents) -> WorkPolicy {
    hasPolicies ? policy(for: plan.action) : plan.policy
  }
}

/// One run of a plan's body.
@usableFromInline
struct PlanRun: Sendable {
  @usableFromInline let plan: PlanContents
  @usableFromInline let context: ActionContext
  /// The code that dispatches: the plan, the dispatch that it belongs to, or one attempt of its
  /// work.
  @usableFromInline let proxyUser: any ProxyUser

  init(_ plan: PlanContents, in context: ActionContext, by user: any ProxyUser) {
    self.plan = plan
    self.context = context
    proxyUser = user
  }

  init(_ plan: PlanContents, _ attempt: any Attempt) {
    self.init(plan, in: attempt.context, by: attempt)
  }

  /// Returns a proxy for the plan, or `nil` if the store was released.
  ///
  /// - Throws: An error if the state is not of the given type.
  @inlinable
  func store<State: Sendable>(of type: State.Type) throws -> StoreProxy<State>? {
    try plan.store(of: State.self, in: context, usedBy: proxyUser)
  }
}
