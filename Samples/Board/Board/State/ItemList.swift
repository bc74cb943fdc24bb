package import Flux

/// Something to do.
package struct Item: FluxState, Equatable, Codable, Identifiable {
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

/// What stands on the board, and how often it has changed.
package struct ItemList: FluxState, Equatable, Codable {
  /// One more with each change, also from one run of the program to the next.
  package private(set) var version = 0
  package private(set) var items = OrderedState<Item>()
  private var nextID = 1

  package init() {}

  /// Makes a change, unless there is nothing to change.
  ///
  /// It depends on nothing but the list and the change, so that a journal of changes makes the same list again.
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
