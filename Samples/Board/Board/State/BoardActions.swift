import Flux

/// A change of the list that a client requests, and that the log stores.
package enum Change: Hashable, Sendable, Codable {
  case add(String)
  case edit(Item.ID, Edit)
  case remove(Item.ID)

  /// The new values of an item.
  ///
  /// If a property is `nil`, the item keeps its value.
  package struct Edit: Hashable, Sendable, Codable {
    package var text: String?
    package var isDone: Bool?
    /// The position, counted from 0.
    ///
    /// A position beyond the end means the last position.
    package var place: Int?

    package init(text: String? = nil, isDone: Bool? = nil, place: Int? = nil) {
      self.text = text
      self.isDone = isDone
      self.place = place
    }
  }
}

/// The result of a change.
package enum Answer: Equatable, Sendable {
  case added(Item, version: Int)
  case edited(Item, version: Int)
  case removed(Item, version: Int)
  /// No item has the id.
  case missing(Item.ID)
  /// The list has reached its capacity.
  case full
}

/// Requests a change.
struct Ask: Action {
  /// The number of the request to which the change belongs.
  let request: UInt64
  let change: Change
}

/// Records that a request reads the list.
struct Read: Action {}

/// Records that a list is on disk.
struct Saved: Action, CustomStringConvertible {
  let list: ItemList

  var description: String { "Saved(version: \(list.version))" }
}

/// Records that a page has begun to follow the board.
struct ListenerCame: Action {}

/// Records that a page no longer follows the board.
struct ListenerLeft: Action {}

/// Sends a message to every page, so that a lost connection is detected.
struct Beat: Action {}

/// Ends the event stream of every page.
struct End: Action {}
