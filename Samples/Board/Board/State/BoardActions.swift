import Flux

/// A change of the list: what a request asks for, and what the journal keeps.
package enum Change: Hashable, Sendable, Codable {
  case add(String)
  case edit(Item.ID, Edit)
  case remove(Item.ID)

  /// What is to be another about an item: what is `nil` stays.
  package struct Edit: Hashable, Sendable, Codable {
    package var text: String?
    package var isDone: Bool?
    /// Its position, counted from 0; one beyond the end is the last.
    package var place: Int?

    package init(text: String? = nil, isDone: Bool? = nil, place: Int? = nil) {
      self.text = text
      self.isDone = isDone
      self.place = place
    }
  }
}

/// What became of a change that was asked for.
package enum Answer: Equatable, Sendable {
  case added(Item, version: Int)
  case edited(Item, version: Int)
  case removed(Item, version: Int)
  /// There is no item with that id.
  case missing(Item.ID)
  /// There is no room for another item.
  case full
}

/// Asks for a change.
struct Ask: Action {
  /// Which request it belongs to.
  let request: UInt64
  let change: Change
}

/// Notes that somebody reads the list.
struct Read: Action {}

/// Notes that a list is on disk.
struct Saved: Action, CustomStringConvertible {
  let list: ItemList

  var description: String { "Saved(version: \(list.version))" }
}

/// Notes that a page has begun to follow the board.
struct ListenerCame: Action {}

/// Notes that a page follows the board no more.
struct ListenerLeft: Action {}

/// Has something sent to every page, so that one that has gone is noticed.
struct Beat: Action {}

/// Says good-bye to every page.
struct End: Action {}
