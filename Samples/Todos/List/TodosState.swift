package import Flux

/// The state of the to-do list.
package struct TodosState: FluxState, Equatable {
  /// The part of the state that is saved, and that undo and redo affect.
  package var list = TodoList()
  /// The current screen.
  package var display = Display()

  package init() {}

  /// The current screen and filter.
  package struct Display: FluxState, Equatable {
    package var filter = Filter.all
    package var screen = Screen.list
    /// The number of shown screens.
    ///
    /// A repeated request for the same screen therefore shows the screen again.
    package var revision = 0

    mutating func show(_ screen: Screen) {
      self.screen = screen
      revision += 1
    }
  }

  /// The to-dos that are shown.
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

  /// The screens of the program.
  package enum Screen: Equatable, Sendable {
    case list
    case history
    case help
    /// A number of to-dos have been imported so far.
    case importing(Int)
    /// A number of to-dos were imported.
    case imported(Int)
    /// The import was stopped.
    case stopped
    case trouble(String)
  }
}

/// The to-dos, in the order that the user gave them.
package struct TodoList: FluxState, Equatable, Codable {
  package var todos = OrderedState<Todo>()
  /// The id of the next to-do.
  package var nextID = 1
}

/// A to-do.
package struct Todo: FluxState, Equatable, Codable, Identifiable {
  package let id: Int
  package var text: String
  package var isDone = false
}
