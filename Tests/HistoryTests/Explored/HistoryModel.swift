import FluxCore
import FluxMiddleware

/// A state that shows each action, and the order of the actions.
struct Mix: FluxState, Codable, Equatable {
  var value = 1
  var ticks = 0
}

struct Stir: Action, Codable, Equatable {
  let amount: Int
}

let mixReducer: MutatingReducer<Mix> = { mix, action in
  switch action {
  case let action as Stir: mix.value = (mix.value &* 31 &+ action.amount) % 1_000_003
  case is Tick: mix.ticks += mix.value % 7 + 1
  default: break
  }
}

/// A history that keeps only states that it cannot compute, and computes each other state from the
/// beginning.
struct HistoryModel {
  struct Entry {
    let id: Int
    let action: Stir
    let step: Int
    var isSkipped = false
    /// The state after the entry, if unrecorded actions are undone with it and have changed it.
    var amended: Mix?
  }

  struct Branch {
    let fork: Int?
    let entries: [Entry]
  }

  /// Whether unrecorded actions are preserved.
  let isPreserving: Bool
  /// The maximal number of entries in branches, in addition to those of the newest branch.
  let limit: Int
  private let first = Mix()
  private var base = Mix()
  private(set) var entries: [Entry] = []
  private(set) var position = 0
  private(set) var branches: [Branch] = []
  private(set) var evicted = 0
  /// The unrecorded actions, each with the last entry that was recorded before it.
  private var unrecorded: [(behind: Int, action: any Action)] = []
  private var nextID = 1
  private var isStepOpen = false
  private var isLookingBack = false
  private var isPaused = false
  private(set) var isLocked = false
  private(set) var refused = 0

  init(isPreserving: Bool, limit: Int) {
    self.isPreserving = isPreserving
    self.limit = limit
  }

  /// The state after the given number of entries.
  ///
  /// - Parameter includingLater: Whether unrecorded actions that came after the next entry are
  ///   reduced.
  func state(at position: Int, includingLater: Bool = true) -> Mix {
    var (state, next) = (base, 0)
    func reduceUnrecorded(before id: Int) {
      while next < unrecorded.count, unrecorded[next].behind < id {
        mixReducer(&state, unrecorded[next].action)
        next += 1
      }
    }
    for entry in entries[..<position] {
      reduceUnrecorded(before: entry.id)
      if let amended = entry.amended {
        state = amended
      } else if !entry.isSkipped {
        mixReducer(&state, entry.action)
      }
    }
    reduceUnrecorded(before: includingLater || position == entries.count ? .max : entries[position].id)
    return state
  }

  /// Whether unrecorded actions have changed the state after an entry.
  func isAmended(_ index: Int) -> Bool {
    let next = index + 1 < entries.count ? entries[index + 1].id : .max
    return entries[index].amended != nil
      || unrecorded.contains { $0.behind >= entries[index].id && $0.behind < next }
  }

  var undoTarget: Int? {
    var position = position
    while position > 0, isIdle(position - 1) { position -= 1 }
    guard position > 0 else { return nil }
    let step = entries[position - 1].step
    while position > 0, entries[position - 1].step == step { position -= 1 }
    return position
  }

  var redoTarget: Int? {
    var position = position
    while position < entries.count, isIdle(position) { position += 1 }
    guard position < entries.count else { return nil }
    let step = entries[position].step
    while position < entries.count, entries[position].step == step { position += 1 }
    return position
  }

  private func isIdle(_ index: Int) -> Bool {
    entries[index].isSkipped && entries[index].amended == nil
  }

  // MARK: Events

  mutating func stir(_ action: Stir, grouping: HistoryGrouping) {
    if isLocked { return refused += 1 }
    if isPaused { return amend(with: action) }
    let previous = isStepOpen && position == entries.count ? entries.last : nil
    cut()
    let joins = previous.map { grouping.joins($0.action, action) } ?? false
    entries.append(Entry(id: nextID, action: action, step: joins ? previous?.step ?? nextID : nextID))
    nextID += 1
    position += 1
    isStepOpen = true
  }

  private mutating func cut() {
    guard position < entries.count else { return }
    let undone = Array(entries[position...])
    entries.removeSubrange(position...)
    if isLookingBack {
      branches.append(Branch(fork: entries.last?.id, entries: undone))
      var count = branches.reduce(0) { $0 + $1.entries.count }
      while count > limit, branches.count > 1 {
        let removed = branches.removeFirst().entries.count
        count -= removed
        evicted += removed
      }
    }
    isLookingBack = false
    removeUnreachable()
  }

  private mutating func removeUnreachable() {
    func isReachable(_ branch: Branch) -> Bool {
      branch.fork.map { fork in
        entries.contains { $0.id == fork } || branches.contains { $0.entries.contains { $0.id == fork } }
      } ?? true
    }
    while let index = branches.firstIndex(where: { !isReachable($0) }) {
      evicted += branches.remove(at: index).entries.count
    }
  }

  /// An unrecorded action is dispatched.
  mutating func receive(_ unrecorded: any Action) {
    if isLocked { return refused += 1 }
    amend(with: unrecorded)
  }

  private mutating func amend(with action: any Action) {
    var state = state(at: position)
    let before = state
    mixReducer(&state, action)
    if state == before { return }
    if isPreserving, !entries.isEmpty { return unrecorded.append((nextID - 1, action)) }
    if position == 0 { base = state } else { entries[position - 1].amended = state }
  }

  mutating func fold(_ count: Int) {
    if count == 0 { return }
    base = state(at: count, includingLater: false)
    let next = count < entries.count ? entries[count].id : .max
    unrecorded.removeAll { $0.behind < next }
    entries.removeFirst(count)
    position -= count
    for branch in branches where branch.fork == nil { evicted += branch.entries.count }
    branches.removeAll { $0.fork == nil }
    removeUnreachable()
  }

  mutating func imported() {
    isStepOpen = false
    branches = []
    isLookingBack = position < entries.count
  }

  mutating func perform(_ command: HistoryAction.Command) {
    switch command {
    case .undo: move(to: undoTarget)
    case .redo: move(to: redoTarget)
    case .jump(let position): jump(to: (0...entries.count).contains(position) ? position : nil)
    case .jumpToEntry(let id):
      restore(id.rawValue)
      jump(to: entries.firstIndex { $0.id == id.rawValue }.map { $0 + 1 })
    case .skip(let id): setSkipped(id.rawValue, true)
    case .unskip(let id): setSkipped(id.rawValue, false)
    case .commit: forget(returningTo: state(at: position))
    case .rollback: forget(returningTo: state(at: 0))
    case .reset: forget(returningTo: first)
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .lock: isLocked = true
    case .unlock: isLocked = false
    }
  }

  private mutating func restore(_ id: Int) {
    guard let branch = branches.first(where: { $0.entries.contains { $0.id == id } }) else { return }
    if let fork = branch.fork { restore(fork) }
    branches.removeAll { $0.entries.contains { $0.id == id } }
    let start = branch.fork.flatMap { fork in entries.firstIndex { $0.id == fork } }.map { $0 + 1 } ?? 0
    let replaced = Array(entries[start...])
    if !replaced.isEmpty { branches.append(Branch(fork: branch.fork, entries: replaced)) }
    entries = entries[..<start] + branch.entries
  }

  private mutating func jump(to target: Int?) {
    guard let target else { return }
    isLookingBack = true
    move(to: target)
  }

  private mutating func move(to target: Int?) {
    guard let target else { return }
    position = target
    isStepOpen = false
    if target == entries.count { isLookingBack = false }
  }

  private mutating func setSkipped(_ id: Int, _ isSkipped: Bool) {
    guard let index = entries.firstIndex(where: { $0.id == id }), entries[index].isSkipped != isSkipped else {
      return
    }
    entries[index].isSkipped = isSkipped
    isStepOpen = false
  }

  private mutating func forget(returningTo state: Mix) {
    base = state
    entries = []
    branches = []
    unrecorded = []
    position = 0
    isStepOpen = false
    isLookingBack = false
  }
}
