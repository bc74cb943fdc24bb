import FluxCore

extension DifferenceWalk {
  /// Compares two versions of a value that tracks its own changes.
  mutating func compareVersions<Value: ChangeTracking>(
    _: Value.Type, _ old: Any, _ new: Any, path: PartPath
  ) {
    guard let old = old as? Value, let new = new as? Value else {
      return visit { $0.note(old, new, path: path) }
    }
    let part = PairType(Value.Part.self)
    var compared = 0
    let changes = new.changes(since: old, lookingAtMost: comparisons) {
      compared += 1
      return part.areAlike(unboxed: $0, $1)
    }
    guard let changes else { return noteCounts(old.count, new.count, path: path, ValueText.elements) }
    comparisons = max(0, comparisons - compared - changes.count { $0.kind.isAlone })
    if !changes.isEmpty { visit { $0.tell(changes, path: path) } }
  }

  private mutating func tell(_ changes: [PartChange], path: PartPath) {
    func beyondFew(_ isOfKind: (PartChange.Kind) -> Bool) -> ArraySlice<Int> {
      texts.beyondFew(changes.indices.filter { isOfKind(changes[$0].kind) })
    }
    let removed = beyondFew { if case .removed = $0 { true } else { false } }
    let inserted = beyondFew { if case .inserted = $0 { true } else { false } }
    let moved = beyondFew { if case .moved = $0 { true } else { false } }
    let counted = Set(removed).union(inserted).union(moved)
    // An element that moved and also changed has two changes. The id of an element with two
    // changes is compared with the secrets of both versions.
    let byID = redaction.isNone ? [:] : Dictionary(grouping: changes) { $0.id as? AnyHashable }
    for (number, change) in changes.enumerated() where !counted.contains(number) {
      if isTruncated, case .updated = change.kind { continue }
      let versions =
        redaction.isNone ? [] : (byID[change.id as? AnyHashable] ?? []).flatMap { $0.kind.versions }
      let place = texts.place(ofID: change.id, of: versions, in: path)
      switch change.kind {
      case .removed(let old):
        append(StateDifference.Change(path: place, old: texts.text(old, at: place), new: nil))
      case .inserted(let new):
        append(StateDifference.Change(path: place, old: nil, new: texts.text(new, at: place)))
      case .moved(_, let position):
        append(
          StateDifference.Change(
            path: place, old: nil, new: "moved to position \(position)", isStep: false, isMove: true))
      case .updated(let old, let new): lookInto(old, new, path: place)
      }
    }
    appendCounts(removed: removed.count, added: inserted.count, path: path)
    if !moved.isEmpty {
      append(
        StateDifference.Change(
          path: path, old: nil, new: "and \(moved.count) more moved", isStep: false, isMove: true))
    }
  }
}
