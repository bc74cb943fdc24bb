import Flux

/// The wish list: the ids of films, in the order in which they were added.
struct Wishes: FluxState, Equatable {
  var films: [Int] = []
}

/// Adds a film to the wish list, or removes it.
struct SetWish: Action {
  let film: Int
  let isWished: Bool
}

/// Removes films from the wish list.
struct RemoveWishes: Action {
  let films: [Int]
}

let wishReducer = ActionHandlers<Wishes> {
  on(SetWish.self) { wishes, action in
    wishes.films.removeAll { $0 == action.film }
    if action.isWished { wishes.films.append(action.film) }
  }
  on(RemoveWishes.self) { wishes, action in
    wishes.films.removeAll { action.films.contains($0) }
  }
}

/// The steps that the history of the wish list allows.
///
/// The history is an object. Its status is a part of the state, so that views map only the state.
struct UndoStatus: FluxState, Equatable {
  var canUndo = false
  var canRedo = false
}

extension Plugin<AppState> {
  /// Returns a plug-in that copies the status of a history to the state.
  ///
  /// Put the plug-in before the plug-in of the history.
  static func undoStatus(of history: History<Wishes>) -> Plugin {
    Plugin(wrapReducer: { reducer in
      { state, action in
        reducer(&state, action)
        state.undo = UndoStatus(canUndo: history.canUndo, canRedo: history.canRedo)
      }
    })
  }
}
