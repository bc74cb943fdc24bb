/// Where an observer is called.
@frozen @usableFromInline
package enum DeliveryLane: Hashable, Sendable {
  /// On the thread that delivers.
  case anyThread
  /// On the main actor.
  case main
}

/// The part of ``DeliveryStateMachine`` for observers on the main actor: a mailbox that keeps the newest version.
///
/// It keeps no state, only that a version is due: a main pass takes the newest state when it begins, so nothing
/// holds a copy while it waits.
@usableFromInline
package struct MainLane: Hashable, Sendable {
  /// Whether something runs, or is going to run, on the main actor.
  @usableFromInline
  package enum Phase: Hashable, Sendable {
    case idle
    case awake
    case delivering
  }

  /// What the main actor does after a main pass.
  @usableFromInline
  package enum Outcome: Hashable, Sendable {
    /// Something newer is due: deliver again.
    case again
    /// Something newer is due, but other work on the main actor comes first: wake the lane and leave.
    case wake
    /// Leave.
    case leave
  }

  package internal(set) var observerCount = 0
  package internal(set) var phase: Phase = .idle
  package internal(set) var isDue = false
  private var passes = 0

  /// Whether a task has to be sent to the main actor; told when something has become due.
  mutating func wake(isHeldBack: Bool) -> Bool {
    guard phase == .idle && isDue && observerCount > 0 && !isHeldBack else { return false }
    phase = .awake
    return true
  }

  /// The main actor is there to deliver; returns whether a pass begins.
  mutating func passBegins(isHeldBack: Bool) -> Bool {
    guard phase != .delivering else { return false }
    guard isDue && observerCount > 0 && !isHeldBack else {
      phase = .idle
      return false
    }
    phase = .delivering
    passes = 1
    isDue = false
    return true
  }

  /// A main pass has ended.
  mutating func passEnded(isHeldBack: Bool, patience: Int) -> Outcome {
    guard isDue && observerCount > 0 && !isHeldBack else {
      phase = .idle
      return .leave
    }
    guard passes < patience else {
      phase = .awake
      return .wake
    }
    passes += 1
    isDue = false
    return .again
  }
}

extension DeliveryStateMachine {
  /// The main actor is there to deliver; returns whether a main pass begins.
  @usableFromInline
  package mutating func mainPassBegins() -> Bool {
    main.passBegins(isHeldBack: isMainHeldBack)
  }

  /// Whether something is due on the main actor, where nobody delivers now.
  @usableFromInline
  package var isMainBehind: Bool {
    main.isDue && main.observerCount > 0 && main.phase != .delivering
  }

  /// A main pass has ended.
  @usableFromInline
  package mutating func mainPassEnded() -> MainLane.Outcome {
    main.passEnded(isHeldBack: isMainHeldBack, patience: patience)
  }
}
