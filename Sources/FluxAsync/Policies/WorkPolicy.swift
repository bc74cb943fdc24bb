public import FluxCore

/// A rule for an action's work if there is other work of the same kind, if the work takes long,
/// and if it fails.
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
/// An action specifies a policy (``WorkAction/policy``, ``ActionPlan/policy(_:)``). The store
/// can specify a policy, too (``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``),
/// which overrides the policy of the action. A policy applies only to the work. The action
/// itself is reduced immediately, regardless of the policy. To delay actions, use a middleware
/// such as `debounceActions`.
///
/// By default, work is of one kind if its actions are of one type. ``keyed(by:)`` divides one
/// type into several kinds, and ``shared(by:)`` combines several types into one kind. Work can
/// dispatch an action whose work is of the same kind. The new work then belongs to the parent
/// of the first work, and not to the first work, which the new work may cancel or wait for.
///
/// The names and their meanings are those of Redux-Saga's effects (`takeEvery`, `takeLatest`,
/// `takeLeading`).
public struct WorkPolicy: Sendable {
  package enum Overlap: Sendable {
    case every, latest, leading, queue
  }

  package enum Pace: Sendable {
    case atOnce
    case debounced(Duration)
    case throttled(Duration, latest: Bool)
  }

  package var overlap: Overlap
  package var pace = Pace.atOnce
  var key: WorkKey?
  var retry: Retry?
  var timeout: Duration?

  /// A Boolean value that indicates whether an attempt can end before the work ends.
  var mayEndTries: Bool { retry != nil || timeout != nil }

  private init(_ overlap: Overlap) {
    self.overlap = overlap
  }

  // MARK: Other work

  /// All work runs, at the same time as other work.
  public static let every = WorkPolicy(.every)

  /// The newest work runs, and cancels the work that is running.
  ///
  /// Canceled work dispatches nothing more. An action that it is just dispatching is reduced
  /// before the newest work begins. An older result therefore never overwrites a newer result.
  public static let latest = WorkPolicy(.latest)

  /// The first work runs, and work that arrives while it runs is dropped.
  ///
  /// An ``AsyncRequest`` runs until its outcome is known. A request that arrives after that
  /// runs, and is pending after the first request is fulfilled or rejected. Other work runs
  /// until everything that it has started has ended.
  public static let leading = WorkPolicy(.leading)

  /// Pieces of work run one after another, in the order of arrival.
  public static let queue = WorkPolicy(.queue)

  // MARK: The kind of the work

  /// Returns the policy with a key that divides the work of one type of action into several
  /// kinds, for example one for each search field or row.
  ///
  /// ``CancelWork/init(of:id:because:)`` cancels work by this key.
  public func keyed(by id: some Hashable & Sendable) -> WorkPolicy {
    with { $0.key = WorkKey(id) }
  }

  /// Returns the policy with a key that all work with the same key shares, for any type of
  /// action.
  ///
  /// ``CancelWork/init(id:because:)`` cancels work by this key.
  public func shared(by id: some Hashable & Sendable) -> WorkPolicy {
    with { $0.key = WorkKey(id, isShared: true) }
  }

  // MARK: The beginning of the work

  /// Returns the policy for work that begins after a time in which no more work arrives.
  ///
  /// Newer work replaces work that waits. This method overrides ``throttled(every:latest:)``.
  public func debounced(for quiet: Duration) -> WorkPolicy {
    with { $0.pace = .debounced(quiet) }
  }

  /// Returns the policy for work that begins immediately, and then at most once in each
  /// interval.
  ///
  /// This method overrides ``debounced(for:)``.
  ///
  /// - Parameters:
  ///   - interval: The time between two beginnings.
  ///   - latest: A Boolean value that indicates whether the newest work that arrives too early
  ///     begins at the end of the interval. If `false`, all such work is dropped.
  public func throttled(every interval: Duration, latest: Bool = true) -> WorkPolicy {
    with { $0.pace = .throttled(interval, latest: latest) }
  }

  // MARK: Failures and time limits

  /// Returns the policy for work that is retried when it throws.
  public func retrying(_ retry: Retry) -> WorkPolicy {
    with { $0.retry = retry }
  }

  /// Returns the policy for work with a time limit for each attempt.
  ///
  /// When the time is over, the attempt is canceled, and fails immediately with
  /// ``WorkError/Code/timedOut``, even if it does not respond to the cancellation. Actions that
  /// the attempt dispatches later are dropped.
  public func timingOut(after timeout: Duration) -> WorkPolicy {
    with { $0.timeout = timeout }
  }

  private func with(_ change: (inout WorkPolicy) -> Void) -> WorkPolicy {
    var copy = self
    change(&copy)
    return copy
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
  /// The default policy: all work runs.
  public var policy: WorkPolicy { .every }
}

/// A policy for the work of a type of action, for
/// ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``.
public struct WorkPolicyRule: Sendable {
  let type: any WorkAction.Type
  let policy: Policy

  struct Policy: Sendable {
    let of: @Sendable (any Action) -> WorkPolicy
  }

  /// Returns a rule that gives the work of exactly one type of action a policy.
  public static func of<Carrier: WorkAction>(_ type: Carrier.Type, _ policy: WorkPolicy) -> WorkPolicyRule {
    WorkPolicyRule(type: type, policy: Policy { _ in policy })
  }

  /// Returns a rule that gives the work of exactly one type of action a policy that depends on
  /// the action, for example on its identity.
  public static func of<Carrier: WorkAction>(
    _ type: Carrier.Type, _ policy: @escaping @Sendable (Carrier) -> WorkPolicy
  ) -> WorkPolicyRule {
    WorkPolicyRule(type: type, policy: Policy { action in policy(action.knownToBe(type)) })
  }
}
