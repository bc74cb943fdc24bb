public import FluxCore
public import Foundation
import Synchronization

/// Notes of the actions that a ``History`` records, beside the actions: when, how long, and from where.
///
/// ```swift
/// History<Drawing>(noting: .times)
/// History<Drawing>(noting: HistoryNoting(origin: { _ in Task.name }))
/// ```
///
/// A history notes nothing unless it is given one, and then costs nothing for it. The closures run inside the
/// store's serial order, and follow a reducer's rules: quick, and away from the store. The time comes from
/// outside, so what is noted is no part of the state, of what is replayed, and of what is exported.
public final class HistoryNoting: Sendable {
  private let isSwitchedOn: Atomic<Bool>
  private let origin: (@Sendable (_ action: any Action) -> (any Sendable)?)?
  private let date: @Sendable () -> Date
  private let timeline: Timeline

  /// Notes when each action was reduced, and how long the reducer took.
  public static var times: HistoryNoting { HistoryNoting() }

  /// Notes the time and the duration of actions, and what a closure says of where they come from.
  ///
  /// - Parameters:
  ///   - isOn: Whether it notes from the beginning on.
  ///   - origin: Says where an action comes from. It is called before the reducer, on the thread from which the
  ///     action came there: mostly the one that dispatched it.
  ///   - clock: Measures durations.
  ///   - date: Tells the time.
  public init(
    isOn: Bool = true, origin: (@Sendable (_ action: any Action) -> (any Sendable)?)? = nil,
    clock: some Clock<Duration> = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() }
  ) {
    isSwitchedOn = Atomic(isOn)
    self.origin = origin
    self.date = date
    timeline = Timeline(clock)
  }

  /// Whether actions are noted that are reduced from now on.
  ///
  /// Switched off, it costs a history a few instructions for each action. Any thread may switch it.
  public var isOn: Bool {
    get { isSwitchedOn.load(ordering: .relaxed) }
    set { isSwitchedOn.store(newValue, ordering: .relaxed) }
  }

  /// What is given to a history that notes nothing.
  static let none = HistoryNoting(isOn: false)

  /// Notes what reducing an action takes.
  @inline(never)
  func note(_ action: any Action, reduce: () -> Void) -> KeptNote {
    let (time, origin) = (date(), origin?(action))
    // The clock last: what the closures take is no part of the reducer's time.
    let start = timeline.now
    reduce()
    return KeptNote(HistoryNote(time: time, duration: timeline.now - start, origin: origin))
  }
}

/// What a history has noted of an action that it has recorded.
public struct HistoryNote: Sendable {
  /// When the action was reduced.
  public let time: Date
  /// How long the reducer took, with what plug-ins behind the history have wrapped around it.
  public let duration: Duration
  /// What ``HistoryNoting`` was told of where the action came from.
  ///
  /// A history releases it with the entry, inside the store's serial order: an object's `deinit` has to be
  /// quick, and must not touch the store. It may read the history.
  public let origin: (any Sendable)?

  /// Creates a note.
  public init(time: Date, duration: Duration, origin: (any Sendable)? = nil) {
    self.time = time
    self.duration = duration
    self.origin = origin
  }
}

/// A note in one word, so that recording an action without one takes no longer.
final class KeptNote: Sendable {
  let note: HistoryNote

  init(_ note: HistoryNote) {
    self.note = note
  }
}
