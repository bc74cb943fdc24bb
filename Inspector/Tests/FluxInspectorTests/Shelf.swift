import Flux
import FluxInspector
import Foundation

/// A state with a value of each type that a tree can show.
struct Shelf: FluxState, Codable, Equatable {
  struct Book: Codable, Hashable, Sendable, Identifiable {
    let id: Int
    var title: String
  }

  struct Owner: Codable, Hashable, Sendable {
    var name = "Ada"
    var password = ""
  }

  var books: OrderedState<Book> = OrderedState()
  var owner = Owner()
  var owners: [String: Owner] = [:]
  var count = 0
}

struct AddBook: Action, Codable {
  let id: Int
  let title: String
}

struct SetPassword: Action, Codable {
  let password: String
}

struct Count: Action, Codable {}

/// An action that a page cannot dispatch.
struct Untold: Action {
  let password: String
}

let shelfActions = ActionRegistry(AddBook.self, SetPassword.self, Count.self)

let shelfReducer: MutatingReducer<Shelf> = { shelf, action in
  switch action {
  case let action as AddBook: shelf.books.append(Shelf.Book(id: action.id, title: action.title))
  case let action as SetPassword:
    shelf.owner.password = action.password
    shelf.owners[shelf.owner.name] = shelf.owner
  case is Count: shelf.count += 1
  case let action as Untold: shelf.owner.password = action.password
  default: break
  }
}

/// The written lines.
final class Lines: Sendable {
  private let lines = Locked<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  var sink: LogSink { LogSink { [self] line in lines.withLock { $0.append(line) } } }
}

/// An inspector with a store, on a clock that a test advances by turns.
struct Desk {
  let clock = TurnClock()
  let lines = Lines()
  let inspector: Inspector
  let store: Store<Shelf>

  init(
    redacting redaction: Redaction = .none, history: History<Shelf>? = nil,
    limits: InspectorLimits = InspectorLimits(), noting: Inspector.Noting = .whileWatched, port: UInt16 = 0,
    middleware: [Middleware<Shelf>] = [], resolver: (any CallStackResolver)? = nil,
    address: (@Sendable (Shelf) -> String?)? = nil
  ) {
    inspector =
      if let resolver {
        Inspector(
          port: port, program: "tests", isEnabled: true, noting: noting, sink: lines.sink, clock: clock,
          resolver: resolver)
      } else {
        Inspector(
          port: port, program: "tests", isEnabled: true, noting: noting, sink: lines.sink, clock: clock)
      }
    let plugin: Plugin<Shelf> = inspector.plugin(
      named: "Shelf", history: history, actions: shelfActions, redacting: redaction, limits: limits,
      address: address)
    store = Store(
      reducer: shelfReducer, middleware: middleware, plugins: (history.map { [$0.plugin] } ?? []) + [plugin],
      state: Shelf())
  }

  /// A page of the inspector, which has received its welcome message.
  ///
  /// - Parameter room: The number of bytes that it buffers before they are read.
  func open(room: Int32? = nil) async throws -> PageClient {
    let client = try await PageClient.open(inspector.address, room: room)
    _ = try await client.next("welcome")
    return client
  }

  func count(_ times: Int) {
    for _ in 0..<times { store.dispatch(Count()) }
  }
}
