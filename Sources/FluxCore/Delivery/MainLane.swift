/// The thread or actor on which an observer is called.
@frozen @usableFromInline
package enum DeliveryLane: Hashable, Sendable {
  /// The delivering thread.
  case anyThread
  /// The main actor.
  case main
}

/// The part of ``DeliveryStateMachine`` that manages a mailbox for observers on the main actor.
///
/// The mailbox indicates only whether a newer version must be delivered, and contains no state.
/// Because each pass on the main actor reads the newest state when the pass begins, the store
/// does not keep a copy of the state for the pass.
@usableFromInline
package struct MainLane: Hashable, Sendable {
  /// A value that indicates whether a delivery is running or scheduled on the main actor.
  @usableFromInline
  package enum Phase: Hashable, Sendable {
    case idle
    case awake
    case delivering
  }

  /// The next step of the main actor after a pass.
  @usableFromInline
  package enum Outcome: Hashable, Sendable {
    /// Deliver again, because there is a newer version.
    case again
    /// Schedule another delivery and return, so that other work on the main actor runs before the
    /// newer version is delivered.
    case wake
    /// Return.
    case leave
  }

  package internal(set) var observerCount = 0
  package internal(set) var phase: Phase = .idle
  package internal(set) var isDue = false
  private var passes = 0

  /// Schedules a delivery on the main actor if a version must be delivered, and returns whether
  /// the caller must start a task for the delivery.
  mutating func wake(isHeldBack: Bool) -> Bool {
    guard phase == .idle && isDue && observerCount > 0 && !isHeldBack else { return false }
    phase = .awake
    return true
  }

  /// Records that the main actor is ready to deliver, and returns whether a pass begins.
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

  /// Records that a pass on the main actor has ended, and returns the next step.
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
  /// Records that the main actor is ready to deliver, and returns whether a pass on the main
  /// actor begins.
  @usableFromInline
  package mutating func mainPassBegins() -> Bool {
    main.passBegins(isHeldBack: isMainHeldBack)
  }

  /// A Boolean value that indicates whether a version must be delivered on the main actor, but no
  /// delivery is running on the main actor.
  @usableFromInline
  package var isMainBehind: Bool {
    main.isDue && main.observerCount > 0 && main.phase != .delivering
  }

  /// Records that a pass on the main actor has ended, and returns the next step.
  @usableFromInline
  package mutating func mainPassEnded() -> MainLane.Outcome {
    main.passEnded(isHeldBack: isMainHeldBack, patience: patience)
  }
}
