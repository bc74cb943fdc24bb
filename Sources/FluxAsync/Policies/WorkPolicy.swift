public import FluxCore

/// What becomes of an action's work when there is other work of its kind, when it takes long, and when it fails.
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
/// A policy is named on the action (``WorkAction/policy``, ``ActionPlan/policy(_:)``), or where the store is made
/// (``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``), which has the last word. It concerns the work alone:
/// the action itself goes on to the reducer at once, whatever the policy says. To hold actions back is for a middleware,
/// such as `debounceActions`.
///
/// Work is of one kind when its actions are of one type, unless ``keyed(by:)`` tells kinds apart, or ``shared(by:)`` makes one
/// of several types. Work that an action of one kind starts by dispatching another of that kind belongs to what the first
/// belongs to, and not to the first, which may be cancelled for it, or be waited for.
///
/// The names are those of Redux-Saga's effects (`takeEvery`, `takeLatest`, `takeLeading`), and what they do is the same.
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

  /// Whether a try may be over before its work is.
  var mayEndTries: Bool { retry != nil || timeout != nil }

  private init(_ overlap: Overlap) {
    self.overlap = overlap
  }

  // MARK: What runs beside it

  /// All work runs, however much there is.
  public static let every = WorkPolicy(.every)

  /// The newest work runs: it cancels what is running.
  ///
  /// The work that is cancelled dispatches nothing any more, and what it is just dispatching is reduced before the
  /// newest begins: an older result never overwrites a newer one.
  public static let latest = WorkPolicy(.latest)

  /// The first work runs; what comes while it runs is dropped.
  ///
  /// An ``AsyncRequest`` runs until its answer is known: one that comes then runs, and is pending after the first is
  /// fulfilled or rejected. Other work runs until all that it has started has ended.
  public static let leading = WorkPolicy(.leading)

  /// Work runs one after another, in the order in which it came.
  public static let queue = WorkPolicy(.queue)

  // MARK: What it is

  /// The same policy for work of which there are several kinds in one type of action: one for each search box, or row.
  ///
  /// ``CancelWork/init(of:id:because:)`` cancels by it.
  public func keyed(by id: some Hashable & Sendable) -> WorkPolicy {
    with { $0.key = WorkKey(id) }
  }

  /// The same policy for work of one kind with all work that shares the id, whatever the type of its action.
  ///
  /// ``CancelWork/init(id:because:)`` cancels by it.
  public func shared(by id: some Hashable & Sendable) -> WorkPolicy {
    with { $0.key = WorkKey(id, isShared: true) }
  }

  // MARK: When it begins

  /// The same policy for work that begins when no more has come for a time; what comes earlier is dropped for what comes
  /// later.
  ///
  /// It takes the place of ``throttled(every:latest:)``.
  public func debounced(for quiet: Duration) -> WorkPolicy {
    with { $0.pace = .debounced(quiet) }
  }

  /// The same policy for work of which some begins at once, and then at most one in each interval.
  ///
  /// It takes the place of ``debounced(for:)``.
  ///
  /// - Parameters:
  ///   - interval: The time between two beginnings.
  ///   - latest: Whether the newest of what comes too early begins when the interval is over; else all of it is dropped.
  public func throttled(every interval: Duration, latest: Bool = true) -> WorkPolicy {
    with { $0.pace = .throttled(interval, latest: latest) }
  }

  // MARK: When it fails, or takes long

  /// The same policy for work that is tried again when it throws.
  public func retrying(_ retry: Retry) -> WorkPolicy {
    with { $0.retry = retry }
  }

  /// The same policy for work of which each try is cancelled after a time, and fails with ``WorkError/Code/timedOut``.
  ///
  /// It fails then, even if it does not heed the cancellation; what such a try dispatches later goes nowhere.
  public func timingOut(after timeout: Duration) -> WorkPolicy {
    with { $0.timeout = timeout }
  }

  private func with(_ change: (inout WorkPolicy) -> Void) -> WorkPolicy {
    var copy = self
    change(&copy)
    return copy
  }
}

/// An action whose work has a policy: a ``TaskAction``, an ``AsyncRequest``, or an ``ActionPlan``.
public protocol WorkAction: Action {
  /// What becomes of the work beside other work, when it takes long, and when it fails.
  var policy: WorkPolicy { get }
}

extension WorkAction {
  /// All work runs.
  public var policy: WorkPolicy { .every }
}

/// Which policy the work of a type of action has, for ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``.
public struct WorkPolicyRule: Sendable {
  let type: any WorkAction.Type
  let policy: Policy

  struct Policy: Sendable {
    let of: @Sendable (any Action) -> WorkPolicy
  }

  /// The work of this type of action, exactly, has a policy.
  public static func of<Carrier: WorkAction>(_ type: Carrier.Type, _ policy: WorkPolicy) -> WorkPolicyRule {
    WorkPolicyRule(type: type, policy: Policy { _ in policy })
  }

  /// The work of this type of action, exactly, has a policy that depends on the action: most often its id.
  public static func of<Carrier: WorkAction>(
    _ type: Carrier.Type, _ policy: @escaping @Sendable (Carrier) -> WorkPolicy
  ) -> WorkPolicyRule {
    WorkPolicyRule(type: type, policy: Policy { action in policy(action.knownToBe(type)) })
  }
}
