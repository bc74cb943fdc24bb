import Flux

/// The state of the board.
package struct BoardState: FluxState {
  /// The list with every change.
  package var newest: ItemList
  /// The list as it is on disk: what is shown, since nothing of it can be lost.
  package var saved: ItemList
  /// What became of the last change that was asked for.
  package var answer: Answer?

  package var requests = 0
  package var listeners = 0
  package var beats = 0
  package var isEnding = false

  /// - Parameter list: The list as it is on disk.
  package init(_ list: ItemList) {
    newest = list
    saved = list
  }

  /// How many items there may be.
  package static let capacity = 1_000
}

/// What a page is told of.
package struct Shown: Equatable, Sendable {
  package let list: ItemList
  package let beats: Int
  package let isEnding: Bool

  package init(_ state: BoardState) {
    (list, beats, isEnding) = (state.saved, state.beats, state.isEnding)
  }
}
