extension OrderedState {
  /// A description of an inconsistency in the storage, or `nil` if there is none, for tests.
  ///
  /// - Complexity: O(n).
  package var inconsistency: String? { storage.inconsistency }
}

extension ListStorage {
  @usableFromInline var inconsistency: String? {
    var position = 0
    let numbers = order.allLeaves
    for number in numbers {
      let elements = leaves[number]
      if elements.isEmpty { return "leaf \(number) is empty" }
      if elements.count > shape.leaf { return "leaf \(number) has \(elements.count) elements" }
      if order.position(of: number) != position { return "leaf \(number) does not stand at \(position)" }
      for (offset, element) in elements.enumerated() {
        let slot = slots[number].slot(at: offset)
        if slots[number].position(of: slot) != offset { return "slot \(slot) is not at \(offset)" }
        guard let location = location(of: element.id) else { return "\(element.id) is not in the index" }
        if location != Location(leaf: number, slot: slot) { return "\(element.id) is elsewhere" }
        let (found, at) = order.find(position)
        if found != number || at != offset { return "position \(position) leads to \(found), \(at)" }
        position += 1
      }
      let taken = slots[number].taken.nonzeroBitCount
      if taken != elements.count { return "leaf \(number) has \(taken) slots taken" }
    }
    if position != index.count { return "\(position) elements, \(index.count) in the index" }
    return index.inconsistency ?? order.inconsistency(leaves: numbers.count)
  }
}

extension HashIndex {
  var inconsistency: String? {
    var sum = 0
    for number in 0..<pages.count {
      let entries = pages[number].entries.filter { $0 != HashPage.empty }
      if entries.count != pages[number].count { return "page \(number) has \(entries.count) entries" }
      if entries.count == pages[number].entries.count { return "page \(number) is full" }
      if entries.contains(where: { page(of: $0 >> Location.width) != number }) {
        return "page \(number) has what is not its own"
      }
      sum += entries.count
    }
    if pages.count > mask + 1 || pages.count <= (mask + 1) / 2 { return "\(pages.count) pages, mask \(mask)" }
    return sum == count ? nil : "\(sum) entries in pages, not \(count)"
  }
}

extension OrderTree {
  func inconsistency(leaves: Int) -> String? {
    if levels[levels.count - 1].groups[root].parent != -1 { return "the root has a parent" }
    return inconsistency(of: root, level: levels.count - 1)
      ?? ((last == nil) == (leaves == 0) ? nil : "the tree has other leaves")
  }

  private func inconsistency(of number: Int, level: Int) -> String? {
    let group = levels[level].groups[number]
    if group.children.count > capacity { return "group \(number) has \(group.children.count) children" }
    if group.children.count < (number == root && level == levels.count - 1 ? min(level, 1) * 2 : 1) {
      return "group \(number) of level \(level) has \(group.children.count) children"
    }
    for child in group.children {
      let parent = level == 0 ? parents[child.number] : levels[level - 1].groups[child.number].parent
      if parent != number { return "\(child.number) does not know group \(number)" }
      guard level > 0 else { continue }
      let total = levels[level - 1].groups[child.number].total
      if total != child.count { return "group \(child.number) has \(total) elements, not \(child.count)" }
      if let found = inconsistency(of: child.number, level: level - 1) { return found }
    }
    return nil
  }
}
