import FluxCore

/// The location in the source code where an action is bound.
struct BindingSite: Hashable {
  let file: StaticString
  let line: UInt
  let column: UInt

  static func == (left: BindingSite, right: BindingSite) -> Bool {
    left.line == right.line && left.column == right.column && left.file.description == right.file.description
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
  }
}

/// A binding that was created during a run of a mapping.
@MainActor
protocol BindingSlot: AnyObject {
  var site: BindingSite { get }

  /// Replaces the closures of this slot with the closures of another slot, if both slots have
  /// the same type.
  func adopt(_ other: any BindingSlot)
}

/// The bindings that were created during a run of a mapping, in the order of their creation.
@MainActor
final class BindingRun {
  private(set) var slots: [any BindingSlot] = []
  private weak var history: BindingHistory?

  init(of history: BindingHistory) {
    self.history = history
  }

  /// Adds a slot, and returns its index.
  func add(_ slot: any BindingSlot) -> Int {
    slots.append(slot)
    return slots.count - 1
  }

  /// Returns the slot at an index in the newest run, or `nil` if the newest run and this run
  /// have different numbers of slots.
  func newest(at place: Int) -> (any BindingSlot)? {
    guard let newest = history?.newest, newest.slots.count == slots.count else { return nil }
    return newest.slots[place]
  }
}

/// The bindings of a connection across the runs of its mapping.
///
/// Props with bindings are equal if the values of the bindings are equal, because closures
/// cannot be compared. However, closures can capture values that have changed. Therefore, if a
/// run produces props that are equal to the displayed props, the displayed bindings use the
/// closures of the new run.
@MainActor
final class BindingHistory {
  /// The run that produced the displayed props.
  var newest: BindingRun?

  /// Replaces the closures of the displayed bindings with the closures of a newer run that
  /// produced equal props.
  func adopt(_ run: BindingRun) {
    guard let shown = newest?.slots, shown.count == run.slots.count else { return }
    guard zip(shown, run.slots).allSatisfy({ $0.site == $1.site }) else { return match(shown, run.slots) }
    for (old, new) in zip(shown, run.slots) { old.adopt(new) }
  }

  /// Pairs the bindings that come from the same call of `bind`, and then pairs the remaining
  /// bindings in the order of their creation.
  ///
  /// For example, bindings remain if a condition in the mapping selects one of two calls of
  /// `bind`.
  private func match(_ shown: [any BindingSlot], _ made: [any BindingSlot]) {
    var waiting = Dictionary(grouping: made.reversed(), by: \.site)
    let left = shown.filter { old in
      guard let new = waiting[old.site]?.popLast() else { return true }
      old.adopt(new)
      return false
    }
    let unmatched = made.filter { new in waiting[new.site]?.contains { $0 === new } == true }
    for (old, new) in zip(left, unmatched) { old.adopt(new) }
  }
}
