import FluxCore
import FluxMiddleware

/// A state in which each action, and the order of them, shows.
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

/// A history that keeps nothing but what it cannot compute, and computes all else from the beginning each
/// time.
struct HistoryModel {
  struct Entry {
    let id: Int
    let action: Stir
    let step: Int
    var isSkipped = false
    /// The state behind the entry, when actions that are not recorded have made it.
    var amended: Mix?
  }

  private let first = Mix()
  private var base = Mix()
  private(set) var entries: [Entry] = []
  private(set) var position = 0
  private var nextID = 1
  private var isStepOpen = false
  private var isPaused = false
  private(set) var isLocked = false
  private(set) var refused = 0

  /// The state behind as many entries.
  func state(at position: Int) -> Mix {
    entries[..<position].reduce(base) { state, entry in
      if let amended = entry.amended { return amended }
      var state = state
      if !entry.isSkipped { mixReducer(&state, entry.action) }
      return state
    }
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

  // MARK: What happens

  mutating func stir(_ action: Stir, grouping: HistoryGrouping) {
    if isLocked { return refused += 1 }
    if isPaused { return amend(with: action) }
    let previous = isStepOpen && position == entries.count ? entries.last : nil
    entries.removeSubrange(position...)
    let joins = previous.map { grouping.joins($0.action, action) } ?? false
    entries.append(Entry(id: nextID, action: action, step: joins ? previous?.step ?? nextID : nextID))
    nextID += 1
    position += 1
    isStepOpen = true
  }

  /// An action comes that is not recorded.
  mutating func receive(_ unrecorded: any Action) {
    if isLocked { return refused += 1 }
    amend(with: unrecorded)
  }

  private mutating func amend(with action: any Action) {
    var state = state(at: position)
    let before = state
    mixReducer(&state, action)
    if state == before { return }
    if position == 0 { base = state } else { entries[position - 1].amended = state }
  }

  mutating func fold(_ count: Int) {
    base = state(at: count)
    entries.removeFirst(count)
    position -= count
  }

  mutating func imported() {
    isStepOpen = false
  }

  mutating func perform(_ command: HistoryAction.Command) {
    switch command {
    case .undo: move(to: undoTarget)
    case .redo: move(to: redoTarget)
    case .jump(let position): move(to: (0...entries.count).contains(position) ? position : nil)
    case .jumpToEntry(let id): move(to: entries.firstIndex { $0.id == id.rawValue }.map { $0 + 1 })
    case .skip(let id): setSkipped(id.rawValue, true)
    case .unskip(let id): setSkipped(id.rawValue, false)
    case .commit: forget(returningTo: state(at: position))
    case .rollback: forget(returningTo: base)
    case .reset: forget(returningTo: first)
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .lock: isLocked = true
    case .unlock: isLocked = false
    }
  }

  private mutating func move(to target: Int?) {
    guard let target else { return }
    position = target
    isStepOpen = false
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
    position = 0
    isStepOpen = false
  }
}
