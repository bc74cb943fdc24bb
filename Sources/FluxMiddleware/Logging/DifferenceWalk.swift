import FluxCore

/// An algorithm that walks through two values side by side and records their differences.
struct DifferenceWalk {
  private(set) var changes: [StateDifference.Change] = []
  /// A Boolean value that indicates whether a change was omitted or a value was not compared.
  private(set) var isTruncated = false

  private let maximumChanges: Int
  let texts: ValueText
  let redaction: Redaction
  /// A Boolean value that indicates whether the walk is inside a secret value.
  ///
  /// Inside a secret value, the algorithm determines only whether the value has changed.
  private var isHidden = false
  /// The number of pairs of values that the walk can still examine part by part.
  var visits: Int
  /// The number of pairs of values that the walk can still compare.
  var comparisons: Int
  /// The current depth of the walk, which is limited so that a long chain of objects does not
  /// exhaust the stack.
  private var depth = 0
  private static let maximumDepth = 100

  init(limits: StateDifference.Limits, redaction: Redaction) {
    maximumChanges = max(0, limits.changes)
    visits = max(0, limits.visits)
    comparisons = max(0, limits.comparisons)
    self.redaction = redaction
    texts = ValueText(characters: max(0, limits.characters), redaction: redaction)
  }

  mutating func compare(_ old: Any, _ new: Any, path: PartPath) {
    guard mayCompare() else { return }
    let type = PairType(old, new)
    if type.tracksChanges(old) || !type.areAlike(old, new) { lookInto(old, new, type, path: path) }
  }

  /// Records the differences between two values that are not alike, or that track their own
  /// changes.
  mutating func lookInto(_ old: Any, _ new: Any, path: PartPath) {
    lookInto(old, new, PairType(old, new), path: path)
  }

  mutating func lookInto(_ old: Any, _ new: Any, _ type: PairType, path: PartPath) {
    if !path.isWhole, !isHidden, redaction.hides(nil, at: path) {
      return compareHidden(old, new, path: path)
    }
    if let tracking = type.changeTracking(old) { return compareVersions(tracking, old, new, path: path) }
    visit { $0.compareByKind(old, new, type, path: path) }
  }

  mutating func visit(_ look: (inout DifferenceWalk) -> Void) {
    guard visits > 0, depth < Self.maximumDepth else {
      isTruncated = true
      return
    }
    visits -= 1
    depth += 1
    look(&self)
    depth -= 1
  }

  private mutating func compareByKind(_ old: Any, _ new: Any, _ type: PairType, path: PartPath) {
    switch type.parts {
    case .fields(let fields): compareFields(fields, old, new, type, path: path)
    case .payload: note(old, new, type, path: path)
    case .mirrored: compareByMirrors(old, new, type, path: path)
    }
  }

  private mutating func compareByMirrors(_ old: Any, _ new: Any, _ type: PairType, path: PartPath) {
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
      compareProperties(old, new, oldMirror, newMirror, type, path: path)
    }
  }

  // MARK: Kinds of values

  /// Records a change without its values if a secret value has changed.
  mutating func compareHidden(_ old: Any, _ new: Any, path: PartPath) {
    var walk = self
    walk.changes = []
    walk.isHidden = true
    walk.compare(old, new, path: path)
    visits = walk.visits
    comparisons = walk.comparisons
    if walk.isTruncated { isTruncated = true }
    if !walk.changes.isEmpty {
      append(StateDifference.Change(path: path, old: Redaction.mark, new: Redaction.mark))
    }
  }

  private mutating func compareOptionals(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, path: PartPath
  ) {
    switch (oldMirror.children.first?.value, newMirror.children.first?.value) {
    case (let old?, let new?): compare(old, new, path: path)
    case (nil, nil): return
    case (nil, _?), (_?, nil): note(old, new, path: path)
    }
  }

  private mutating func compareCollections(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, path: PartPath
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
    _ old: Elements, _ new: Elements, path: PartPath
  ) {
    guard old.count == new.count else {
      return beginAlike(old, new)
        ? append(
          removed: old.dropFirst(new.count), added: new.dropFirst(old.count), path: path,
          from: min(old.count, new.count))
        : noteCounts(old.count, new.count, path: path, ValueText.elements)
    }
    compareInOrder(old, new) { walk, position, old, new in
      walk.lookInto(old, new, path: path.element(at: position))
      return !walk.isTruncated
    }
  }

  /// Returns whether each element of the shorter collection and the element at its position in
  /// the longer collection are alike.
  ///
  /// If comparing the values requires more comparisons than remain, the method returns `false`.
  private mutating func beginAlike<Elements: Collection>(_ old: Elements, _ new: Elements) -> Bool {
    guard min(old.count, new.count) <= comparisons else { return false }
    var walk = self
    walk.changes = []
    walk.compareInOrder(old, new) { walk, _, old, new in
      walk.lookInto(old, new, path: .whole)
      return walk.changes.isEmpty && !walk.isTruncated
    }
    visits = walk.visits
    comparisons = walk.comparisons
    return walk.changes.isEmpty && !walk.isTruncated
  }

  /// Compares the elements at the same positions, and calls a closure with each pair of elements
  /// that are not alike.
  ///
  /// The comparison continues while the closure returns `true`.
  private mutating func compareInOrder<Elements: Collection>(
    _ old: Elements, _ new: Elements,
    unlike: (inout DifferenceWalk, _ position: Int, _ old: Elements.Element, _ new: Elements.Element) -> Bool
  ) {
    let count = min(old.count, new.count)
    let mayBeCompared = min(count, comparisons)
    withRow(of: old, mayBeCompared) { old in
      withRow(of: new, mayBeCompared) { new in
        if old.baseAddress == new.baseAddress { return }
        let areAlike = Likeness<Elements.Element>()
        var position = 0
        while position < count {
          // The closure also makes comparisons, so `end` is computed again after each call.
          let end = min(count, position + comparisons)
          let unlikeAt = areAlike.firstUnlike(old, new, in: position..<end)
          comparisons -= (unlikeAt.map { $0 + 1 } ?? end) - position
          guard let unlikeAt else {
            if end < count { isTruncated = true }
            return
          }
          guard unlike(&self, unlikeAt, old[unlikeAt], new[unlikeAt]) else { return }
          position = unlikeAt + 1
        }
      }
    }
  }

  /// Calls a closure with the elements of a collection in contiguous memory.
  ///
  /// If the elements are not contiguous, the closure receives a copy of at most `most`
  /// elements.
  private func withRow<Elements: Collection>(
    of elements: Elements, _ most: Int, _ look: (UnsafeBufferPointer<Elements.Element>) -> Void
  ) {
    if elements.withContiguousStorageIfAvailable(look) == nil {
      ContiguousArray(elements.prefix(most)).withUnsafeBufferPointer(look)
    }
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, path: PartPath) {
    guard let old = (old as? any MemberSet) ?? (old as? Set<AnyHashable>),
      let new = (new as? any MemberSet) ?? (new as? Set<AnyHashable>)
    else {
      return note(old, new, path: path)
    }
    if old.isIdentical(to: new) { return }
    let count = max(old.count, new.count)
    guard count <= comparisons else {
      return noteCounts(old.count, new.count, path: path, ValueText.elements)
    }
    guard let (removed, added) = old.differing(from: new) else { return note(old, new, path: path) }
    comparisons -= count
    append(removed: removed.inOrder.map(\.base), added: added.inOrder.map(\.base), path: path)
  }

  private mutating func compareEntries(_ old: Any, _ new: Any, path: PartPath) {
    guard let old = (old as? any EntryTable) ?? (old as? [AnyHashable: Any]),
      let new = (new as? any EntryTable) ?? (new as? [AnyHashable: Any])
    else {
      return note(old, new, path: path)
    }
    if old.isIdentical(to: new) { return }
    let count = max(old.count, new.count)
    guard count <= comparisons else {
      return noteCounts(old.count, new.count, path: path, ValueText.entries)
    }
    guard let pairs = old.differing(from: new) else { return note(old, new, path: path) }
    comparisons -= count
    compare(pairs, path: path)
  }

  private mutating func compare(_ pairs: [AnyHashable: EntryPair], path: PartPath) {
    let keys = pairs.keys.inOrder
    let removed = texts.beyondFew(keys.filter { pairs[$0]?.new == nil })
    let added = texts.beyondFew(keys.filter { pairs[$0]?.old == nil })
    let counted = Set(removed).union(added)
    for key in keys where !counted.contains(key) {
      // Even if an earlier entry could not be examined, it is known which entries were removed
      // and added.
      guard let pair = pairs[key], !isTruncated || pair.old == nil || pair.new == nil else { continue }
      let place = texts.place(of: key.base, of: [pair.old, pair.new].compactMap(\.self), in: path)
      let isHidden = redaction.hides(String(describing: KeyText.unwrapped(key)), at: place)
      switch (pair.old, pair.new) {
      case (let old?, let new?) where isHidden: compareHidden(old, new, path: place)
      case (let old?, let new?): lookInto(old, new, path: place)
      case (let old, let new):
        let text = { isHidden ? Redaction.mark : texts.text($0, at: place) }
        append(StateDifference.Change(path: place, old: old.map(text), new: new.map(text)))
      }
    }
    appendCounts(removed: removed.count, added: added.count, path: path)
  }

  // MARK: Limits

  /// Counts one comparison and returns `true`, or marks the result as truncated and returns
  /// `false` if no comparisons remain.
  mutating func mayCompare() -> Bool {
    guard comparisons > 0 else {
      isTruncated = true
      return false
    }
    comparisons -= 1
    return true
  }

  /// Records the sizes of two collections that are too large to be compared.
  mutating func noteCounts(_ old: Int, _ new: Int, path: PartPath, _ text: (Int) -> String) {
    guard old != new else {
      isTruncated = true
      return
    }
    append(StateDifference.Change(path: path, old: text(old), new: text(new)))
  }

  // MARK: Recording changes

  mutating func note(_ old: Any, _ new: Any, path: PartPath) {
    note(old, new, PairType(old, new), path: path)
  }

  mutating func note(_ old: Any, _ new: Any, _ type: PairType, path: PartPath) {
    // If the descriptions are equal, and the old value has no `==` or is not equal to itself, no
    // difference between the values can be determined.
    if !type.areEqual(old, old), String(describing: old) == String(describing: new) { return }
    let (old, new) = texts.texts(old, new, at: path)
    append(StateDifference.Change(path: path, old: old, new: new))
  }

  /// Records removed and added elements, whose positions begin at a given position.
  private mutating func append(
    removed: some Collection, added: some Collection, path: PartPath, from position: Int = 0
  ) {
    append(
      StateDifference.Change(
        path: path, old: texts.list(removed, sign: "-", at: path, from: position),
        new: texts.list(added, sign: "+", at: path, from: position), isStep: false))
  }

  /// Records how many further elements were removed and added, without listing them.
  mutating func appendCounts(removed: Int, added: Int, path: PartPath) {
    guard removed + added > 0 else { return }
    append(
      StateDifference.Change(
        path: path, old: removed == 0 ? nil : "and \(removed) more removed",
        new: added == 0 ? nil : "and \(added) more added", isStep: false))
  }

  mutating func append(_ change: StateDifference.Change) {
    guard changes.count < maximumChanges else {
      isTruncated = true
      return
    }
    changes.append(change)
  }
}
