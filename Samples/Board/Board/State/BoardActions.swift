import Flux

/// A change of the list that a client requests, and that the log stores.
package indirect enum Change: Hashable, Sendable, Codable {
  case add(String)
  case edit(Item.ID, Edit)
  case remove(Item.ID)
  /// A change with a key that the board refused, because the list had reached its capacity.
  ///
  /// The log stores it, so that its request is recognized if it is repeated.
  case refused(Change)

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
package enum Answer: Hashable, Sendable, Codable {
  case added(Item, version: Int)
  case edited(Item, version: Int)
  case removed(Item, version: Int)
  /// No item has the id.
  case missing(Item.ID)
  /// The list has reached its capacity.
  case full
  /// The board has decided about a later change of the client, and no longer knows the answer.
  case superseded
  /// The client has used the key for another change.
  case reused
}

/// Requests a change.
package struct Ask: Action, Hashable {
  /// The number of the request to which the change belongs.
  package let request: UInt64
  package let change: Change
  package let key: ChangeKey?

  package init(request: UInt64, change: Change, key: ChangeKey? = nil) {
    self.request = request
    self.change = change
    self.key = key
  }
}

/// Records that a request reads the list.
struct Read: Action {}

/// Records that the log contains the changes of the oldest requests.
struct Appended: Action {
  /// The number of requests.
  let count: Int
}

/// Records the list that the log makes, with the changes of other processes.
struct LogRead: Action, CustomStringConvertible {
  let list: ItemList

  var description: String { "LogRead(version: \(list.version))" }
}

/// Records that the log has reached a version, because another process has appended changes.
struct LogEnd: Action {
  let version: Int
}

/// Records that the log cannot be reached.
struct LogLost: Action {}

/// Records that a page has begun to follow the board.
struct ListenerCame: Action {}

/// Records that a page no longer follows the board.
struct ListenerLeft: Action {}

/// Sends a message to every page, so that a lost connection is detected.
struct Beat: Action {}

/// Ends the event stream of every page.
struct End: Action {}
