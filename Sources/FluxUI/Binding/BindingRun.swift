import FluxCore

/// Where in the code an action is bound.
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

/// What is bound at one place of a run of a mapping.
@MainActor
protocol BindingSlot: AnyObject {
  var site: BindingSite { get }

  /// Does from now on what another slot does, if that is of the same type.
  func adopt(_ other: any BindingSlot)
}

/// The bindings that one run of a mapping has made, in order.
@MainActor
final class BindingRun {
  private(set) var slots: [any BindingSlot] = []
  private weak var history: BindingHistory?

  init(of history: BindingHistory) {
    self.history = history
  }

  /// Notes a slot; returns its place.
  func add(_ slot: any BindingSlot) -> Int {
    slots.append(slot)
    return slots.count - 1
  }

  /// What the newest run has bound at a place, if it has bound as much as this one.
  func newest(at place: Int) -> (any BindingSlot)? {
    guard let newest = history?.newest, newest.slots.count == slots.count else { return nil }
    return newest.slots[place]
  }
}

/// The bindings of a connection from run to run of its mapping.
///
/// Props with bindings are equal when their values are; closures cannot be compared. But a closure may have captured what
/// has changed since. So when a run has made props that are equal to those on show, the bindings of those go on with the
/// closures of the new run.
@MainActor
final class BindingHistory {
  /// The run that has made what is on show.
  var newest: BindingRun?

  /// Has the bindings on show do what those of a newer run do, which showed the same.
  func adopt(_ run: BindingRun) {
    guard let shown = newest?.slots, shown.count == run.slots.count else { return }
    guard zip(shown, run.slots).allSatisfy({ $0.site == $1.site }) else { return match(shown, run.slots) }
    for (old, new) in zip(shown, run.slots) { old.adopt(new) }
  }

  /// Pairs what is bound at the same place in the code, and what is left, as by an expression that chooses between two
  /// actions, in order.
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
