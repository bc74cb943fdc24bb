import FluxCore
import Synchronization

/// The points of a history and the way between them: what is kept, what is recomputed, what is forgotten.
///
/// A pure state machine: it holds no lock and calls no reducer. Point 0 is the base; point `p` is the state
/// behind entry `p`. By definition, which is independent of what happens to be kept,
///
/// - the state of a point that is fixed is the one kept there: the base, and points that unrecorded actions
///   changed;
/// - the state of any other point is that of the point before, with the entry's action reduced, unless it is
///   left out.
///
/// The store's state is always that of the current point. That point's state need not be kept as long as it
/// is current; it is offered to ``leave(_:)`` before the store's state changes to that of another point.
///
/// It is not generic, so that it is compiled for what it holds, and handles states as opaque objects. What only reads
/// it for each action is inlined: a call would copy it.
struct HistoryTimeline: Sendable {
  /// What is known of the state at a point.
  struct Point: Sendable {
    var state: (any KeptState)?
    /// Whether the state cannot be recomputed.
    ///
    /// Then it is kept, except while the point is current.
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
    /// What was noted of the entries, if anything was.
    var notes: [KeptNote]?
  }

  /// A way to the state of a point.
  struct Path: Sendable {
    struct Step: Sendable {
      /// Whether the state is to be kept before this step.
      let keepsBefore: Bool
      /// What has to be reduced.
      let action: (any Action)?
    }

    /// Where the way begins.
    let start: Int
    /// The state there; `nil` for the state that the store has.
    var state: (any KeptState)?
    let steps: [Step]

    /// Where the way leads to.
    var target: Int { start + steps.count }
  }

  let limit: Int
  let stride: Int
  /// The state that the store began with; `nil` before the first action.
  private(set) var first: (any KeptState)?
  private(set) var base = Point(state: nil, isFixed: true)
  private(set) var entries: HistoryEntries = []
  private(set) var position = 0
  /// The id of the entry that is recorded next.
  private(set) var nextID = 1
  /// How often the record has changed.
  private(set) var changes = 0
  /// What most actions leave alone, in one word: what reads the timeline for each action may have it copied.
  private var aside = OneWord(Aside())
  private var isStepOpen = false
  var isPaused = false { didSet { changes += 1 } }
  var isLocked = false { didSet { changes += 1 } }
  var refused = 0 { didSet { changes += 1 } }

  /// Tells a timeline from every other, also from those that have gone.
  struct Identity: Hashable, Sendable {
    private static let last = Atomic<UInt64>(0)
    private let number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// What belongs to a timeline, and is seldom touched.
  private struct Aside: Sendable {
    let identity = Identity()
    var journal = HistoryJournal()
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

  init(limit: Int, stride: Int) {
    self.limit = max(1, limit)
    self.stride = max(1, stride)
  }

  // MARK: Points

  /// The state at a point, if it is kept.
  func keptState(at point: Int) -> (any KeptState)? {
    (0...entries.count).contains(point) ? self[point].state : nil
  }

  private(set) subscript(point: Int) -> Point {
    _read {
      if point == 0 { yield base } else { yield entries[point - 1].point }
    }
    _modify {
      if point == 0 { yield &base } else { yield &entries[point - 1].point }
    }
  }

  /// The last point up to another whose state is kept; there is one unless the base is current.
  private func lastKept(upTo point: Int) -> Int {
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

  /// Keeps the state of the current point, which is about to be left, if it has to be kept and is not.
  mutating func leave(_ state: () -> any KeptState) {
    guard self[position].state == nil else { return }
    if self[position].isFixed || position - lastKept(upTo: position - 1) >= stride {
      self[position].state = state()
    }
  }

  /// Takes out the states that are kept from a point on and can be recomputed from the point before.
  private mutating func invalidate(from first: Int) -> [any KeptState] {
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

  /// Takes out the undone entries, and says that they are gone.
  @inline(never)
  private mutating func cut() -> Forgotten {
    var undone = Forgotten(entries: entries.takeAll(from: position))
    aside.value.journal.note(.cut(behind: entries.last?.id ?? HistoryEntry.ID(rawValue: 0)))
    takeNotes(of: &undone)
    return undone
  }

  private mutating func takeNotes(of forgotten: inout Forgotten) {
    if notes.isEmpty { return }
    forgotten.notes = forgotten.entries.compactMap { aside.value.notes.removeValue(forKey: $0.id) }
  }

  /// Notes that the state of the current point was changed by an action that is not recorded.
  ///
  /// - Returns: The states that are none any more.
  mutating func amend() -> [any KeptState] {
    var invalid: [any KeptState] = []
    changes += 1
    if position > 0, !self[position].isFixed { aside.value.journal.note(.changed(entries[position - 1].id)) }
    if let state = self[position].state { invalid.append(state) }
    self[position] = Point(state: nil, isFixed: true)
    if position < entries.count { invalid += invalidate(from: position + 1) }
    return invalid
  }

  // MARK: The limit

  /// Makes the last point up to which there are too many entries the base, if one is kept.
  ///
  /// - Returns: What is forgotten, if anything is.
  mutating func foldToKept() -> Forgotten? {
    let kept = entries.count > limit ? lastKept(upTo: entries.count - limit) : 0
    guard kept > 0, let state = self[kept].state else { return nil }
    return fold(to: kept, base: state)
  }

  /// The point that has to become the base although its state is not kept; `nil` as long as there is time.
  @inline(__always)
  var pointToFoldTo: Int? {
    let excess = entries.count - limit
    return excess >= stride ? excess : nil
  }

  /// Makes a point that is not beyond the current one the base.
  ///
  /// - Parameter base: Its state.
  /// - Returns: What is forgotten.
  mutating func fold(to point: Int, base new: any KeptState) -> Forgotten {
    var forgotten = Forgotten(base: base.state, entries: entries.takeFirst(point))
    takeNotes(of: &forgotten)
    base = Point(state: new, isFixed: true)
    position -= point
    changes += 1
    return forgotten
  }

  // MARK: Moves

  /// Whether there is a step to be undone.
  var canUndo: Bool { entries[..<position].last(where: \.hasEffect) != nil }

  /// Whether there is a step to be redone.
  var canRedo: Bool { entries[position...].contains(where: \.hasEffect) }

  /// Where undoing leads to; `nil` when there is nothing to undo.
  var positionBeforeStep: Int? {
    guard let last = entries[..<position].lastIndex(where: \.hasEffect) else { return nil }
    var first = last
    while first > 0, entries[first - 1].step == entries[last].step { first -= 1 }
    return first
  }

  /// Where redoing leads to; `nil` when there is nothing to redo.
  var positionBehindStep: Int? {
    guard let next = entries[position...].firstIndex(where: \.hasEffect) else { return nil }
    return entries[next...].prefix { $0.step == entries[next].step }.endIndex
  }

  /// The position behind an entry.
  func position(of id: HistoryEntry.ID) -> Int? {
    let index = entries.firstIndex(from: id)
    return index < entries.count && entries[index].id == id ? index + 1 : nil
  }

  /// The way to a point from the nearest one whose state there is, the store's included.
  ///
  /// O(n) for n steps on the way.
  ///
  /// - Parameter usingCurrent: Whether the store's state is that of the current point.
  func path(to target: Int, usingCurrent: Bool) -> Path {
    var start = lastKept(upTo: target)
    if usingCurrent, position <= target { start = max(start, position) }
    var lastKept = lastKept(upTo: start)
    var steps: [Path.Step] = []
    for point in start..<target {
      let keeps = point > start && point - lastKept >= stride
      if keeps { lastKept = point }
      let entry = entries[point]
      steps.append(Path.Step(keepsBefore: keeps, action: entry.isLeftOut ? nil : entry.action))
    }
    let isCurrent = usingCurrent && start == position
    return Path(start: start, state: isCurrent ? nil : self[start].state, steps: steps)
  }

  /// Makes the end of a path current, the store's state being that of it now.
  ///
  /// - Parameter kept: The states to be kept, by their points.
  mutating func arrive(at target: Int, keeping kept: [(point: Int, state: any KeptState)]) {
    for (point, state) in kept { self[point].state = state }
    position = target
    changes += 1
    isStepOpen = false
  }

  /// Leaves an action out, or puts it back.
  ///
  /// - Returns: The states that are none any more, and whether the store's state is one of those; `nil` if
  ///   nothing changes.
  mutating func setSkipped(
    _ id: HistoryEntry.ID, _ isSkipped: Bool
  ) -> (invalid: [any KeptState], includesCurrent: Bool)? {
    guard let position = position(of: id), entries[position - 1].isSkipped != isSkipped else { return nil }
    let index = position - 1
    entries[index].isSkipped = isSkipped
    changes += 1
    aside.value.journal.note(.changed(id))
    isStepOpen = false
    let affected = entries[index...].prefix { !$0.point.isFixed }.indices
    return (invalidate(from: position), affected.contains(self.position - 1))
  }

  /// Forgets all entries: the store's state is the base now.
  ///
  /// - Returns: What is forgotten.
  mutating func forget() -> Forgotten {
    let forgotten = Forgotten(
      base: base.state, entries: entries.takeAll(from: 0), notes: Array(notes.values))
    base = Point(state: nil, isFixed: true)
    position = 0
    changes += 1
    aside.value.journal.noteAll()
    aside.value.notes = [:]
    isStepOpen = false
    return forgotten
  }

  /// Puts what was imported in place of what was recorded; the store's state is not yet that of its position.
  ///
  /// - Returns: What is forgotten.
  mutating func replace(
    base: any KeptState, entries: [Entry], position: Int
  ) -> Forgotten {
    let forgotten = forget()
    self.base.state = base
    self.entries = HistoryEntries(entries)
    self.position = position
    nextID = max(nextID, (entries.last?.id.rawValue ?? 0) + 1)
    return forgotten
  }
}
