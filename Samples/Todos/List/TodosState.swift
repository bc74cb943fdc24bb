package import Flux

/// The state of the to-do list.
package struct TodosState: FluxState, Equatable {
  /// What is kept: saved, and what undo and redo are about.
  package var list = TodoList()
  /// What is on show.
  package var display = Display()

  package init() {}

  /// What is on show.
  package struct Display: FluxState, Equatable {
    package var filter = Filter.all
    package var screen = Screen.list
    /// Counts what was shown, so that the same screen asked for twice is shown twice.
    package var revision = 0

    mutating func show(_ screen: Screen) {
      self.screen = screen
      revision += 1
    }
  }

  /// Which of the to-dos are shown.
  package enum Filter: String, CaseIterable, Sendable, Codable {
    case all, open, done

    func shows(_ todo: Todo) -> Bool {
      switch self {
      case .all: true
      case .open: !todo.isDone
      case .done: todo.isDone
      }
    }
  }

  /// The screens there are.
  package enum Screen: Equatable, Sendable {
    case list
    case history
    case help
    /// So many to-dos have been imported so far.
    case importing(Int)
    /// So many to-dos were imported.
    case imported(Int)
    /// The import was stopped.
    case stopped
    case trouble(String)
  }
}

/// The to-dos, in the order that the user gave them.
package struct TodoList: FluxState, Equatable, Codable {
  package var todos = OrderedState<Todo>()
  /// What the next to-do is known by.
  package var nextID = 1
}

/// Something to do.
package struct Todo: FluxState, Equatable, Codable, Identifiable {
  package let id: Int
  package var text: String
  package var isDone = false
}
