import FluxCollections

/// Groups of items with equal keys, in the order of their first items.
///
/// An update with k changed items is O(k log² n) for n items, and calls the key closure at most k
/// times. If it is unknown which items of the list have changed, all items are grouped again.
struct KeyGrouping<Item: Identifiable & Sendable>: ListGrouping where Item.ID: Sendable {
  private let key: @Sendable (Item) -> String
  private var list = OrderedState<Item>()
  /// The key of the group of each item.
  private var keys: [Item.ID: String] = [:]
  private var ordered = OrderedState<ListGroupOfItems<Item>>()

  init(by key: @escaping @Sendable (Item) -> String) {
    self.key = key
  }

  var groups: [ListGroupOfItems<Item>] { Array(ordered) }

  mutating func update(to new: OrderedState<Item>) {
    let changed = new.changedIDs(since: list.stamp)
    list = new
    guard let changed else { return regroup() }
    let perhapsMoved = Set(changed)
    // For each changed group, the ID of the item that was first in the group before the update.
    // The position of a group is the position of its first item.
    var firsts: [String: Item.ID?] = [:]
    // All changed items are removed before any item is inserted. An item can be inserted only
    // while the other items of the group are in the order of the list.
    for id in changed {
      guard let group = keys.removeValue(forKey: id) else { continue }
      touch(group, &firsts)
      ordered.update(group) { $0.items.remove(id: id) }
    }
    for id in changed {
      guard let item = list[id: id] else { continue }
      let group = key(item)
      touch(group, &firsts)
      keys[id] = group
      put(item, into: group)
    }
    let moved = firsts.filter { group, first in
      guard let now = ordered[id: group]?.items.first?.id else { return true }
      return now != first || perhapsMoved.contains(now)
    }
    place(moved.keys)
  }

  private mutating func regroup() {
    ordered = OrderedState()
    keys = [:]
    for item in list {
      let group = key(item)
      keys[item.id] = group
      if !ordered.update(group, { $0.items.append(item) }) {
        ordered.append(ListGroupOfItems(id: group, items: [item]))
      }
    }
  }

  private func touch(_ group: String, _ firsts: inout [String: Item.ID?]) {
    if firsts[group] == nil { firsts[group] = .some(ordered[id: group]?.items.first?.id) }
  }

  private mutating func put(_ item: Item, into group: String) {
    ordered.add(ListGroupOfItems(id: group))
    let position = list.position(of: item.id) ?? list.count
    ordered.update(group) { [list] group in
      let place = group.items.firstPosition { (list.position(of: $0.id) ?? 0) > position }
      group.items.insert(item, at: place)
    }
  }

  /// Moves groups to the positions of their first items, and removes empty groups.
  private mutating func place(_ moved: some Sequence<String>) {
    let groups = moved.compactMap { ordered.remove(id: $0) }
    for group in groups {
      guard let position = group.items.first.flatMap({ list.position(of: $0.id) }) else { continue }
      let place = ordered.firstPosition { other in
        other.items.first.flatMap { list.position(of: $0.id) }.map { $0 > position } ?? false
      }
      ordered.insert(group, at: place)
    }
  }
}

extension OrderedState {
  /// Returns the first position whose element satisfies a predicate, or the end position if no
  /// element satisfies the predicate.
  ///
  /// If an element satisfies the predicate, all elements after it must satisfy the predicate
  /// too.
  fileprivate func firstPosition(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
