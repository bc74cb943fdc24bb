import FluxCore
import FluxMiddleware
import Testing

/// A state that shows the order of actions.
struct Notebook: FluxState, Codable, Equatable {
  var lines: [String] = []
  var ticks = 0
}

struct Write: Action, Codable, Equatable {
  let line: String

  init(_ line: String) { self.line = line }
}

struct Repeat: Action, Codable, Equatable {}

struct Tick: Action, Codable, Equatable {}

/// A line from elsewhere, such as a server.
struct Receive: Action, Codable, Equatable {
  let line: String

  init(_ line: String) { self.line = line }
}

/// An action that no reducer handles.
struct Idle: Action {}

/// An action that is not registered.
struct Stamp: Action, CustomStringConvertible {
  let line: String

  var description: String { "Stamp of \(line)" }
}

let notebookReducer: MutatingReducer<Notebook> = { notebook, action in
  switch action {
  case let action as Write: notebook.lines.append(action.line)
  case is Repeat: notebook.lines += notebook.lines.suffix(1)
  case let action as Receive: notebook.lines.append(action.line)
  case is Tick: notebook.ticks += 1
  case let action as Stamp: notebook.lines.append(action.line)
  default: break
  }
}

/// A notebook's store with its history.
struct Desk {
  let history: History<Notebook>
  let store: Store<Notebook>

  /// - Parameter behind: Runs whenever the reducer runs.
  init(
    _ history: History<Notebook> = History(), state: Notebook = Notebook(),
    behind: @escaping @Sendable () -> Void = {}
  ) {
    self.history = history
    store = Store(
      reducer: { state, action in
        behind()
        notebookReducer(&state, action)
      }, plugins: [history.plugin], state: state)
  }

  /// Writes each character as a line.
  func write(_ text: String) {
    for character in text { store.dispatch(Write("\(character)")) }
  }

  func dispatch(_ actions: HistoryAction...) {
    for action in actions { store.dispatch(action) }
  }

  /// The written text, as one word.
  var text: String { store.state.lines.joined() }

  var record: HistoryRecord { history.record }

  /// The id of the entry after a position.
  func id(_ position: Int) throws -> HistoryEntry.ID {
    try #require(record.entries.first { $0.position == position }).id
  }
}
