import Flux

/// The state of the board.
package struct BoardState: FluxState {
  /// The lists, and the changes that the log does not contain yet.
  package var changes: ChangeRules
  /// The result of the last change.
  package var answer: Answer?

  package var requests = 0
  package var listeners = 0
  package var beats = 0
  package var isEnding = false

  /// - Parameter list: The list in the log.
  package init(_ list: ItemList) {
    changes = ChangeRules(list)
  }

  /// The list with every change.
  package var newest: ItemList { changes.newest }
  /// The list in the log, which is shown to clients because no part of it can be lost.
  package var saved: ItemList { changes.saved }

  /// The maximum number of items.
  package static let capacity = 1_000
}

/// The part of the state that a page receives.
package struct Shown: Equatable, Sendable {
  package let list: ItemList
  package let beats: Int
  package let isEnding: Bool

  package init(_ state: BoardState) {
    (list, beats, isEnding) = (state.saved, state.beats, state.isEnding)
  }
}
