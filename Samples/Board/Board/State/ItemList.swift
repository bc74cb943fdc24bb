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
  /// The last change of each client that gives its changes keys.
  ///
  /// The client whose last change is the oldest is the first.
  package private(set) var lastChanges = OrderedState<LastChange>()

  /// The number of clients whose last change the list contains.
  package static let clientCapacity = 1_000

  package init() {}

  /// Applies a change, unless the change would have no effect, or was applied before.
  ///
  /// The result depends only on the list and the change, so a log of changes reproduces the
  /// list. A change with a key always makes a version, because the log must contain its number.
  package mutating func apply(_ change: Change, key: ChangeKey? = nil) -> Answer {
    guard let key else { return perform(change, makesVersion: false) }
    if let answer = answer(toRepeated: change, key: key) { return answer }
    let answer = perform(change, makesVersion: true)
    let requested = if case .refused(let requested) = change { requested } else { change }
    lastChanges.append(LastChange(id: key.client, number: key.number, change: requested, answer: answer))
    if lastChanges.count > Self.clientCapacity { lastChanges.remove(at: 0) }
    return answer
  }

  /// Returns the answer to a change that was applied or refused before, or `nil` if the change is
  /// new.
  package func answer(toRepeated change: Change, key: ChangeKey) -> Answer? {
    guard let last = lastChanges[id: key.client], key.number <= last.number else { return nil }
    if key.number < last.number { return .superseded }
    return change == last.change ? last.answer : .reused
  }

  private mutating func perform(_ change: Change, makesVersion: Bool) -> Answer {
    switch change {
    case .add(let text):
      let item = Item(id: nextID, text: text)
      items.append(item)
      nextID += 1
      version += 1
      return .added(item, version: version)
    case .edit(let id, let edit):
      guard let old = items[id: id], let position = items.position(of: id) else {
        if makesVersion { version += 1 }
        return .missing(id)
      }
      var item = old
      item.text = edit.text ?? item.text
      item.isDone = edit.isDone ?? item.isDone
      let place = min(edit.place ?? position, items.count - 1)
      if item != old || place != position { items.insert(item, at: place) }
      if item != old || place != position || makesVersion { version += 1 }
      return .edited(item, version: version)
    case .remove(let id):
      let item = items.remove(id: id)
      if item != nil || makesVersion { version += 1 }
      return item.map { .removed($0, version: version) } ?? .missing(id)
    case .refused:
      version += 1
      return .full
    }
  }
}
