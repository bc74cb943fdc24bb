public import FluxCore

/// A record of the changes of a store's state, with undo, redo, and time travel as actions.
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
/// The record has positions from 0, the base, to the number of its entries.
/// ``HistoryAction/Command`` describes the actions that move the position. The store's state is
/// always the state at the current position.
///
/// **Branches.** An action that is recorded after an undo replaces the undone entries, as in an
/// editor. An action that is recorded after a jump into the past sets the undone entries aside
/// as a ``HistoryBranch``, so that a jump can return to them. A jump counts as a jump into the
/// past until a redo or another jump reaches the last entry.
///
/// **Unrecorded actions.** A history reduces, but does not record, the actions that `records`
/// does not match, and all actions while it is paused. By default, it preserves their changes:
/// the state at a position is the base with all actions reduced in the order of their arrival,
/// except for undone and skipped entries. An undo followed by a redo restores the same state.
/// For that purpose, the history keeps unrecorded actions up to a limit
/// (``UnrecordedActionPolicy/preserved(limit:)``). It does not keep an action that leaves an
/// `Equatable` state unchanged. There is one exception: it keeps such an action if an unrecorded
/// action of the same type changed the state before, and another unrecorded action already
/// follows the newest entry. Only a reset discards the changes of unrecorded actions. With
/// ``UnrecordedActionPolicy/undoneWithEntry``, unrecorded actions are undone with the entry
/// before them.
///
/// A history cannot reduce the actions of another history again. If a store has several
/// histories, give them separate parts of the state.
///
/// **Memory.** The history keeps states as values. By copy-on-write, they share storage with
/// each other and with the store's state. When an action changes a collection in place and a
/// kept state contains the collection, the collection is copied. With `keepingEvery: n`, the
/// history keeps only every n-th state. Most actions then change collections in place without a
/// copy, and an undo reduces up to n - 1 actions again from the nearest kept state. Reducers
/// must be pure, as always. The first state, the base, and the states that cannot be recomputed
/// are always kept. When there are more than `limit` entries, the history folds the oldest ones,
/// up to a kept state, into the base. It has at most `limit + keepingEvery - 1` entries. Only an
/// import can add more, and they stay until the next action is recorded.
///
/// **Threads.** All members can be read on any thread. The record changes inside the store's
/// serial order, where the closures that the history received also run. The history releases
/// states, actions, and notes there, under the store's lock: their `deinit` must be quick and
/// must not touch the store. It can read the history.
///
/// **Cost.** In addition to the reducer, recording an action takes O(`keepingEvery`) on average,
/// independently of the limit. An undo or a jump takes O(n) for n entries that are reduced
/// again. A skip reduces the entries from the skipped one to the position again.
///
/// **Reading.** The members that read the whole record, such as ``record`` and
/// ``export(from:at:with:redacting:)``, share it with the history while they read, so that no
/// action waits for them. The first change during that time, usually by the next action, copies
/// the record: O(n) for n entries, once for each such reading. To follow a history, use
/// ``changes(since:)``, which reads only the changes and causes no copy.
///
/// **Parts.** To use a history for a part of the state, lift it to the whole state,
/// `lift(history.plugin, to: \.drawing)`. The history does not change the rest of the state. Use
/// `records` to specify which actions change the part.
///
/// A history belongs to one store. If it is given to a second store, the program stops with a
/// message. Several histories of one store need names, and should belong to parts that do not
/// overlap, because for each history an undo by another one is an unrecorded change. After
/// `replaceReducer`, the record remains, and states are recomputed by the new reducer.
public final class History<State: Sendable>: Sendable {
  /// The name by which a ``HistoryAction`` addresses this history; `nil` if its actions need no
  /// name.
  public let name: String?

  let records: ActionFilter
  let policy: UnrecordedActionPolicy
  let grouping: HistoryGrouping
  let noting: HistoryNoting
  let timeline: Locked<HistoryTimeline>
  /// A Boolean value that indicates whether states can be compared.
  let canCompare = State.self is any Equatable.Type
  private let hasStore = Locked(false)

  /// Creates a history for one store.
  ///
  /// Pass its ``plugin`` to that store.
  ///
  /// - Parameters:
  ///   - name: The name by which actions address the history. It is needed if a store has
  ///     several histories.
  ///   - limit: The minimum number of entries that the history keeps before it forgets the
  ///     oldest; numbers below 1 count as 1. The limit counts entries, not steps. If the history
  ///     forgets the first entries of a step, an undo of the step goes back as far as possible.
  ///   - stride: The distance between kept states, in entries; numbers below 1 count as 1.
  ///   - records: The actions to record. Other actions are reduced, but not recorded.
  ///   - unrecorded: The effect of an undo on unrecorded actions. By default, their changes are
  ///     preserved.
  ///   - grouping: The actions that are undone as one step.
  ///   - noting: The notes that the history takes for each recorded action. By default, it takes
  ///     none.
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
  /// When the history reduces actions again, it runs the reducers of the plug-ins after this one
  /// together with the store's reducer. The reducers of the plug-ins before this one run once
  /// for each action.
  public var plugin: Plugin<State> {
    Plugin(
      middleware: { [self] _, _ in
        if hasStore.exchange(true) { Misuse.historyOfSecondStore(name) }
        return { next in next }
      },
      wrapReducer: { [self] reducer in
        { [self] state, action in reduce(&state, action, with: reducer) }
      })
  }

  /// The entries and the position of the history at one moment.
  ///
  /// O(n) for n entries, which are read outside of any lock, as ``History`` explains at
  /// *Reading*.
  public var record: HistoryRecord {
    HistoryRecord(timeline.withLock { $0 })
  }

  /// The number of entries that are done.
  ///
  /// O(1).
  public var position: Int {
    timeline.withLock { $0.position }
  }

  /// A Boolean value that indicates whether there is a step to undo.
  ///
  /// O(1), however long the step is, and O(n) if n entries before the position are skipped.
  public var canUndo: Bool {
    timeline.withLock { $0.canUndo }
  }

  /// A Boolean value that indicates whether there is a step to redo.
  ///
  /// O(1), however long the step is, and O(n) if n entries after the position are skipped.
  public var canRedo: Bool {
    timeline.withLock { $0.canRedo }
  }

  /// Returns the state at a position, if it is kept.
  ///
  /// O(1). The state at the current position is the store's state, and usually the history does
  /// not keep it. ``History`` explains which other states are kept. A jump to a position
  /// computes a state that is not kept.
  ///
  /// - Returns: The state; `nil` if it is not kept, or if there is no such position.
  public func keptState(at position: Int) -> State? {
    timeline.withLock { $0.keptState(at: position) }?.state(of: State.self)
  }
}
