import Flux

struct Shelf: FluxState {
  var books: [Int: String] = [:]
  var isLoading = false
}

struct Other: FluxState {}

struct SetBook: Action {
  let id: Int
  let title: String
}

final class Cache {
  var hits = 0
}

func fetch() async throws -> String { "" }
func shelfReducer(state: Shelf, action: Action) -> Shelf { state }
func otherReducer(state: Other, action: Action) -> Other { state }
func otherInPlace(state: inout Other, action: Action) {}
let otherHandlers: ActionHandlers<Other> = on(SetBook.self) { state, action in }
let shelfHandlers: ActionHandlers<Shelf> = on(SetBook.self) { state, action in }
let logging: Middleware<Shelf> = { dispatch, getState in { next in { action in next(action) } } }
let otherLogging: Middleware<Other> = { dispatch, getState in { next in { action in next(action) } } }

// MARK: - A misspelled member

let misspelled = ActionHandlers<Shelf> {
  on(SetBook.self) { state, action in
    state.isLoading = false
    state.boks[action.id] = action.title  // refused: value of type 'Shelf' has no member 'boks'
  }
}
let misspelledInBranch: ActionHandlers<Shelf> = on(SetBook.self) { state, action in
  state.isLoading = false
  if action.id > 0 {
    state.books[action.id] = action.titel  // refused: value of type 'SetBook' has no member 'titel'
  }
}
let misspelledAmongOthers: ActionHandlers<Shelf> = combine(
  on(SetBook.self) { state, action in
    state.isLoading = false
    state.books[action.id] = action.title
  },
  on(SetBook.self) { state, action in
    state.isLoading = false
    state.books[action.id] = action.titel  // refused: value of type 'SetBook' has no member 'titel'
  })
let misspelledReturning: ActionHandlers<Shelf> = onReturning(SetBook.self) { state, action in
  var state = state
  state.boks[action.id] = action.title  // refused: value of type 'Shelf' has no member 'boks'
  return state
}
let misspelledInStore = Store<Shelf>(
  reducer: { state, action in
    var state = state
    state.boks[1] = "A"  // refused: value of type 'Shelf' has no member 'boks'
    return state
  }, state: Shelf())
let misspelledInMiddleware = Store(
  reducer: shelfReducer,
  middleware: [
    { dispatch, getState in
      { next in
        { action in
          if getState()?.boks.isEmpty == true { return }  // refused: 'Shelf' has no member 'boks'
          next(action)
        }
      }
    }
  ], state: Shelf())
let wrongValue: ActionHandlers<Shelf> = on(SetBook.self) { state, action in
  state.isLoading = false
  state.books[action.id] = 7  // refused: cannot assign value of type 'Int' to subscript of type 'String'
}

// MARK: - Another type of state

let other = Store(reducer: otherReducer, state: Shelf())  // refused: the store's state type first
let otherMutating = Store<Shelf>(reducer: otherInPlace, state: Shelf())  // refused: state type first
let otherTable = Store(reducer: otherHandlers, state: Shelf())  // refused: the store's state type first
let otherPart = ActionHandlers<Shelf> {
  otherHandlers  // refused: cannot convert value of type 'ActionHandlers<Other>'
}
let otherMiddleware = Store(  // refused: middleware and plug-ins must have the store's state type
  reducer: shelfReducer, middleware: [otherLogging], state: Shelf())
let otherAmongMiddleware = Store(  // refused: middleware and plug-ins must have the store's state type
  reducer: shelfReducer, middleware: [logging, otherLogging], state: Shelf())
let otherAfterHandlers = Store<Shelf>(  // refused: middleware and plug-ins must have the store's state type
  reducer: shelfHandlers, middleware: [otherLogging], state: Shelf())
let otherPlugin = Store(  // refused: middleware and plug-ins must have the store's state type
  reducer: shelfReducer, plugins: [Plugin<Other>()], state: Shelf())

// MARK: - A reducer that returns

let returned: ActionHandlers<Shelf> = on(SetBook.self) { state, action in
  var state = state
  state.books[action.id] = action.title
  return state  // refused: cannot convert value of type 'Shelf' to closure result type 'Void'
}
let dropped: ActionHandlers<Shelf> = on(SetBook.self) { state, action in
  Shelf(books: [action.id: action.title])  // warned: result of 'Shelf' initializer is unused
}
let assigned: ActionHandlers<Shelf> = onReturning(SetBook.self) { state, action in
  state.books[action.id] = action.title  // refused: type '()' to closure result type 'Shelf'
}
// MARK: - Names and orders of other libraries

func actionFirst(action: Action, state: Shelf?) -> Shelf { state ?? Shelf() }
let swapped = Store(reducer: actionFirst, state: Shelf())  // refused: a non-optional state of the store's
let added = Store(reducer: shelfReducer + shelfReducer, state: Shelf())  // refused: use 'combine(_:_:)'
let addedTables = Store(reducer: shelfHandlers + shelfHandlers, state: Shelf())  // refused: 'combine(_:_:)'

func calls(_ store: Store<Shelf>) async {
  _ = store.proxy(for: Shelf.self)  // refused: use 'proxy(as:)' for a type
  _ = store.proxy.proxy(for: Shelf.self)  // refused: use 'proxy(as:)' for a type
  store.replaceReducer(otherReducer)  // refused: takes a non-optional state of the store's state type
  store.dispatchAsync(SetBook(id: 1, title: "")).finished()  // refused: is not marked with 'await'
}

// MARK: - Work

let plan = ActionPlan<Shelf> { store in
  let title = try fetch()  // refused: 'async' call in a function that does not support concurrency
  store.dispatch(SetBook(id: 1, title: title))
}
let stream = ActionPlan<Shelf>(streaming: { store in
  AsyncStream { continuation in
    continuation.yield(7)  // refused: 'Int' does not conform to expected type 'Action'
  }
})

func captures() {
  let cache = Cache()
  let handlers: ActionHandlers<Shelf> = on(SetBook.self) { state, action in
    state.isLoading = true
    cache.hits += 1  // refused: capture of 'cache' with non-Sendable type 'Cache'
  }
  _ = handlers
}
