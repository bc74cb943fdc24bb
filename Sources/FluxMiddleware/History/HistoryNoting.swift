public import FluxCore
public import Foundation
import Synchronization

/// A configuration of the notes that a ``History`` takes: the time, the duration, and the origin
/// of each action.
///
/// ```swift
/// History<Drawing>(noting: .times)
/// History<Drawing>(noting: HistoryNoting(origin: { _ in Task.name }))
/// ```
///
/// Without a configuration, a history takes no notes, at no cost. The closures run inside the
/// store's serial order, and follow a reducer's rules: they must be quick and must not touch the
/// store. The times come from outside the store, so notes are not part of the state, of a
/// replay, or of an export.
public final class HistoryNoting: Sendable {
  private let isSwitchedOn: Atomic<Bool>
  private let origin: (@Sendable (_ action: any Action) -> (any Sendable)?)?
  private let date: @Sendable () -> Date
  private let timeline: Timeline

  /// A configuration for notes with the time at which each action was reduced, and the reducer's
  /// duration.
  public static var times: HistoryNoting { HistoryNoting() }

  /// Creates a configuration for notes with the time, the duration, and an origin that a closure
  /// returns.
  ///
  /// - Parameters:
  ///   - isOn: A Boolean value that indicates whether the history takes notes from the
  ///     beginning.
  ///   - origin: A closure that returns the origin of an action. It is called before the
  ///     reducer, on the thread on which the action arrives at the reducer, usually the thread
  ///     that dispatched the action.
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

  /// A Boolean value that indicates whether the history takes notes about actions that are
  /// reduced from now on.
  ///
  /// While the value is `false`, it costs a history a few instructions for each action. Any
  /// thread can set it.
  public var isOn: Bool {
    get { isSwitchedOn.load(ordering: .relaxed) }
    set { isSwitchedOn.store(newValue, ordering: .relaxed) }
  }

  /// A configuration that is switched off, for a history without notes.
  static let none = HistoryNoting(isOn: false)

  /// Reduces an action, and returns a note about it.
  @inline(never)
  func note(_ action: any Action, reduce: () -> Void) -> KeptNote {
    let (time, origin) = (date(), origin?(action))
    // The clock starts last, so that the time of the closures is not part of the reducer's time.
    let start = timeline.now
    reduce()
    return KeptNote(HistoryNote(time: time, duration: timeline.now - start, origin: origin))
  }
}

/// A note that a history took about a recorded action.
public struct HistoryNote: Sendable {
  /// The time at which the action was reduced.
  public let time: Date
  /// The duration of the reducer, including the wrappers of the plug-ins after the history.
  public let duration: Duration
  /// The origin of the action, as the closure of ``HistoryNoting`` returned it.
  ///
  /// The history releases the origin with the entry, inside the store's serial order. The
  /// `deinit` of an object must be quick, and must not touch the store. It can read the history.
  public let origin: (any Sendable)?

  /// Creates a note.
  public init(time: Date, duration: Duration, origin: (any Sendable)? = nil) {
    self.time = time
    self.duration = duration
    self.origin = origin
  }
}

/// A note as a reference of one word, so that recording an action without a note takes no
/// longer.
final class KeptNote: Sendable {
  let note: HistoryNote

  init(_ note: HistoryNote) {
    self.note = note
  }
}
