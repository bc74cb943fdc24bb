// An app written according to SwiftUIFlux's guide: state structs, a global store, a casting
// reducer, an async action, and a middleware in three closures. Only the name of the import
// differs.
import Flux
import Foundation

struct AppState: FluxState {
  var shelfState: ShelfState
}

struct ShelfState: FluxState, Codable {
  var books: [Int: Book] = [:]
  var failures = 0
}

struct Book: Codable, Identifiable {
  let id: Int
  let original_title: String
  let title: String
}

func appStateReducer(state: AppState, action: Action) -> AppState {
  var state = state
  state.shelfState = shelfStateReducer(state: state.shelfState, action: action)
  return state
}

func shelfStateReducer(state: ShelfState, action: Action) -> ShelfState {
  var state = state
  switch action {
  case let action as ShelfActions.SetBook:
    state.books[action.id] = action.book
  case _ as ShelfActions.NoteFailure:
    state.failures += 1
  default:
    break
  }

  return state
}

struct ShelfActions {
  struct FetchBook: AsyncAction {
    let book: Int

    func execute(state: FluxState?, dispatch: @escaping DispatchFunction) {
      guard let state = state as? AppState, state.shelfState.books[book] == nil else { return }
      LibraryService.shared.GET(endpoint: .book(book)) {
        (result: Result<Book, LibraryService.ServiceError>) in
        switch result {
        case let .success(response):
          dispatch(SetBook(id: self.book, book: response))
        case .failure(_):
          dispatch(NoteFailure())
        }
      }
    }
  }

  struct SetBook: Action {
    let id: Int
    let book: Book
  }

  struct NoteFailure: Action {}
}

struct LibraryService: Sendable {
  static let shared = LibraryService()

  enum Endpoint {
    case book(Int)
  }

  enum ServiceError: Error {
    case noResponse
  }

  func GET<T: Codable>(endpoint: Endpoint, completion: @escaping (Result<T, ServiceError>) -> Void) {
    guard case .book(let id) = endpoint, id > 0,
      let body = "{\"id\": \(id), \"original_title\": \"Book \(id)\", \"title\": \"Volume \(id)\"}".data(
        using: .utf8),
      let value = try? JSONDecoder().decode(T.self, from: body)
    else { return completion(.failure(.noResponse)) }
    completion(.success(value))
  }
}

let loggingMiddleware: Middleware<AppState> = { dispatch, getState in
  return { next in
    return { action in
      if action is ShelfActions.SetBook, getState()?.shelfState.books.isEmpty == true {
        dispatch(FirstBook())
      }
      return next(action)
    }
  }
}

struct FirstBook: Action {}

let store = Store<AppState>(
  reducer: appStateReducer,
  middleware: nil,
  state: AppState(shelfState: ShelfState()))

let loggedStore = Store<AppState>(
  reducer: appStateReducer,
  middleware: [loggingMiddleware, asyncActionsMiddleware],
  state: AppState(shelfState: ShelfState()))

/// A replacement for the view of the guide.
struct BookDetail {
  let bookId: Int

  var book: Book {
    return store.state.shelfState.books[bookId]!
  }

  func fetchBook() {
    store.dispatch(action: ShelfActions.FetchBook(book: bookId))
  }
}
