import FluxCollections

/// A type that divides a list into groups, and updates the groups when the list changes.
protocol ListGrouping<Item>: Sendable {
  associatedtype Item: Identifiable & Sendable where Item.ID: Sendable

  var groups: [ListGroupOfItems<Item>] { get }

  /// Updates the groups to match another version of the list.
  mutating func update(to new: OrderedState<Item>)
}

/// A group of items.
struct ListGroupOfItems<Item: Identifiable & Sendable>: Identifiable, Sendable where Item.ID: Sendable {
  let id: String
  var items = OrderedState<Item>()
}

/// A grouping with all items in one group.
struct WholeGrouping<Item: Identifiable & Sendable>: ListGrouping where Item.ID: Sendable {
  private var group: ListGroupOfItems<Item>

  init(id: String) {
    group = ListGroupOfItems(id: id)
  }

  var groups: [ListGroupOfItems<Item>] { [group] }

  mutating func update(to new: OrderedState<Item>) {
    group.items = new
  }
}

/// A grouping with a fixed number of items in each group.
///
/// The groups before the first changed item stay the same, so appending k items is O(k log n).
struct ChunkGrouping<Item: Identifiable & Sendable>: ListGrouping where Item.ID: Sendable {
  private let size: Int
  private var list = OrderedState<Item>()
  private(set) var groups: [ListGroupOfItems<Item>] = []

  init(of size: Int) {
    self.size = size
  }

  mutating func update(to new: OrderedState<Item>) {
    guard new.stamp != list.stamp else { return }
    let changed = new.changedIDs(since: list.stamp)
    if let changed, let places = places(of: changed, in: new) {
      // No item has moved, so only the changed items are updated.
      list = new
      for place in places {
        groups[place / size].items.update(at: place % size) { $0 = new[place] }
      }
      return
    }
    let positions = changed?.flatMap { [list.position(of: $0), new.position(of: $0)].compactMap(\.self) }
    // If it is unknown which items have changed, every group is rebuilt.
    let kept = positions.map { $0.min() ?? new.count } ?? 0
    list = new
    groups.removeLast(groups.count - min(groups.count, kept / size))
    while groups.count * size < new.count {
      let start = groups.count * size
      let items = new[start..<min(start + size, new.count)]
      groups.append(ListGroupOfItems(id: "\(groups.count + 1)", items: OrderedState(items)))
    }
  }

  /// Returns the positions of the changed items, or `nil` if an item was inserted, removed, or
  /// moved.
  private func places(of changed: [Item.ID], in new: OrderedState<Item>) -> [Int]? {
    guard new.count == list.count else { return nil }
    var places: [Int] = []
    for id in changed {
      guard let place = new.position(of: id), place == list.position(of: id) else { return nil }
      places.append(place)
    }
    return places
  }
}
