public import FluxCore

/// A record of what changed a store's state, with undo, redo and time travel as actions.
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
/// The record has positions from 0, the base, to the number of its entries. ``HistoryAction/Command`` says
/// what moves the position; the store's state is always that of the current one.
///
/// **Branches.** An action that is recorded after an undo replaces the undone entries, as in an editor. An
/// action that is recorded after a jump into the past sets the undone entries aside as a ``HistoryBranch``,
/// so that a jump can return to them. The position decides: redoing or jumping to the last entry ends the
/// look into the past.
///
/// **Unrecorded actions.** A history reduces, and does not record, the actions that `records` does not match,
/// and all actions while it is paused. By default it preserves what they change: the state at a position is
/// the base with all actions reduced in the order in which they came, except for the entries that are undone
/// or skipped. An undo followed by a redo restores the same state. The history keeps unrecorded actions for
/// that purpose up to a limit (``UnrecordedActionPolicy/preserved(limit:)``). It does not keep an action that
/// leaves an `Equatable` state as it was, unless an unrecorded action of the same type changed the state
/// before and another one follows the same entry. Only a reset discards what unrecorded actions changed. With
/// ``UnrecordedActionPolicy/undoneWithEntry``, unrecorded actions are undone with the entry before them.
///
/// A history cannot reduce the actions of another history again. Give several histories of one store separate
/// parts of the state.
///
/// **Memory.** States are kept as values, and share with the store's state, and with each other, all that
/// Swift's copy-on-write lets them share. The price is that a collection that a kept state holds is copied
/// when an action changes it in place. With `keepingEvery: n` only each n-th state is kept, so that most
/// actions change collections in place again, and undo reduces up to n - 1 actions once more from the nearest
/// kept state; reducers are pure, as ever. The first state, the base and the points that cannot be recomputed
/// are always kept. When there are more than `limit` entries, the oldest ones up to a kept state are folded
/// into the base: there are at most `limit + keepingEvery - 1`, more only after an import that brings more,
/// until the next action is recorded.
///
/// **Threads.** All reading may be done on any thread. The record changes inside the store's serial order,
/// where closures given to the history run too. States, actions and notes that the history forgets are
/// released there, under the store's lock: a `deinit` in one has to be quick, and must not touch the store.
/// It may read the history.
///
/// **Cost.** Recording an action takes O(`keepingEvery`) beside the reducer, on average and whatever the
/// limit. An undo or a jump takes O(n) for n entries that are reduced again, skipping one as well: those
/// from it up to the position.
///
/// **Reading.** What reads the whole record, such as ``record`` and ``export(from:at:with:redacting:)``,
/// shares it with the history for that time, so that no action waits for it. The first change meanwhile,
/// mostly by the next action, copies the record: O(n) for n entries, once for each such reading. Who follows
/// a history with ``changes(since:)`` reads the little that has changed, and has nothing copied.
///
/// **Parts.** A history of a part of the state is lifted to the whole, `lift(history.plugin, to: \.drawing)`,
/// and leaves the rest as it is. Then it is best told by `records` which actions change the part.
///
/// A history belongs to one store; to give it to a second one stops the program with a message. Several of
/// one store need names, and should be of parts that do not overlap, since what one history takes back is for
/// another one a change like any other that is not recorded. After `replaceReducer` the record goes on; states
/// are recomputed by the new reducer.
public final class History<State: Sendable>: Sendable {
  /// The name by which ``HistoryAction``s say that they are for this history; `nil` if they need none.
  public let name: String?

  let records: ActionFilter
  let policy: UnrecordedActionPolicy
  let grouping: HistoryGrouping
  let noting: HistoryNoting
  let timeline: Locked<HistoryTimeline>
  /// Whether states can be compared.
  let canCompare = State.self is any Equatable.Type
  private let hasStore = Locked(false)

  /// Creates a history, to be given to one store as its ``plugin``.
  ///
  /// - Parameters:
  ///   - name: What its actions are addressed to. One of several histories in a store needs it.
  ///   - limit: How many entries there are at least before the oldest are forgotten; numbers below 1 count
  ///     as 1. Entries and not steps are counted: of a step with more entries its beginning is forgotten, and
  ///     undo then goes back as far as it can.
  ///   - stride: Each which state is kept; numbers below 1 count as 1.
  ///   - records: Which actions are recorded. Others are reduced all the same.
  ///   - unrecorded: What an undo does to the actions that are not recorded. The default preserves them.
  ///   - grouping: Which actions are undone as one step.
  ///   - noting: What is noted of each recorded action beside it; nothing, unless said.
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

  /// What makes a store keep this history.
  ///
  /// Reducers of plug-ins behind it are recorded and repeated with the store's; those before it see each
  /// action once.
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

  /// What has been recorded, and where the history stands, at one moment.
  ///
  /// O(n) for n entries, which are read outside of any lock, as ``History`` explains at *Reading*.
  public var record: HistoryRecord {
    HistoryRecord(timeline.withLock { $0 })
  }

  /// How many entries are done.
  ///
  /// O(1).
  public var position: Int {
    timeline.withLock { $0.position }
  }

  /// Whether there is a step to be undone.
  ///
  /// O(1), however long the step is, and O(n) where n entries before the position are skipped.
  public var canUndo: Bool {
    timeline.withLock { $0.canUndo }
  }

  /// Whether there is a step to be redone.
  ///
  /// O(1), however long the step is, and O(n) where n entries behind the position are skipped.
  public var canRedo: Bool {
    timeline.withLock { $0.canRedo }
  }

  /// The state at a position, if it is kept.
  ///
  /// O(1). That at the current position is the store's, and mostly not kept here as well. Others are kept as
  /// ``History`` explains; a jump there computes them.
  ///
  /// - Returns: The state; `nil` if it is not kept, or there is no such position.
  public func keptState(at position: Int) -> State? {
    timeline.withLock { $0.keptState(at: position) }?.state(of: State.self)
  }
}

extension HistoryRecord {
  init(_ timeline: HistoryTimeline) {
    entries = timeline.entries.indices.map { timeline.entry(before: $0 + 1) }
    position = timeline.position
    canUndo = timeline.canUndo
    canRedo = timeline.canRedo
    isPaused = timeline.isPaused
    isLocked = timeline.isLocked
    refused = timeline.refused
    branches = timeline.branches
    evicted = timeline.evicted
    lastImport = timeline.lastImport
  }
}
