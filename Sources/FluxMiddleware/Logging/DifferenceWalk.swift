/// Walks two values side by side, and notes where they differ.
struct DifferenceWalk {
  private(set) var changes: [StateDifference.Change] = []
  /// Whether a change was left out, or something was not looked at.
  private(set) var isTruncated = false

  private let maximumChanges: Int
  private let texts: ValueText
  /// How many pairs of values may still be looked into.
  private var visits: Int
  /// How many pairs of values may still be compared.
  private var comparisons: Int
  /// How deep the walk is now; bounded, so that a long chain of objects does not exhaust the stack.
  private var depth = 0
  private static let maximumDepth = 100

  init(limits: StateDifference.Limits) {
    maximumChanges = max(0, limits.changes)
    visits = max(0, limits.visits)
    comparisons = max(0, limits.comparisons)
    texts = ValueText(characters: max(0, limits.characters))
  }

  mutating func compare(_ old: Any, _ new: Any, path: String) {
    guard mayCompare() else { return }
    if !Likeness<Any>()(old, new) { lookInto(old, new, path: path) }
  }

  /// Notes where two values differ that are known not to be alike as a whole.
  private mutating func lookInto(_ old: Any, _ new: Any, path: String) {
    guard visits > 0, depth < Self.maximumDepth else {
      isTruncated = true
      return
    }
    visits -= 1
    depth += 1
    defer { depth -= 1 }
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
      compareCollections(old, new, oldMirror, newMirror, path: path)
    case .set:
      compareMembers(old, new, path: path)
    case .dictionary:
      compareEntries(old, new, path: path)
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

  private mutating func compareCollections(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, path: String
  ) {
    func compareTyped<Elements: RandomAccessCollection>(_ old: Elements) -> Bool {
      guard let new = new as? Elements else { return false }
      compareElements(old, new, path: path)
      return true
    }
    if let old = old as? any RandomAccessCollection, compareTyped(old) { return }
    compareElements(
      oldMirror.children.lazy.map(\.value), newMirror.children.lazy.map(\.value), path: path)
  }

  private mutating func compareElements<Elements: Collection>(
    _ old: Elements, _ new: Elements, path: String
  ) {
    guard old.count == new.count else {
      return beginAlike(old, new)
        ? append(removed: old.dropFirst(new.count), added: new.dropFirst(old.count), path: path)
        : append(StateDifference.Change(path: path, old: elements(old.count), new: elements(new.count)))
    }
    let areAlike = Likeness<Elements.Element>()
    for (position, (old, new)) in zip(old, new).enumerated() {
      guard mayCompare() else { return }
      if areAlike(old, new) { continue }
      lookInto(old, new, path: "\(path)[\(position)]")
      if isTruncated { return }
    }
  }

  /// Whether all elements of the shorter of two collections are those that the longer one begins with; not so when that
  /// takes more comparisons than are left.
  private mutating func beginAlike<Elements: Collection>(_ old: Elements, _ new: Elements) -> Bool {
    guard min(old.count, new.count) <= comparisons else { return false }
    var walk = self
    walk.changes = []
    let areAlike = Likeness<Elements.Element>()
    for (old, new) in zip(old, new) {
      if walk.mayCompare(), !areAlike(old, new) { walk.lookInto(old, new, path: "") }
      guard walk.changes.isEmpty, !walk.isTruncated else { break }
    }
    visits = walk.visits
    comparisons = walk.comparisons
    return walk.changes.isEmpty && !walk.isTruncated
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, path: String) {
    guard let old = (old as? any MemberSet) ?? (old as? Set<AnyHashable>),
      let new = (new as? any MemberSet) ?? (new as? Set<AnyHashable>)
    else {
      return note(old, new, path: path)
    }
    let count = max(old.count, new.count)
    guard count <= comparisons else {
      return noteCounts(old.count, new.count, path: path, elements)
    }
    guard let (removed, added) = old.differing(from: new) else { return note(old, new, path: path) }
    comparisons -= count
    append(removed: removed.inOrder.map(\.base), added: added.inOrder.map(\.base), path: path)
  }

  private mutating func compareEntries(_ old: Any, _ new: Any, path: String) {
    guard let old = (old as? any EntryTable) ?? (old as? [AnyHashable: Any]),
      let new = (new as? any EntryTable) ?? (new as? [AnyHashable: Any])
    else {
      return note(old, new, path: path)
    }
    let count = max(old.count, new.count)
    guard count <= comparisons else {
      return noteCounts(old.count, new.count, path: path, entries)
    }
    guard let pairs = old.differing(from: new) else { return note(old, new, path: path) }
    comparisons -= count
    compare(pairs, path: path)
  }

  private mutating func compare(_ pairs: [AnyHashable: EntryPair], path: String) {
    let keys = pairs.keys.inOrder
    let removed = texts.beyondFew(keys.filter { pairs[$0]?.new == nil })
    let added = texts.beyondFew(keys.filter { pairs[$0]?.old == nil })
    let counted = Set(removed).union(added)
    for key in keys where !counted.contains(key) {
      // What came and what went is known, whatever could not be looked into before it.
      guard let pair = pairs[key], !isTruncated || pair.old == nil || pair.new == nil else { continue }
      let place = "\(path)[\(texts.text(key.base))]"
      if let old = pair.old, let new = pair.new {
        lookInto(old, new, path: place)
      } else {
        append(
          StateDifference.Change(path: place, old: pair.old.map(texts.text), new: pair.new.map(texts.text)))
      }
    }
    guard !counted.isEmpty else { return }
    append(
      StateDifference.Change(
        path: path, old: removed.isEmpty ? nil : "and \(removed.count) more removed",
        new: added.isEmpty ? nil : "and \(added.count) more added", isStep: false))
  }

  // MARK: Limits

  /// Counts one comparison; says no, and that something was not looked at, when there are none left.
  private mutating func mayCompare() -> Bool {
    guard comparisons > 0 else {
      isTruncated = true
      return false
    }
    comparisons -= 1
    return true
  }

  /// Notes of two collections how many they hold, which is all that is known of those too large to be compared.
  private mutating func noteCounts(_ old: Int, _ new: Int, path: String, _ text: (Int) -> String) {
    guard old != new else {
      isTruncated = true
      return
    }
    append(StateDifference.Change(path: path, old: text(old), new: text(new)))
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

  private func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

  // MARK: Noting

  private mutating func note(_ old: Any, _ new: Any, path: String) {
    // Alike as far as can be told: described the same, and not comparable, or unequal even to themselves.
    if String(describing: old) == String(describing: new), !Likeness<Any>().areEqual(old, old) { return }
    let (old, new) = texts.texts(old, new)
    append(StateDifference.Change(path: path, old: old, new: new))
  }

  private mutating func append(removed: some Collection, added: some Collection, path: String) {
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
