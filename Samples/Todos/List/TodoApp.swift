package import Flux
package import FluxLog
import SampleTerminal
import Synchronization

/// The to-do list: a store, subscriptions that print changes, and commands that dispatch.
package final class TodoApp: Sendable {
  package let store: Store<TodosState>
  private let history: History<TodoList>
  private let logged: LoggedHistory<TodoList>
  private let tokens: [SubscriptionToken]
  private let lines: @Sendable (String) throws -> AsyncThrowingStream<String, any Error>
  private let show: @Sendable (String) -> Void
  private let running = Mutex<DispatchTask?>(nil)

  /// Creates the app with the list and the history of a log, and shows the list.
  ///
  /// - Parameters:
  ///   - log: The log with all changes of the list.
  ///   - list: The list with which an empty log begins.
  ///   - plugins: Additional plug-ins of the store.
  ///   - lines: Reads the lines of a file.
  ///   - show: Shows a piece of text to the user.
  /// - Throws: An error if the log cannot be used. The log has then not changed.
  package init(
    log: any ActionLog = MemoryLog(), beginningWith list: TodoList = TodoList(),
    plugins: [Plugin<TodosState>] = [],
    lines: @escaping @Sendable (String) throws -> AsyncThrowingStream<String, any Error> = linesOfFile,
    show: @escaping @Sendable (String) -> Void
  ) async throws(LogError) {
    // Successive edits of one to-do are one step for undo, and so is an import.
    let history = History<TodoList>(
      limit: 1_000, records: .where { edits.name(of: type(of: $0)) != nil },
      grouping: .any(
        of: .when(EditTodo.self) { $0.id == $1.id }, .when(ImportTodos.self) { $0.batch == $1.batch }))
    let (logged, list) = try await LoggedHistory.open(
      history, in: log, with: edits, initial: list, reducer: listReducer.reducer,
      onProblem: { show("! \("\($0)".tame)") })
    var state = TodosState()
    state.list = list
    let store = Store(
      reducer: todosReducer, plugins: plugins + [lift(logged.plugin, to: \.list)], state: state)
    self.lines = lines
    self.show = show
    self.store = store
    self.history = history
    self.logged = logged
    tokens = [
      store.subscribe(to: { $0 }, by: { $0.list == $1.list && $0.display == $1.display }) { state in
        show(describe(state.display.screen, of: state, history: history.record))
      }
    ]
  }

  /// Runs the command of a line, and shows its result.
  ///
  /// - Returns: A Boolean value that indicates whether the program continues.
  package func run(_ line: String) -> Bool {
    do throws(Misunderstanding) {
      let command = try Command(line)
      if command == .quit { return false }
      try perform(command)
    } catch {
      store.dispatch(Show(screen: .trouble(error.text)))
    }
    return true
  }

  /// Waits until no import is running, and all changes are saved.
  ///
  /// If the changes cannot be saved, the user is warned after each command.
  package func finished() async {
    await running.withLock { $0 }?.finished()
    if await !saved() { show("! The newest changes are not saved. Start the program again.") }
  }

  /// Waits until all changes are saved.
  ///
  /// - Returns: A Boolean value that indicates whether the changes are saved. If the value is
  ///   `false`, the reason was shown to the user.
  package func saved() async -> Bool {
    do {
      try await logged.flushed()
      return true
    } catch {
      return false
    }
  }

  /// Stops an import; returns whether an import was running.
  package func stop() -> Bool {
    guard let task = running.withLock({ $0.take() }), task.isRunning else { return false }
    task.cancel()
    store.dispatch(Show(screen: .stopped))
    return true
  }

  private func perform(_ command: Command) throws(Misunderstanding) {
    switch command {
    case .add(let text): edit(AddTodo(text: text))
    case .edit(let number, let text): edit(EditTodo(id: try id(of: number), text: text))
    case .done(let number): edit(ToggleTodo(id: try id(of: number)))
    case .remove(let numbers):
      var ids: [Int] = []
      for number in numbers { ids.append(try id(of: number)) }
      edit(RemoveTodos(ids: ids))
    case .importFile(let path):
      guard running.withLock({ $0?.isRunning }) != true else {
        throw Misunderstanding("An import is already running.")
      }
      let plan = importPlan(named: path, lines: { [lines] in try lines(path) })
      let task = store.dispatchAsync(plan)
      running.withLock { $0 = task }
    case .clear:
      guard store.state.list.todos.contains(where: \.isDone) else {
        throw Misunderstanding("No to-do is done.")
      }
      edit(ClearDone())
    case .move(let number, let target): edit(MoveTodo(id: try id(of: number), position: target - 1))
    case .show(let filter): store.dispatch(SetFilter(filter: filter))
    case .undo:
      guard history.record.canUndo else { throw Misunderstanding("There is nothing to undo.") }
      edit(HistoryAction.undo)
    case .redo:
      guard history.record.canRedo else { throw Misunderstanding("There is nothing to redo.") }
      edit(HistoryAction.redo)
    case .list: store.dispatch(Show(screen: .list))
    case .history: store.dispatch(Show(screen: .history))
    case .help: store.dispatch(Show(screen: .help))
    case .nothing, .quit: return
    }
  }

  /// Changes the list and shows it, in one batch.
  private func edit(_ action: any Action) {
    store.batch {
      store.dispatch(action)
      store.dispatch(Show(screen: .list))
    }
  }

  /// Returns the id of the to-do with a displayed number, counted from 1.
  private func id(of number: Int) throws(Misunderstanding) -> Int {
    let (todos, filter) = store.withState { ($0.list.todos, $0.display.filter) }
    guard let todo = todos.element(at: number - 1) else {
      throw Misunderstanding(
        todos.isEmpty
          ? "There are no to-dos." : "There is no to-do \(number). Type list to see all numbers.")
    }
    guard filter.shows(todo) else {
      throw Misunderstanding("Number \(number) is hidden. Type show all to see it.")
    }
    return todo.id
  }
}

/// The actions that change the list, which are saved, and which undo and redo affect.
private let edits = ActionRegistry(
  AddTodo.self, ImportTodos.self, EditTodo.self, ToggleTodo.self, RemoveTodos.self, ClearDone.self,
  MoveTodo.self)
