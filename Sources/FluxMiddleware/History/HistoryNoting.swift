public import FluxCore
public import Foundation
import Synchronization

/// A configuration for the notes that a ``History`` takes: the time, the duration, and the
/// origin of each recorded action.
///
/// ```swift
/// History<Drawing>(noting: .times)
/// History<Drawing>(noting: HistoryNoting(origin: { _ in Task.name }))
/// ```
///
/// A history without a configuration takes no notes. The closures of a configuration run inside
/// the store's serial order. Like a reducer, the closures must be quick and must not use the
/// store. Notes contain values that are not derived from actions, such as the time. Therefore,
/// notes are not part of the state, a replay, or an export.
public final class HistoryNoting: Sendable {
  private let isSwitchedOn: Atomic<Bool>
  private let origin: (@Sendable (_ action: any Action) -> (any Sendable)?)?
  private let date: @Sendable () -> Date
  private let timeline: Timeline

  /// A configuration for notes that contain the time at which each action was reduced and the
  /// duration of the reducer.
  public static var times: HistoryNoting { HistoryNoting() }

  /// Creates a configuration for notes that contain the time, the duration, and an origin that a
  /// closure returns.
  ///
  /// - Parameters:
  ///   - isOn: A Boolean value that indicates whether the history takes notes from the
  ///     beginning.
  ///   - origin: A closure that returns the origin of an action. The closure is called before the
  ///     reducer, on the thread that runs the reducer, which is usually the thread that dispatched
  ///     the action.
  ///   - clock: The clock that measures durations.
  ///   - date: A closure that returns the current time.
  public init(
    isOn: Bool = true, origin: (@Sendable (_ action: any Action) -> (any Sendable)?)? = nil,
    clock: some Clock<Duration> = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() }
  ) {
    isSwitchedOn = Atomic(isOn)
    self.origin = origin
    self.date = date
    timeline = Timeline(clock)
  }

  /// A Boolean value that indicates whether the history takes notes about the actions that it
  /// records.
  ///
  /// While the value is `false`, the configuration costs only a few instructions for each
  /// action. You can set the value from any thread.
  public var isOn: Bool {
    get { isSwitchedOn.load(ordering: .relaxed) }
    set { isSwitchedOn.store(newValue, ordering: .relaxed) }
  }

  /// A configuration that is switched off, for a history without notes.
  static let none = HistoryNoting(isOn: false)

  /// Reduces an action, and returns a note about the action.
  @inline(never)
  func note(_ action: any Action, reduce: () -> Void) -> KeptNote {
    let (time, origin) = (date(), origin?(action))
    // The measurement starts after the closures have returned, so that the reducer's duration does
    // not include the time of the closures.
    let start = timeline.now
    reduce()
    return KeptNote(HistoryNote(time: time, duration: timeline.now - start, origin: origin))
  }
}

/// A note that a history took about a recorded action.
public struct HistoryNote: Sendable {
  /// The time at which the action was reduced.
  public let time: Date
  /// The duration of the reducer, including the reducers of the plug-ins that follow the
  /// history.
  public let duration: Duration
  /// The origin of the action, as returned by the closure of ``HistoryNoting``.
  ///
  /// The history releases the origin together with the entry, inside the store's serial order.
  /// If the origin is an object, its `deinit` can read the history, but must be quick and must
  /// not use the store.
  public let origin: (any Sendable)?

  /// Creates a note with a time, a duration, and an origin.
  public init(time: Date, duration: Duration, origin: (any Sendable)? = nil) {
    self.time = time
    self.duration = duration
    self.origin = origin
  }
}

/// A note that is stored as a one-word reference, so that notes do not slow down the recording
/// of actions without a note.
final class KeptNote: Sendable {
  let note: HistoryNote

  init(_ note: HistoryNote) {
    self.note = note
  }
}
