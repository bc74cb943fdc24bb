/// The rules for the successive pieces of work of one key, which determine when each piece is
/// started and canceled.
///
/// At most one piece of work runs at a time. If the key changes, the running work is canceled, and
/// the next work begins when no thread is dispatching an action of the canceled work anymore. If
/// the key changes again before that, the waiting work never begins.
///
/// The rules are a pure value without locks, tasks, or closures. Each method represents an event,
/// and returns what the caller does after it has released its lock. Therefore, a test can explore
/// every interleaving of threads without running any threads.
package struct KeptWorkRules<Work> {
  /// The instruction for the caller after a change of the key.
  package enum Step {
    case nothing
    /// Start the work.
    case start(Work)
    /// Cancel the work, and then call ``KeptWorkRules/dispatchesEnded()`` once when no thread is
    /// dispatching an action of the work.
    case cancel(Work)
  }

  package enum Phase {
    /// No work runs, and no canceled work is dispatching.
    case idle
    /// The work was started, and may have returned.
    case running(Work)
    /// The first work was canceled, but can still be dispatching. The next work waits.
    case ending(Work, next: Work?)
  }

  package internal(set) var phase = Phase.idle

  package init() {}

  /// A Boolean value that indicates whether no work runs and no canceled work is dispatching.
  package var isIdle: Bool {
    switch phase {
    case .idle: true
    case .running, .ending: false
    }
  }

  /// Records that a commit has changed the key.
  ///
  /// - Parameter next: The work for the new key, or `nil` if there is no key.
  package mutating func keyChanged(to next: Work?) -> Step {
    switch phase {
    case .idle:
      guard let next else { return .nothing }
      phase = .running(next)
      return .start(next)
    case .running(let work):
      phase = .ending(work, next: next)
      return .cancel(work)
    case .ending(let work, _):
      phase = .ending(work, next: next)
      return .nothing
    }
  }

  /// Records that no thread is dispatching an action of the canceled work.
  ///
  /// - Returns: The work to start, or `nil` if there is no key.
  package mutating func dispatchesEnded() -> Work? {
    switch phase {
    case .ending(_, let next?):
      phase = .running(next)
      return next
    case .ending(_, nil):
      phase = .idle
      return nil
    case .idle, .running:
      return nil
    }
  }
}

extension KeptWorkRules: Sendable where Work: Sendable {}
extension KeptWorkRules.Phase: Sendable where Work: Sendable {}
extension KeptWorkRules.Step: Sendable where Work: Sendable {}
extension KeptWorkRules: Equatable where Work: Equatable {}
extension KeptWorkRules.Phase: Equatable where Work: Equatable {}
extension KeptWorkRules.Step: Equatable where Work: Equatable {}
extension KeptWorkRules: Hashable where Work: Hashable {}
extension KeptWorkRules.Phase: Hashable where Work: Hashable {}
extension KeptWorkRules.Step: Hashable where Work: Hashable {}
