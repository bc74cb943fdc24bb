public import FluxCore

/// A rule that determines how an action's work runs when there is other work of the same kind,
/// when the work takes a long time, and when it fails.
///
/// ```swift
/// struct Search: TaskAction {
///   let words: String
///   var policy: WorkPolicy { .latest.debounced(for: .milliseconds(300)) }
///   …
/// }
///
/// struct LoadDetail: TaskAction {
///   let movie: Int
///   var policy: WorkPolicy {
///     .leading.keyed(by: movie).retrying(.times(3)).timingOut(after: .seconds(5))
///   }
///   …
/// }
/// ```
///
/// An action specifies a policy with ``WorkAction/policy`` or ``ActionPlan/policy(_:)``. The
/// store can also specify a policy, with
/// ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``. The policy of the store
/// overrides the policy of the action. A policy applies only to the work of an action. The
/// action itself is reduced immediately, regardless of the policy. To delay actions, use a
/// middleware such as `debounceActions`.
///
/// By default, pieces of work are of the same kind if their actions have the same type.
/// ``keyed(by:)`` divides one type into several kinds, and ``shared(by:)`` combines several types
/// into one kind. If work dispatches an action whose work is of the same kind, the new work
/// belongs to the parent of the first work. The new work cannot belong to the first work, because
/// the new work may cancel or wait for the first work.
///
/// The names of the policies and their meanings come from Redux-Saga's effects (`takeEvery`,
/// `takeLatest`, `takeLeading`).
public struct WorkPolicy: Sendable {
  package var rules: WorkRules
  package var key: WorkKey?
  /// The rules for attempts, or `nil` if there is one attempt without a time limit.
  @usableFromInline var attempts: AttemptRules?

  private init(_ overlap: WorkRules.Overlap) {
    rules = WorkRules(overlap)
  }

  // MARK: Other work

  /// A policy that runs every piece of work, concurrently with other work.
  public static let every = WorkPolicy(.every)

  /// A policy that runs the newest work, and cancels the work that is already running.
  ///
  /// Canceled work dispatches no further actions. If the work is dispatching an action when it
  /// is canceled, that action is reduced before the newest work begins. An older result
  /// therefore never overwrites a newer result.
  public static let latest = WorkPolicy(.latest)

  /// A policy that runs the first work, and drops work that arrives while the first work is
  /// running.
  ///
  /// An ``AsyncRequest`` counts as running until its outcome is known. A request that arrives
  /// after the outcome is known is not dropped, and becomes pending after the first request is
  /// fulfilled or rejected. Work other than a request counts as running until everything that it
  /// has started has ended.
  public static let leading = WorkPolicy(.leading)

  /// A policy that runs pieces of work one after another, in the order of arrival.
  public static let queue = WorkPolicy(.queue)

  // MARK: The kind of the work

  /// Returns the policy with a key that divides the work of one type of action into several
  /// kinds, for example one kind for each search field or row.
  ///
  /// ``CancelWork/init(of:id:because:)`` cancels work by this key. Two keys with the same hash are
  /// compared under a lock, so the `==` function of the key must be quick, and must not use the
  /// store.
  public func keyed(by id: some Hashable & Sendable) -> WorkPolicy {
    with { $0.key = WorkKey(id) }
  }

  /// Returns the policy with a key that combines the work of several action types into one kind.
  ///
  /// ``CancelWork/init(id:because:)`` cancels work by this key. The `==` function of the key must
  /// be quick, and must not use the store.
  public func shared(by id: some Hashable & Sendable) -> WorkPolicy {
    with { $0.key = WorkKey(id, isShared: true) }
  }

  // MARK: The beginning of the work

  /// Returns the policy with a delay, so that work begins only if no newer work arrives during
  /// the delay.
  ///
  /// Newer work replaces work that is waiting. This method overrides
  /// ``throttled(every:latest:)``.
  public func debounced(for quiet: Duration) -> WorkPolicy {
    with { $0.rules.pace = .debounced(quiet) }
  }

  /// Returns the policy with a minimum interval between the start of one piece of work and the
  /// start of the next.
  ///
  /// The first piece of work begins immediately. This method overrides ``debounced(for:)``.
  ///
  /// - Parameters:
  ///   - interval: The minimum time between the start of one piece of work and the start of the
  ///     next.
  ///   - latest: A Boolean value that indicates whether the newest work that arrives during the
  ///     interval begins at the end of the interval. If `false`, all work that arrives during
  ///     the interval is dropped.
  public func throttled(every interval: Duration, latest: Bool = true) -> WorkPolicy {
    with { $0.rules.pace = .throttled(interval, latest: latest) }
  }

  // MARK: Failures and time limits

  /// Returns the policy with a rule for retrying work that throws an error.
  public func retrying(_ retry: Retry) -> WorkPolicy {
    with { $0.attempts = AttemptRules(retry: retry, timeout: attempts?.timeout) }
  }

  /// Returns the policy with a time limit for each attempt.
  ///
  /// When the time limit is reached, the attempt is canceled and fails immediately with
  /// ``WorkError/Code/timedOut``, even if the attempt does not respond to the cancellation.
  /// Actions that the attempt dispatches later are dropped.
  public func timingOut(after timeout: Duration) -> WorkPolicy {
    with { $0.attempts = AttemptRules(retry: attempts?.retry, timeout: timeout) }
  }

  // MARK: Requests of other modules

  /// Returns the policy with its rules for attempts, for work that has at most one piece for each
  /// key.
  package func leading(by id: some Hashable & Sendable) -> WorkPolicy {
    with { policy in
      policy.rules = WorkRules(.leading)
      policy.key = WorkKey(id)
    }
  }

  /// Returns the policy with another value as a part of its key.
  ///
  /// A key that several types share does not change.
  package func keyed(alsoBy part: some Hashable & Sendable) -> WorkPolicy {
    if let key, key.isShared { return self }
    return keyed(by: PairedKey(part: part, key: key))
  }

  private func with(_ change: (inout WorkPolicy) -> Void) -> WorkPolicy {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A key that consists of two parts.
private struct PairedKey<Part: Hashable & Sendable>: Hashable, Sendable {
  let part: Part
  let key: WorkKey?
}

/// The rules for attempts that can end before their work ends.
///
/// The rules are an object, so that a policy without them occupies one word for them.
@usableFromInline
final class AttemptRules: Sendable {
  let retry: Retry?
  let timeout: Duration?

  init(retry: Retry?, timeout: Duration?) {
    self.retry = retry
    self.timeout = timeout
  }
}

/// An action whose work has a policy: a ``TaskAction``, an ``AsyncRequest``, or an
/// ``ActionPlan``.
public protocol WorkAction: Action {
  /// The policy for the work of the action.
  ///
  /// The default is ``WorkPolicy/every``.
  var policy: WorkPolicy { get }
}

extension WorkAction {
  /// The default policy, which is ``WorkPolicy/every``.
  public var policy: WorkPolicy { .every }
}

/// A rule that sets the policy for the work of one type of action.
///
/// Pass rules to ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``.
public struct WorkPolicyRule: Sendable {
  let type: any WorkAction.Type
  let policy: Policy

  struct Policy: Sendable {
    let of: @Sendable (any Action) -> WorkPolicy
  }

  /// Returns a rule with a policy for the work of exactly one type of action.
  public static func of<Carrier: WorkAction>(_ type: Carrier.Type, _ policy: WorkPolicy) -> WorkPolicyRule {
    WorkPolicyRule(type: type, policy: Policy { _ in policy })
  }

  /// Returns a rule that calls a closure to get the policy for the work of exactly one type of
  /// action.
  ///
  /// The policy can depend on the action, for example on its id.
  public static func of<Carrier: WorkAction>(
    _ type: Carrier.Type, _ policy: @escaping @Sendable (Carrier) -> WorkPolicy
  ) -> WorkPolicyRule {
    WorkPolicyRule(type: type, policy: Policy { action in policy(action.knownToBe(type)) })
  }
}
