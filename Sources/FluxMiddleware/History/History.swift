public import FluxCore

/// An object that records the changes to a store's state, and that provides undo, redo, and
/// time travel as actions.
///
/// ```swift
/// let history = History<Drawing>(limit: 200, grouping: .byType(MoveBrush.self))
/// let store = Store(reducer: drawingReducer, plugins: [history.plugin], state: Drawing())
///
/// store.dispatch(AddShape(.circle))
/// store.dispatch(HistoryAction.undo)
/// undoButton.isEnabled = history.record.canUndo
/// ```
///
/// The positions of the record range from 0, which is the base, to the number of entries.
/// ``HistoryAction/Command`` describes the actions that move the position. The store's state is
/// always the state at the current position.
///
/// **Branches.** When an action is recorded after an undo, it replaces the undone entries, as in
/// an editor. When an action is recorded after a jump into the past, the history sets the undone
/// entries aside as a ``HistoryBranch``, so that a jump can return to them. The effect of a jump
/// into the past ends when a redo or another jump reaches the last entry.
///
/// **Unrecorded actions.** A history reduces an action without recording it if `records` does not
/// match the action, or if the history is paused. By default, an undo preserves the changes that
/// unrecorded actions made. The state at a position is the result of reducing all actions since
/// the base in the order in which they arrived, except for undone and skipped entries. An undo
/// followed by a redo restores the same state. To compute these states, the history keeps
/// unrecorded actions up to a limit (``UnrecordedActionPolicy/preserved(limit:)``). The history
/// usually does not keep an unrecorded action that leaves an `Equatable` state unchanged. If
/// another unrecorded action already follows the newest entry, the history keeps every unrecorded
/// action whose type is known to change the state, and does not compare the states. Only a reset
/// discards the changes that unrecorded actions made. If the policy is
/// ``UnrecordedActionPolicy/undoneWithEntry``, unrecorded actions are instead undone together with
/// the entry before them.
///
/// A history cannot replay the actions that another history recorded. If a store has several
/// histories, use each history for a separate part of the state.
///
/// **Memory.** The history keeps states as values. Through copy-on-write, the kept states share
/// storage with each other and with the store's state. When an action changes a collection in
/// place while a kept state contains that collection, the collection is copied. With
/// `keepingEvery: n`, the history keeps only every n-th state. Most actions then change
/// collections in place without a copy, and an undo starts with the nearest kept state and reduces
/// up to n - 1 actions again. Reducers must therefore be pure. The first state, the base, and the
/// states that cannot be recomputed are always kept. When there are more than `limit` entries, the
/// history folds the oldest entries, up to an entry after which the state is kept, into the base.
/// The history has at most `limit + keepingEvery - 1` entries. After an import, the history can
/// have more entries until it records the next action.
///
/// **Threads.** You can read all properties and call all methods on any thread. The record
/// changes inside the store's serial order, and the closures that you pass to the history also
/// run inside that order. The history releases states, actions, and notes under the store's
/// lock. The `deinit` of an object in a released value can read the history, but must be quick
/// and must not use the store.
///
/// **Cost.** Recording an action takes O(`keepingEvery`) time on average in addition to the time
/// of the reducer, regardless of the limit. An undo or a jump takes O(n) time if it reduces n
/// entries again. If an entry is skipped, the later entries, up to the current position, are
/// reduced again.
///
/// **Reading.** The members that read the whole record, such as ``record`` and
/// ``export(from:at:with:redacting:)``, share the record with the history while they read it,
/// so that no action has to wait. The first action that changes the record while a member reads
/// it copies the record. The copy takes O(n) time for n entries, and is made at most once for
/// each call of a member. To keep track of a history, use ``changes(since:)``, which usually
/// reads only the changes and causes no copy.
///
/// **Parts.** To use a history for a part of the state, lift its plug-in to the whole state with
/// `lift(history.plugin, to: \.drawing)`. The history does not change the rest of the state. Use
/// `records` to specify which actions change the part.
///
/// Use a history in only one store. If you use a history in a second store, the program stops
/// with a message. If a store has several histories, give each of them a name, and use them for
/// parts of the state that do not overlap. In overlapping parts, a history treats an undo by
/// another history as an unrecorded change. After `replaceReducer`, the record remains, and the
/// new reducer recomputes states.
public final class History<State: Sendable>: Sendable {
  /// The name by which a ``HistoryAction`` addresses this history, or `nil` if the history has
  /// no name.
  public let name: String?

  let records: ActionFilter
  let policy: UnrecordedActionPolicy
  let grouping: HistoryGrouping
  let noting: HistoryNoting
  let timeline: Locked<HistoryTimeline>
  /// A Boolean value that indicates whether states can be compared.
  let canCompare = State.self is any Equatable.Type
  /// The objects that attach features in the reducers that follow the history.
  let features = Locked<[FeatureRuns]>([])
  private let hasStore = Locked(false)

  /// Creates a history for one store.
  ///
  /// Pass the ``plugin`` of the history to that store.
  ///
  /// - Parameters:
  ///   - name: The name by which actions address the history. A name is required if a store has
  ///     several histories.
  ///   - limit: The minimum number of entries that remain when the history discards its oldest
  ///     entries. Numbers below 1 count as 1. The limit counts entries, not steps. If the history
  ///     discards the first entries of a step, undoing the step returns to the base.
  ///   - stride: The distance between kept states, in entries. Numbers below 1 count as 1.
  ///   - records: The actions to record. Other actions are reduced, but not recorded.
  ///   - unrecorded: The effect of an undo on unrecorded actions. By default, an undo preserves
  ///     the changes that unrecorded actions made.
  ///   - grouping: The rule that determines which actions are undone as one step.
  ///   - noting: The notes that the history takes for each recorded action. By default, the
  ///     history takes no notes.
  public init(
    named name: String? = nil, limit: Int = 100, keepingEvery stride: Int = 1,
    records: ActionFilter = .all, unrecorded: UnrecordedActionPolicy = .preserved,
    grouping: HistoryGrouping = .none, noting: HistoryNoting? = nil
  ) {
    self.name = name
    self.records = records
    policy = unrecorded
    self.grouping = grouping
    self.noting = noting ?? .none
    timeline = Locked(HistoryTimeline(limit: limit, stride: stride, policy: unrecorded))
  }

  /// The plug-in that connects this history to its store.
  ///
  /// When the history reduces actions again, it runs the store's reducer with the reducers of
  /// the plug-ins that follow the history. The reducers of the plug-ins that precede the
  /// history run only once for each action.
  public var plugin: Plugin<State> {
    Plugin(
      middleware: { [self] _, _ in
        if hasStore.exchange(true) { Misuse.historyOfSecondStore(name) }
        Timeline.keepsHistory()
        return { next in next }
      },
      wrapReducer: { [self] reducer in
        { [self] state, action in reduce(&state, action, with: reducer) }
      })
  }

  /// The entries and the position of the history at one point in time.
  ///
  /// Reading n entries takes O(n) time, outside of any lock, as ``History`` explains under
  /// *Reading*.
  public var record: HistoryRecord {
    HistoryRecord(timeline.withLock { $0 })
  }

  /// The number of entries that are done.
  ///
  /// The property takes O(1) time.
  public var position: Int {
    timeline.withLock { $0.position }
  }

  /// A Boolean value that indicates whether there is a step to undo.
  ///
  /// The property takes O(1) time for a step of any length, or O(n) time if the last n entries
  /// before the position are skipped.
  public var canUndo: Bool {
    timeline.withLock { $0.canUndo }
  }

  /// A Boolean value that indicates whether there is a step to redo.
  ///
  /// The property takes O(1) time for a step of any length, or O(n) time if the first n entries
  /// after the position are skipped.
  public var canRedo: Bool {
    timeline.withLock { $0.canRedo }
  }

  /// Returns the state at a position, if it is kept.
  ///
  /// The method takes O(1) time. The state at the current position is the store's state, which
  /// the history usually does not keep. ``History`` explains which other states are kept. If
  /// the state at a position is not kept, a jump to the position computes the state.
  ///
  /// - Returns: The state, or `nil` if it is not kept or if there is no such position.
  public func keptState(at position: Int) -> State? {
    timeline.withLock { $0.keptState(at: position) }?.state(of: State.self)
  }
}
