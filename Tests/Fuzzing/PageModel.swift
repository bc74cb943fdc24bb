import FluxCore
import FluxMiddleware
import Foundation

/// The content of an exported history of pages, evaluated in the simplest way: the model keeps no
/// states, and computes each state from the beginning.
struct PageModel {
  struct Entry {
    let id: Int
    /// `nil` for an unknown action.
    let action: (any Action)?
    let step: Int
    var isSkipped: Bool
    /// The state after the action, if it is in the file.
    let state: Page?

    var hasEffect: Bool { state != nil || action != nil && !isSkipped }
  }

  private var base: Page
  private(set) var entries: [Entry]
  private var position: Int
  /// The entries that were set aside after a jump, each list with the entry that it follows.
  private var branches: [(fork: Int?, entries: [Entry])] = []
  private var isLookingBack: Bool
  /// Whether replaying ends in the exported state.
  let isWhereItWas: Bool

  /// Reads the values that the history has accepted.
  init(_ input: Data) throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let written = try decoder.decode(Written.self, from: input)
    (base, position) = (written.base, written.position)
    entries = written.entries.map(\.entry)
    isLookingBack = position < entries.count
    isWhereItWas = Self.state(behind: entries[..<position], from: base) == written.state
  }

  private static func state(behind entries: ArraySlice<Entry>, from base: Page) -> Page {
    entries.reduce(into: base) { state, entry in
      if let fixed = entry.state {
        state = fixed
      } else if let action = entry.action, !entry.isSkipped {
        pageReducer(&state, action)
      }
    }
  }

  // MARK: - Operations

  /// An action has been recorded as an entry with a new id.
  mutating func record(_ action: any Action, as id: HistoryEntry.ID?) throws {
    guard let id = id?.rawValue, id > entries.map(\.id).max() ?? 0 else {
      throw BrokenPromise("\(action) is entry \(id as Any)")
    }
    if isLookingBack, position < entries.count {
      branches.append((position == 0 ? nil : entries[position - 1].id, Array(entries[position...])))
    }
    entries.removeSubrange(position...)
    isLookingBack = false
    entries.append(Entry(id: id, action: action, step: id, isSkipped: false, state: nil))
    position += 1
  }

  mutating func perform(_ command: HistoryAction.Command) {
    // The start and the end of a step, and the entries before and after it.
    let borders = (0...entries.count).filter {
      $0 == 0 || $0 == entries.count || entries[$0 - 1].step != entries[$0].step
    }
    switch command {
    case .undo:
      position =
        borders.last { $0 < position && (entries[$0..<position].contains(where: \.hasEffect)) } ?? position
    case .redo:
      position =
        borders.first { $0 > position && (entries[position..<$0].contains(where: \.hasEffect)) } ?? position
    case .jump(let target): if target >= 0, target <= entries.count { jump(to: target) }
    case .jumpToEntry(let id):
      restore(id.rawValue)
      if let place = place(of: id) { jump(to: place + 1) }
    case .skip(let id): if let place = place(of: id) { entries[place].isSkipped = true }
    case .unskip(let id): if let place = place(of: id) { entries[place].isSkipped = false }
    case .commit, .rollback, .reset:
      if command == .commit { base = Self.state(behind: entries[..<position], from: base) }
      if command == .reset { base = Page() }
      (entries, position, branches, isLookingBack) = ([], 0, [], false)
    case .pause, .resume, .lock, .unlock: break
    }
    if position == entries.count { isLookingBack = false }
  }

  private mutating func jump(to target: Int) {
    position = target
    isLookingBack = true
  }

  /// Makes the branch with an entry the current branch.
  private mutating func restore(_ id: Int) {
    guard let index = branches.firstIndex(where: { $0.entries.contains { $0.id == id } }) else { return }
    let branch = branches.remove(at: index)
    if let fork = branch.fork { restore(fork) }
    let start = branch.fork.flatMap { fork in entries.firstIndex { $0.id == fork } }.map { $0 + 1 } ?? 0
    if start < entries.count { branches.append((branch.fork, Array(entries[start...]))) }
    entries = entries[..<start] + branch.entries
  }

  private func place(of id: HistoryEntry.ID) -> Int? {
    entries.firstIndex { $0.id == id.rawValue }
  }

  // MARK: - Expected results

  /// Throws unless a history has the state of this model.
  func expect(_ record: HistoryRecord, _ state: Page, after what: some Any) throws {
    let expected = Self.state(behind: entries[..<position], from: base)
    try promise(state.isSame(as: expected), "after \(what) there is \(state), and should be \(expected)")
    try promise(record.position == position, "after \(what) it is at \(record.position), not \(position)")
    try promise(record.count == entries.count, "after \(what) there are \(record.count) entries")
    for (place, (found, entry)) in zip(record.entries, entries).enumerated() {
      let isSame =
        found.id.rawValue == entry.id && found.position == place + 1 && found.isSkipped == entry.isSkipped
        && found.isAmended == (entry.state != nil)
      try promise(isSame, "after \(what) entry \(found.id) is \(found), at \(found.position)")
    }
  }
}

extension Page {
  /// Whether both values are equal, where NaN equals NaN.
  fileprivate func isSame(as other: Page) -> Bool {
    lines == other.lines && mark == other.mark
      && (weight == other.weight || weight.isNaN && other.weight.isNaN)
  }
}

/// An exported history, as far as the model reads it.
private struct Written: Decodable {
  struct Entry: Decodable {
    private enum Key: String, CodingKey {
      case id, action, payload, step, skipped, state
    }

    let entry: PageModel.Entry

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let id = try container.decode(Int.self, forKey: .id)
      var action: (any Action)?
      if container.contains(.payload) {
        switch try container.decode(String.self, forKey: .action) {
        case "Write": action = try container.decode(Write.self, forKey: .payload)
        case "Weigh": action = try container.decode(Weigh.self, forKey: .payload)
        case "Mark": action = try container.decode(Mark.self, forKey: .payload)
        default: break
        }
      }
      entry = PageModel.Entry(
        id: id, action: action, step: try container.decodeIfPresent(Int.self, forKey: .step) ?? id,
        isSkipped: try container.decodeIfPresent(Bool.self, forKey: .skipped) ?? false,
        state: try container.decodeIfPresent(Page.self, forKey: .state))
    }
  }

  let base: Page
  let position: Int
  let state: Page
  let entries: [Entry]
}
