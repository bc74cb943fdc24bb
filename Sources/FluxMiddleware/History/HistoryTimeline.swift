import FluxCore
import Synchronization

/// The points of a history and the way between them: what is kept, what is recomputed, what is forgotten.
///
/// A pure state machine: it holds no lock and calls no reducer. Point 0 is the base; point `p` is the state
/// behind entry `p`. By definition, which is independent of what happens to be kept,
///
/// - the state of a point that is fixed is the one kept there, with the unrecorded actions reduced that came
///   between its entry and the next one. The base is fixed.
/// - The state of any other point is that of the point before, with the entry's action reduced, unless it is
///   left out, and then the unrecorded actions that came between the entry and the next one.
///
/// The state of the store is that of the current point, with all later unrecorded actions reduced. The state
/// of the current point need not be kept. ``leave(_:)`` receives it before the state of the store changes to
/// that of another point.
///
/// With ``UnrecordedActionPolicy/undoneWithEntry`` the timeline has no unrecorded actions: they fix the point.
///
/// It is not generic, so that it is compiled for what it holds, and handles states as opaque objects. What only reads
/// it for each action is inlined: a call would copy it.
struct HistoryTimeline: Sendable {
  /// What is known of the state at a point.
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
    /// The point that the entry leads to.
    var point = Point()

    /// Whether reducing has to leave the entry out.
    var isLeftOut: Bool { isSkipped || action is UnknownAction }

    /// Whether the states before and behind the entry differ, as far as can be known.
    var hasEffect: Bool { point.isFixed || !isLeftOut }
  }

  /// What is to be done with an action.
  enum Admission: Sendable {
    case refused
    case unrecorded
    case recorded
  }

  /// What is not kept any more.
  ///
  /// To be released outside the timeline's lock: a `deinit` in it is the user's code, and may read the history.
  struct Forgotten: Sendable {
    var base: (any KeptState)?
    var entries: [Entry] = []
    /// The notes of the entries, if there are any.
    var notes: [KeptNote]?
    var unrecorded: [any Action] = []
    var states: [any KeptState] = []

    /// Adds what is forgotten together with this.
    mutating func add(_ other: Forgotten) {
      entries += other.entries
      states += other.states
      unrecorded += other.unrecorded
      if let notes = other.notes { self.notes = (self.notes ?? []) + notes }
    }
  }

  /// A way to the state of a point.
  struct Path: Sendable {
    struct Step: Sendable {
      /// The point at which the state before this step is kept; `nil` if it is not kept.
      var keptPoint: Int?
      /// The action to reduce.
      var action: (any Action)?
    }

    /// The state where the path begins; `nil` for the state of the store.
    var state: (any KeptState)?
    let steps: [Step]
    /// The point to which the path leads.
    let target: Int
  }

  let limit: Int
  let stride: Int
  let policy: UnrecordedActionPolicy
  /// The state that the store began with; `nil` before the first action.
  private(set) var first: (any KeptState)?
  var base = Point(state: nil, isFixed: true)
  var entries: HistoryEntries = []
  var position = 0
  /// The id of the entry that is recorded next.
  var nextID = 1
  /// How often the record has changed.
  var changes = 0
  /// What most actions leave alone, in one word: what reads the timeline for each action may have it copied.
  var aside = OneWord(Aside())
  var isStepOpen = false
  /// The unrecorded actions since the base, if the policy preserves them.
  var unrecorded = UnrecordedActions()
  /// A Boolean value that indicates whether a jump led to the current point, and undone entries follow it.
  var isLookingBack = false
  var isPaused = false { didSet { changes += 1 } }
  var isLocked = false { didSet { changes += 1 } }
  var refused = 0 { didSet { changes += 1 } }

  /// Tells a timeline from every other, also from those that have gone.
  struct Identity: Hashable, Sendable {
    private static let last = Atomic<UInt64>(0)
    private let number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// What belongs to a timeline, and is seldom touched.
  struct Aside: Sendable {
    let identity = Identity()
    var journal = HistoryJournal()
    var branches: [Branch] = [] {
      didSet { oldestFork = branches.map { $0.fork?.rawValue ?? 0 }.min() ?? .max }
    }
    /// The oldest entry that a branch follows, so that most folds need not look at the branches; 0 is the base.
    private(set) var oldestFork = Int.max
    /// How often states were computed again that the entries of branches may build on.
    var alterations = 0
    /// How many entries the history removed to hold the bounds on unrecorded actions and on branches.
    var evicted = 0
    /// The types of unrecorded actions that are known to change the state.
    var changingTypes: Set<ObjectIdentifier> = []
    /// What was noted of entries, if anything was: beside them, so that those without a note do not pay for it.
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

  /// The state at a point, if it is kept.
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

  /// The last point up to another whose state is kept; there is one unless the base is current.
  func lastKept(upTo point: Int) -> Int {
    var point = point
    while point > 0, self[point].state == nil { point -= 1 }
    return point
  }

  /// Whether the state of the current point cannot be recomputed.
  var isCurrentFixed: Bool { self[position].isFixed }

  /// Notes the state that the store has before the first action.
  mutating func begin(_ state: () -> any KeptState) {
    if first == nil { first = state() }
  }

  /// Keeps the state of the current point before the position changes, if it has to be kept and is not.
  mutating func leave(_ state: () -> any KeptState) {
    guard self[position].state == nil, hasStateOfPoint else { return }
    if self[position].isFixed || isAmended(at: position)
      || position - lastKept(upTo: position - 1) >= stride
    {
      self[position].state = state()
    }
  }

  /// Takes out the states that are kept from a point on and can be recomputed from the point before.
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

  /// Decides about an action that is none of a history's.
  mutating func admit() -> Admission {
    if isLocked {
      refused += 1
      return .refused
    }
    return isPaused ? .unrecorded : .recorded
  }

  /// The action to whose step the next one can belong.
  @inline(__always)
  var openAction: (any Action)? {
    isStepOpen && position == entries.count ? entries.last?.action : nil
  }

  /// Records an action that has been reduced at the current point, which has been left.
  ///
  /// - Returns: The undone entries, which it takes the place of, if there are any.
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

  /// Removes the undone entries: sets them aside after a jump, and forgets them after an undo.
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

  /// Fixes the current point, because an action that is not recorded changes its state.
  ///
  /// Repeated at one position, this takes O(1): the first one leaves no state that depends on the point.
  ///
  /// - Returns: The states that are not valid anymore.
  mutating func amend() -> [any KeptState] {
    changes += 1
    // A fixed point without a state was amended since it became current, and no point behind it that depends
    // on it has had a state kept since.
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
