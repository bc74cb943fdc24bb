import Flux

struct Shelf: FluxState {
  var books: [Int: String] = [:]
}

struct SetBook: Action {
  let id: Int
  let title: String
}

func shelfReducer(state: Shelf, action: Action) -> Shelf {
  var state = state
  if let action = action as? SetBook { state.books[action.id] = action.title }
}  // refused: missing return in global function expected to return 'Shelf'

let shelfHandlers: ActionHandlers<Shelf> = onReturning(SetBook.self) { state, action in
  var state = state
  state.books[action.id] = action.title
}  // refused: missing return in closure expected to return 'Shelf'
