/// Walks two values side by side, and notes where they differ.
struct DifferenceWalk {
  private(set) var changes: [StateDifference.Change] = []
  /// Whether a change was left out, or something was not looked at.
  private(set) var isTruncated = false

  private let maximumChanges: Int
  private let maximumVisits: Int
  private let texts: ValueText
  private var visits = 0
  /// How deep the walk is now; bounded, so that a long chain of objects does not exhaust the stack.
  private var depth = 0
  private static let maximumDepth = 100

  init(limits: StateDifference.Limits) {
    maximumChanges = max(0, limits.changes)
    maximumVisits = max(0, limits.visits)
    texts = ValueText(characters: max(0, limits.characters))
  }

  mutating func compare(_ old: Any, _ new: Any, path: String) {
    guard visits < maximumVisits, depth < Self.maximumDepth else {
      isTruncated = true
      return
    }
    visits += 1
    depth += 1
    defer { depth -= 1 }
    if areEqual(old, new) { return }
    let oldMirror = Mirror(reflecting: old)
    let newMirror = Mirror(reflecting: new)
    guard oldMirror.subjectType == newMirror.subjectType, oldMirror.displayStyle == newMirror.displayStyle
    else {
      return note(old, new, path: path)
    }
    switch oldMirror.displayStyle {
    case .enum:
      note(old, new, path: path)
    case .optional:
      compareOptionals(old, new, oldMirror, newMirror, path: path)
    case .collection:
      compareElements(oldMirror.children.map(\.value), newMirror.children.map(\.value), path: path)
    case .set:
      compareMembers(old, new, path: path)
    case .dictionary:
      compareEntries(old, new, path: path)
    case .class where (old as AnyObject) === (new as AnyObject):
      return
    default:
      compareProperties(old, new, oldMirror, newMirror, path: path)
    }
  }

  // MARK: Kinds of values

  private mutating func compareProperties(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, path: String
  ) {
    let oldProperties = properties(oldMirror)
    let newProperties = properties(newMirror)
    guard !oldProperties.isEmpty, oldProperties.count == newProperties.count, !describeThemselves(old, new)
    else {
      return note(old, new, path: path)
    }
    for (position, (old, new)) in zip(oldProperties, newProperties).enumerated() {
      var name = old.label ?? "\(position)"
      // The label of a tuple's part without a name is its position behind a dot.
      if oldMirror.displayStyle == .tuple, name.hasPrefix(".") { name.removeFirst() }
      compare(old.value, new.value, path: path.isEmpty ? name : "\(path).\(name)")
      if isTruncated { return }
    }
  }

  private mutating func compareOptionals(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, path: String
  ) {
    switch (oldMirror.children.first?.value, newMirror.children.first?.value) {
    case (let old?, let new?): compare(old, new, path: path)
    case (nil, nil): return
    case (nil, _?), (_?, nil): note(old, new, path: path)
    }
  }

  private mutating func compareElements(_ old: [Any], _ new: [Any], path: String) {
    guard old.count == new.count else {
      return beginAlike(old, new)
        ? append(removed: old.dropFirst(new.count), added: new.dropFirst(old.count), path: path)
        : append(StateDifference.Change(path: path, old: elements(old.count), new: elements(new.count)))
    }
    for (position, (old, new)) in zip(old, new).enumerated() {
      compare(old, new, path: "\(path)[\(position)]")
      if isTruncated { return }
    }
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, path: String) {
    guard let old = old as? Set<AnyHashable>, let new = new as? Set<AnyHashable> else {
      return note(old, new, path: path)
    }
    append(
      removed: old.subtracting(new).inOrder.map(\.base), added: new.subtracting(old).inOrder.map(\.base),
      path: path)
  }

  private mutating func compareEntries(_ old: Any, _ new: Any, path: String) {
    guard let old = old as? [AnyHashable: Any], let new = new as? [AnyHashable: Any] else {
      return note(old, new, path: path)
    }
    let keys = Set(old.keys).union(new.keys).inOrder
    let removed = texts.beyondFew(keys.filter { new[$0] == nil })
    let added = texts.beyondFew(keys.filter { old[$0] == nil })
    let counted = Set(removed).union(added)
    for key in keys where !counted.contains(key) {
      let place = "\(path)[\(texts.text(key.base))]"
      switch (old[key], new[key]) {
      case (let old?, let new?): compare(old, new, path: place)
      case (let old, let new):
        append(StateDifference.Change(path: place, old: old.map(texts.text), new: new.map(texts.text)))
      }
      if isTruncated { return }
    }
    guard !counted.isEmpty else { return }
    append(
      StateDifference.Change(
        path: path, old: removed.isEmpty ? nil : "and \(removed.count) more removed",
        new: added.isEmpty ? nil : "and \(added.count) more added", isStep: false))
  }

  // MARK: What is alike

  private func areEqual(_ old: Any, _ new: Any) -> Bool {
    func isEqual<Value: Equatable>(_ old: Value) -> Bool { new as? Value == old }
    if let old = old as? any Equatable, isEqual(old) { return true }
    return isNaN(old) && isNaN(new)
  }

  private func isNaN(_ value: Any) -> Bool {
    (value as? any FloatingPoint)?.isNaN ?? false
  }

  /// Whether all elements of the shorter of two arrays are those that the longer one begins with.
  private mutating func beginAlike(_ old: [Any], _ new: [Any]) -> Bool {
    var walk = self
    walk.changes = []
    for (old, new) in zip(old, new) where !areEqual(old, new) {
      walk.compare(old, new, path: "")
      guard walk.changes.isEmpty, !walk.isTruncated else { break }
    }
    visits = walk.visits
    return walk.changes.isEmpty && !walk.isTruncated
  }

  // MARK: What values say

  /// All stored properties, those that a class inherits first.
  private func properties(_ mirror: Mirror) -> [Mirror.Child] {
    (mirror.superclassMirror.map(properties) ?? []) + mirror.children
  }

  /// Whether both have a description of their own, which tells them apart.
  private func describeThemselves(_ old: Any, _ new: Any) -> Bool {
    guard let old = old as? any CustomStringConvertible, let new = new as? any CustomStringConvertible else {
      return false
    }
    return old.description != new.description
  }

  private func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

  // MARK: Noting

  private mutating func note(_ old: Any, _ new: Any, path: String) {
    // Alike as far as can be told: described the same, and not comparable, or unequal even to themselves.
    if String(describing: old) == String(describing: new), !areEqual(old, old) { return }
    let (old, new) = texts.texts(old, new)
    append(StateDifference.Change(path: path, old: old, new: new))
  }

  private mutating func append(removed: some Collection<Any>, added: some Collection<Any>, path: String) {
    append(
      StateDifference.Change(
        path: path, old: texts.list(removed, sign: "-"), new: texts.list(added, sign: "+"), isStep: false))
  }

  private mutating func append(_ change: StateDifference.Change) {
    guard changes.count < maximumChanges else {
      isTruncated = true
      return
    }
    changes.append(change)
  }
}
