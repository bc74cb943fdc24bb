package import Flux

/// A task on the board.
package struct Item: FluxState, Hashable, Codable, Identifiable {
  package let id: Int
  package var text: String
  package var isDone = false

  package init(id: Int, text: String, isDone: Bool = false) {
    self.id = id
    self.text = text
    self.isDone = isDone
  }

  private enum CodingKeys: String, CodingKey {
    case id, text
    case isDone = "done"
  }
}

/// The items on the board, and the number of changes.
package struct ItemList: FluxState, Hashable, Codable {
  /// The number of changes, which continues to grow after a restart of the program.
  package private(set) var version = 0
  package private(set) var items = OrderedState<Item>()
  private var nextID = 1

  package init() {}

  /// Applies a change, unless the change would have no effect.
  ///
  /// The result depends only on the list and the change, so a log of changes reproduces the
  /// list.
  package mutating func apply(_ change: Change) -> Answer {
    switch change {
    case .add(let text):
      let item = Item(id: nextID, text: text)
      items.append(item)
      nextID += 1
      version += 1
      return .added(item, version: version)
    case .edit(let id, let edit):
      guard let old = items[id: id], let position = items.position(of: id) else { return .missing(id) }
      var item = old
      item.text = edit.text ?? item.text
      item.isDone = edit.isDone ?? item.isDone
      let place = min(edit.place ?? position, items.count - 1)
      if item != old || place != position {
        items.insert(item, at: place)
        version += 1
      }
      return .edited(item, version: version)
    case .remove(let id):
      guard let item = items.remove(id: id) else { return .missing(id) }
      version += 1
      return .removed(item, version: version)
    }
  }
}
