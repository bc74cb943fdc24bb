import FluxCore
import Synchronization

/// A state machine that determines which states of a history are kept, recomputed, and discarded.
///
/// The timeline does not acquire locks or call reducers. Point 0 is the base, and point `p` is
/// the point after entry `p`. The following rules define the state of each point, regardless of
/// which states are kept:
///
/// - The state of a fixed point is the result of reducing the unrecorded actions between its
///   entry and the next entry, starting with the kept state. The base is always a fixed point.
/// - The state of any other point is computed from the state of the preceding point. The
///   computation first reduces the action of the entry, unless the entry is skipped or its
///   action is unknown. The computation then reduces the unrecorded actions between the entry
///   and the next entry.
///
/// The state of the store is the result of reducing all later unrecorded actions, starting with
/// the state of the current point. The state of the current point is not always kept. Before the
/// store moves to another point, ``leave(_:)`` receives the current state of the store.
///
/// With ``UnrecordedActionPolicy/undoneWithEntry``, the timeline does not keep an unrecorded
/// action, but makes the current point a fixed point.
///
/// The timeline is not generic and stores states as opaque objects, so that the compiler does not
/// have to specialize it. The members that are called for each action, and that only read the
/// timeline, are inlined, because calling them would otherwise copy the timeline.
struct HistoryTimeline: Sendable {
  /// Information about the state at a point.
  struct Point: Sendable {
    var state: (any KeptState)?
    /// A Boolean value that indicates whether the state cannot be recomputed.
    ///
    /// The state of a fixed point is kept, except while the point is current.
    var isFixed = false
  }

  struct Entry: Sendable {
    let id: HistoryEntry.ID
    let action: any Action
    var isSkipped = false
    let step: HistoryEntry.ID
    /// The point after the entry.
    var point = Point()

    /// A Boolean value that indicates whether the entry's action must not be reduced.
    var isLeftOut: Bool { isSkipped || action is UnknownAction }

    /// A Boolean value that indicates whether the states before and after the entry can differ.
    var hasEffect: Bool { point.isFixed || !isLeftOut }
  }

  /// A decision about whether to refuse an action, and whether to record it.
  enum Admission: Sendable {
    case refused
    case unrecorded
    case recorded
  }

  /// Values that are no longer kept.
  ///
  /// The values must be released outside the timeline's lock, because they can contain objects
  /// whose `deinit` reads the history.
  struct Forgotten: Sendable {
    var base: (any KeptState)?
    var entries: [Entry] = []
    /// The notes of the entries, if any.
    var notes: [KeptNote]?
    var unrecorded: [any Action] = []
    var states: [any KeptState] = []

    /// Adds other values that are no longer kept.
    mutating func add(_ other: Forgotten) {
      entries += other.entries
      states += other.states
      unrecorded += other.unrecorded
      if let notes = other.notes { self.notes = (self.notes ?? []) + notes }
    }
  }

  /// The steps that compute the state of a point from the state of an earlier point.
  struct Path: Sendable {
    struct Step: Sendable {
      /// The point to which the state before this step belongs, or `nil` if that state need not
      /// be kept.
      var keptPoint: Int?
      /// The action to reduce, if any.
      var action: (any Action)?
    }

    /// The state at the beginning of the path, or `nil` if the path begins with the state of the
    /// store.
    var state: (any KeptState)?
    let steps: [Step]
    /// The point to which the path leads.
    let target: Int
  }

  var limit: Int
  var stride: Int
  var policy: UnrecordedActionPolicy
  /// The initial state of the store, or `nil` before the first action.
  var first: (any KeptState)?
  var base = Point(state: nil, isFixed: true)
  var entries: HistoryEntries = []
  var position = 0
  /// The id of the entry that is recorded next.
  var nextID = 1
  /// The number of changes to the record.
  var changes = 0
  /// The values that most actions do not change.
  ///
  /// The values are stored as one reference, because each action reads the timeline, and a read
  /// can copy it.
  var aside = CopyOnWrite(Aside())
  var isStepOpen = false
  /// The unrecorded actions since the base, if the policy preserves them.
  var unrecorded = UnrecordedActions()
  /// A Boolean value that indicates whether the position is in the past because of a jump.
  var isLookingBack = false
  /// A Boolean value that indicates whether features were attached or detached in the state of the
  /// store, but not at the current point.
  ///
  /// The next action amends the current point with that change.
  var isAligned = false
  /// The value of `FeatureRuns.alignmentCount` after the last recorded action.
  var alignments = 0
  var isPaused = false { didSet { changes += 1 } }
  var isLocked = false { didSet { changes += 1 } }
  var refused = 0 { didSet { changes += 1 } }

  /// A value that identifies a timeline and is never reused, even after the timeline is
  /// released.
  struct Identity: Hashable, Sendable {
    private static let last = Atomic<UInt64>(0)
    private let number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The values of a timeline that change rarely.
  struct Aside: Sendable {
    let identity = Identity()
    var journal = HistoryJournal()
    var branches: [Branch] = [] {
      didSet { oldestFork = branches.map { $0.fork?.rawValue ?? 0 }.min() ?? .max }
    }
    /// The oldest entry that a branch follows, or 0 if a branch follows the base.
    ///
    /// Because of this value, the history usually does not have to examine the branches before old
    /// entries become part of the base.
    private(set) var oldestFork = Int.max
    /// The number of changes that can invalidate the states of entries in branches.
    var alterations = 0
    /// The number of entries that the history removed because there were too many unrecorded
    /// actions or too many entries in branches.
    var evicted = 0
    /// The types of unrecorded actions that are known to change the state.
    var changingTypes: Set<ObjectIdentifier> = []
    /// The notes of entries.
    ///
    /// The notes are stored separately, so that entries without a note are not larger.
    var notes: [HistoryEntry.ID: KeptNote] = [:]
    var lastImport: HistoryImport.Outcome?
  }

  var identity: Identity { aside.value.identity }
  var journal: HistoryJournal { aside.value.journal }
  var notes: [HistoryEntry.ID: KeptNote] { aside.value.notes }

  var lastImport: HistoryImport.Outcome? {
    get { aside.value.lastImport }
    set {
      aside.value.lastImport = newValue
      changes += 1
    }
  }

  init(limit: Int, stride: Int, policy: UnrecordedActionPolicy) {
    self.limit = max(1, limit)
    self.stride = max(1, stride)
    self.policy = policy
  }

  // MARK: Points

  /// Returns the state at a point, if it is kept.
  func keptState(at point: Int) -> (any KeptState)? {
    (0...entries.count).contains(point) ? self[point].state : nil
  }

  subscript(point: Int) -> Point {
    _read {
      if point == 0 { yield base } else { yield entries[point - 1].point }
    }
    _modify {
      if point == 0 { yield &base } else { yield &entries[point - 1].point }
    }
  }

  /// Returns the last point that is not after a given point and whose state is kept.
  ///
  /// If no state is kept at or before the given point, the result is 0. In this case, the current
  /// point is the base.
  func lastKept(upTo point: Int) -> Int {
    var point = point
    while point > 0, self[point].state == nil { point -= 1 }
    return point
  }

  /// A Boolean value that indicates whether the state of the current point cannot be recomputed.
  var isCurrentFixed: Bool { self[position].isFixed }

  /// Keeps the initial state when the first action arrives.
  mutating func begin(_ state: () -> any KeptState) {
    if first == nil { first = state() }
  }

  /// Keeps the state of the current point before the position changes, if that state must be
  /// kept and is not yet kept.
  mutating func leave(_ state: () -> any KeptState) {
    guard self[position].state == nil, hasStateOfPoint else { return }
    if self[position].isFixed || isAmended(at: position)
      || position - lastKept(upTo: position - 1) >= stride
    {
      self[position].state = state()
    }
  }

  /// Starting at a given point, removes and returns the states that can be recomputed from a
  /// preceding point.
  mutating func invalidate(from first: Int) -> [any KeptState] {
    var invalid: [any KeptState] = []
    var point = first
    while point <= entries.count, !self[point].isFixed {
      if let state = self[point].state { invalid.append(state) }
      self[point].state = nil
      point += 1
    }
    return invalid
  }

  // MARK: Actions

  /// Determines whether to refuse an action that is not a history action, and whether to record
  /// it.
  mutating func admit() -> Admission {
    if isLocked {
      refused += 1
      return .refused
    }
    return isPaused ? .unrecorded : .recorded
  }

  /// The newest recorded action, or `nil` if the next action cannot be added to the step of that
  /// action.
  @inline(__always)
  var openAction: (any Action)? {
    isStepOpen && position == entries.count ? entries.last?.action : nil
  }

  /// Records an action that was reduced at the current point.
  ///
  /// ``leaveForRecording(_:)`` must be called before the action is reduced.
  ///
  /// - Returns: The values that the history no longer keeps, if the action replaces undone
  ///   entries.
  mutating func record(_ action: any Action, joiningStep: Bool, note: KeptNote? = nil) -> Forgotten? {
    let undone = position < entries.count ? cut() : nil
    let id = HistoryEntry.ID(rawValue: nextID)
    nextID += 1
    changes += 1
    entries.append(Entry(id: id, action: action, step: joiningStep ? entries.last?.step ?? id : id))
    if let note { aside.value.notes[id] = note }
    position += 1
    isStepOpen = true
    return undone
  }

  /// Sets the undone entries aside after a jump, or discards them after an undo.
  @inline(never)
  private mutating func cut() -> Forgotten {
    var undone = Forgotten(entries: entries.takeAll(from: position))
    let last = entries.last?.id
    aside.value.journal.note(.cut(behind: last ?? HistoryEntry.ID(rawValue: 0)))
    if let last, isAmended(at: position) { aside.value.journal.note(.changed(last)) }
    if isLookingBack {
      isLookingBack = false
      return setAside(undone.entries, behind: last)
    }
    takeNotes(of: &undone)
    undone.add(removeUnreachableBranches())
    return undone
  }

  mutating func takeNotes(of forgotten: inout Forgotten) {
    if notes.isEmpty { return }
    forgotten.notes = forgotten.entries.compactMap { aside.value.notes.removeValue(forKey: $0.id) }
  }

  /// Makes the current point a fixed point, because an unrecorded action changes the state of
  /// the point.
  ///
  /// Further calls for the same point take O(1) time, because the first call removes all states
  /// that depend on the point.
  ///
  /// - Returns: The states that are no longer valid.
  mutating func amend() -> [any KeptState] {
    changes += 1
    // If the current point is fixed and its state is not kept, the point was already amended.
    // Since the first amendment, no later point has kept a state that depends on the point.
    if self[position].isFixed, self[position].state == nil { return [] }
    var invalid: [any KeptState] = []
    aside.value.alterations += 1
    if position > 0, !self[position].isFixed { aside.value.journal.note(.changed(entries[position - 1].id)) }
    if let state = self[position].state { invalid.append(state) }
    self[position] = Point(state: nil, isFixed: true)
    if position < entries.count { invalid += invalidate(from: position + 1) }
    return invalid
  }
}
