public import FluxCore

/// An action that a ``History`` reduces: undo, redo, a jump, and the like.
///
/// ```swift
/// store.dispatch(HistoryAction.undo)
/// store.dispatch(HistoryAction.jump(to: entry.id))
/// store.dispatch(HistoryAction.undo.in("drawing"))
/// ```
///
/// It is reduced in order like every other action, so what other threads dispatch meanwhile comes before or
/// after it and is not lost. The history of its name reduces it, and no reducer behind that sees it, save
/// that of the rest of the state when the history is one of a part; without a history of that name it goes
/// to the store's reducer, which will not know it. An action that cannot be carried out, such as an undo
/// when there is nothing to undo, changes nothing.
///
/// Effects are not repeated and not taken back: a history calls reducers only.
public struct HistoryAction: Action, Equatable {
  /// What a history is asked to do.
  public enum Command: Equatable, Sendable {
    /// Goes back before the step that was done last.
    ///
    /// A step is one action, or several that ``HistoryGrouping`` holds together. Steps that change nothing,
    /// because all of their actions are skipped, are passed over. In the middle of a step it goes to the
    /// step's beginning.
    case undo
    /// Goes forward over the step that was undone last.
    ///
    /// Steps that change nothing are passed over. In the middle of a step it goes to the step's end.
    case redo
    /// Goes to a position: 0 is the state before the first entry, ``HistoryRecord/count`` that after the
    /// last.
    ///
    /// An action that is recorded after a jump into the past sets the undone entries aside as a
    /// ``HistoryBranch``. Beyond that range it changes nothing. Positions shift when old entries are folded into the base; while
    /// other threads dispatch, ``jumpToEntry(_:)`` says what is meant.
    case jump(to: Int)
    /// Goes to the position behind an entry.
    ///
    /// If the entry belongs to a ``HistoryBranch``, the branch becomes current again, and the entries in its
    /// place are set aside. If there is no such entry, it changes nothing.
    case jumpToEntry(HistoryEntry.ID)
    /// Leaves an entry's action out: the states after it are recomputed without it.
    ///
    /// They are recomputed as far as the next state that cannot be recomputed: see
    /// ``HistoryEntry/isAmended``. Entries of a branch cannot be skipped until the branch is current.
    case skip(HistoryEntry.ID)
    /// Puts an entry's action back that was left out.
    case unskip(HistoryEntry.ID)
    /// Makes the current state the base, and forgets all entries, including undone ones and branches.
    case commit
    /// Returns to the base, and forgets all entries and branches.
    ///
    /// The base is the state at the last commit, or the one that the store began with; once the limit has
    /// made the history forget old entries, that before the oldest one. What unrecorded actions have changed
    /// since is preserved, unless the history has ``UnrecordedActionPolicy/undoneWithEntry``.
    case rollback
    /// Returns to the state that the store began with, and forgets all entries and branches.
    ///
    /// That is the state before the first action that the history received. What unrecorded actions have
    /// changed since is discarded, whatever the ``UnrecordedActionPolicy``.
    case reset
    /// Stops recording: actions are reduced according to the ``UnrecordedActionPolicy`` of the history.
    case pause
    /// Records again.
    case resume
    /// Lets no other action than a history's change the state.
    ///
    /// The actions that come are counted in ``HistoryRecord/refused``. The work of such an action still starts:
    /// the store does not know that the history refused the action.
    case lock
    /// Lets actions change the state again.
    case unlock
  }

  /// What the history is asked to do.
  public let command: Command
  /// The name of the history that is asked; `nil` is that of a history without a name.
  public let history: String?

  /// Creates an action for the history of a name.
  public init(_ command: Command, in history: String? = nil) {
    self.command = command
    self.history = history
  }

  /// The same for the history of a name.
  public func `in`(_ history: String?) -> HistoryAction {
    HistoryAction(command, in: history)
  }

  /// The same for a history, or for another one of the same name.
  public func `in`<State>(_ history: History<State>) -> HistoryAction {
    HistoryAction(command, in: history.name)
  }
}

extension HistoryAction {
  /// Goes back before the step that was done last: ``Command/undo``.
  public static let undo = HistoryAction(.undo)
  /// Goes forward over the step that was undone last: ``Command/redo``.
  public static let redo = HistoryAction(.redo)
  /// Makes the current state the base, and forgets all entries: ``Command/commit``.
  public static let commit = HistoryAction(.commit)
  /// Returns to the base, and forgets all entries: ``Command/rollback``.
  public static let rollback = HistoryAction(.rollback)
  /// Returns to the state that the store began with, and forgets all entries: ``Command/reset``.
  public static let reset = HistoryAction(.reset)
  /// Stops recording: ``Command/pause``.
  public static let pause = HistoryAction(.pause)
  /// Records again: ``Command/resume``.
  public static let resume = HistoryAction(.resume)
  /// Lets no other action change the state: ``Command/lock``.
  public static let lock = HistoryAction(.lock)
  /// Lets actions change the state again: ``Command/unlock``.
  public static let unlock = HistoryAction(.unlock)

  /// Goes to a position: ``Command/jump(to:)``.
  public static func jump(to position: Int) -> HistoryAction { HistoryAction(.jump(to: position)) }
  /// Goes to the state that an entry leads to: ``Command/jumpToEntry(_:)``.
  public static func jump(to entry: HistoryEntry.ID) -> HistoryAction { HistoryAction(.jumpToEntry(entry)) }
  /// Leaves an entry's action out: ``Command/skip(_:)``.
  public static func skip(_ entry: HistoryEntry.ID) -> HistoryAction { HistoryAction(.skip(entry)) }
  /// Puts an entry's action back: ``Command/unskip(_:)``.
  public static func unskip(_ entry: HistoryEntry.ID) -> HistoryAction { HistoryAction(.unskip(entry)) }
}

extension HistoryAction: CustomStringConvertible {
  /// The command, and the history's name if it has one: `undo in drawing`.
  public var description: String {
    "History: \(command)" + (history.map { " in \($0)" } ?? "")
  }
}
