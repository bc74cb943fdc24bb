public import FluxCore

/// An action that a ``History`` reduces, such as undo, redo, or a jump.
///
/// ```swift
/// store.dispatch(HistoryAction.undo)
/// store.dispatch(HistoryAction.jump(to: entry.id))
/// store.dispatch(HistoryAction.undo.in("drawing"))
/// ```
///
/// The action is reduced in the same serial order as all other actions. Actions that other
/// threads dispatch at the same time are reduced before or after the history action, and no
/// action is lost. The history that has the name in ``history`` reduces the action, and the
/// reducers after that history do not receive the action. If the history is used for a part of
/// the state, the reducer of the rest of the state still receives the action. If no history has
/// that name, the action reaches the store's reducer, which does not handle it. An action that
/// cannot be performed, such as an undo when there is nothing to undo, changes nothing.
///
/// Effects are neither repeated nor undone, because a history calls only reducers.
public struct HistoryAction: Action, Equatable {
  /// A command to a history.
  public enum Command: Equatable, Sendable {
    /// Undoes the last step before the current position.
    ///
    /// A step is one action, or several actions that a ``HistoryGrouping`` groups. If all
    /// actions of a step are skipped, the step changes nothing, and the command ignores the
    /// step. If the position is inside a step, the command moves to the beginning of the step.
    case undo
    /// Redoes the first step after the current position.
    ///
    /// The command ignores steps that change nothing. If the position is inside a step, the
    /// command moves to the end of the step.
    case redo
    /// Moves to a position, from 0 before the first entry to ``HistoryRecord/count`` after the
    /// last entry.
    ///
    /// A jump to a negative position, or to a position after the last entry, changes nothing.
    /// When an action is recorded after a jump into the past, the history sets the undone
    /// entries aside as a ``HistoryBranch``. Positions shift when old entries are folded into
    /// the base, so use ``jumpToEntry(_:)`` if other threads can dispatch at the same time.
    case jump(to: Int)
    /// Moves to the position after an entry.
    ///
    /// If the entry belongs to a ``HistoryBranch``, the branch becomes current again, and the
    /// entries that the branch replaces are set aside. If the history has no entry with the id,
    /// the command changes nothing.
    case jumpToEntry(HistoryEntry.ID)
    /// Skips the action of an entry, and recomputes the states after the entry without that
    /// action.
    ///
    /// The command recomputes only the states before the next state that cannot be recomputed,
    /// as ``HistoryEntry/isAmended`` describes. An entry of a branch cannot be skipped until the
    /// branch is current.
    case skip(HistoryEntry.ID)
    /// Restores the skipped action of an entry.
    case unskip(HistoryEntry.ID)
    /// Makes the current state the base, and discards all entries, including undone entries and
    /// branches.
    case commit
    /// Returns to the base, and discards all entries and branches.
    ///
    /// The base is the state at the last commit, or the initial state of the store if there was
    /// no commit. If the history has discarded old entries because of its limit, the base is the
    /// state before the oldest remaining entry. A rollback preserves the changes that unrecorded
    /// actions made since the base, unless the history uses
    /// ``UnrecordedActionPolicy/undoneWithEntry``.
    case rollback
    /// Returns to the initial state of the store, and discards all entries and branches.
    ///
    /// The initial state is the state before the first action that the history received. A reset
    /// discards all changes that unrecorded actions made, regardless of the
    /// ``UnrecordedActionPolicy``.
    case reset
    /// Stops recording, so that the history's ``UnrecordedActionPolicy`` applies to subsequent
    /// actions.
    case pause
    /// Resumes recording.
    case resume
    /// Refuses all actions except history actions, so that the refused actions cannot change the
    /// state.
    ///
    /// ``HistoryStatus/refused`` counts the refused actions. The work of a refused action still
    /// starts, because the history does not notify the store of the refusal.
    case lock
    /// Unlocks the history, so that other actions can change the state again.
    case unlock
  }

  /// The command that the history performs.
  public let command: Command
  /// The name of the addressed history, or `nil` to address a history without a name.
  public let history: String?

  /// Creates an action that contains a command for the history with the given name.
  public init(_ command: Command, in history: String? = nil) {
    self.command = command
    self.history = history
  }

  /// Returns a copy of the action that addresses the history with the given name.
  public func `in`(_ history: String?) -> HistoryAction {
    HistoryAction(command, in: history)
  }

  /// Returns a copy of the action that addresses the given history.
  ///
  /// The action contains only the name of the history, so it also addresses other histories with
  /// the same name.
  public func `in`<State>(_ history: History<State>) -> HistoryAction {
    HistoryAction(command, in: history.name)
  }
}

extension HistoryAction {
  /// An action that undoes the last step before the current position: ``Command/undo``.
  public static let undo = HistoryAction(.undo)
  /// An action that redoes the first step after the current position: ``Command/redo``.
  public static let redo = HistoryAction(.redo)
  /// An action that makes the current state the base, and discards all entries:
  /// ``Command/commit``.
  public static let commit = HistoryAction(.commit)
  /// An action that returns to the base, and discards all entries: ``Command/rollback``.
  public static let rollback = HistoryAction(.rollback)
  /// An action that returns to the initial state of the store: ``Command/reset``.
  public static let reset = HistoryAction(.reset)
  /// An action that stops recording: ``Command/pause``.
  public static let pause = HistoryAction(.pause)
  /// An action that resumes recording: ``Command/resume``.
  public static let resume = HistoryAction(.resume)
  /// An action that refuses all other actions: ``Command/lock``.
  public static let lock = HistoryAction(.lock)
  /// An action that unlocks the history: ``Command/unlock``.
  public static let unlock = HistoryAction(.unlock)

  /// Returns an action that moves to a position: ``Command/jump(to:)``.
  public static func jump(to position: Int) -> HistoryAction { HistoryAction(.jump(to: position)) }
  /// Returns an action that moves to the position after an entry: ``Command/jumpToEntry(_:)``.
  public static func jump(to entry: HistoryEntry.ID) -> HistoryAction { HistoryAction(.jumpToEntry(entry)) }
  /// Returns an action that skips the action of an entry: ``Command/skip(_:)``.
  public static func skip(_ entry: HistoryEntry.ID) -> HistoryAction { HistoryAction(.skip(entry)) }
  /// Returns an action that restores a skipped action: ``Command/unskip(_:)``.
  public static func unskip(_ entry: HistoryEntry.ID) -> HistoryAction { HistoryAction(.unskip(entry)) }
}

extension HistoryAction: CustomStringConvertible {
  /// The command, and the history's name if it has one, such as `History: undo in drawing`.
  public var description: String {
    "History: \(command)" + (history.map { " in \($0)" } ?? "")
  }
}
