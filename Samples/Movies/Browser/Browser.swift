package import Flux
import Synchronization

/// The film browser: a store, subscriptions that print what changed, and commands that dispatch.
package final class Browser: Sendable {
  package let store: Store<BrowserState>
  private let service: any MovieService
  private let history: History<BrowserState.Marks>
  private let persistence: Persistence<BrowserState, BrowserState.Marks>
  private let tokens: [SubscriptionToken]

  /// Creates a browser, with the marks as they were kept last.
  ///
  /// - Parameters:
  ///   - service: Where the films come from.
  ///   - storage: Where the marks are kept: in memory, unless said otherwise.
  ///   - plugins: What else hears of the actions.
  ///   - show: Shows a piece of text to the user.
  package init(
    service: any MovieService, storage: any StateStorage = InMemoryStorage(),
    plugins: [Plugin<BrowserState>] = [], show: @escaping @Sendable (String) -> Void
  ) {
    let history = History<BrowserState.Marks>(records: .only(ToggleWish.self, ToggleSeen.self))
    let persistence = Persistence<BrowserState, BrowserState.Marks>(
      of: \.marks, in: storage, name: "marks", onProblem: showingChanges(with: show))
    let store = Store(
      reducer: browserReducer, middleware: [wishLimit],
      plugins: plugins + [persistence.plugin, lift(history.plugin, to: \.marks)],
      state: persistence.restored(BrowserState()))
    self.store = store
    self.service = service
    self.history = history
    self.persistence = persistence
    tokens = [
      store.subscribe(to: \.library.pages, initial: false) { old, new in
        show(describeLoaded(from: old, to: new))
      },
      store.subscribe(to: \.marks, initial: false) { old, new in
        show(describeChange(from: old, to: new))
      },
      store.subscribe(to: { $0 }, by: { $0.display.revision == $1.display.revision }, initial: false) {
        state in
        show(describe(state.display.screen, of: state))
      },
    ]
  }

  /// Loads the first page and shows it.
  package func start() async {
    await untilShown { store.dispatch(LoadPage(number: 1, service: service)) }
  }

  /// Does what a line says, and returns when all that it started is done and shown.
  ///
  /// - Returns: Whether the user wants to go on.
  package func run(_ line: String) async -> Bool {
    if (try? Command(line)) == .quit { return false }
    await untilShown {
      do throws(Command.Misunderstanding) {
        try perform(Command(line))
      } catch {
        store.dispatch(Show(screen: .trouble(error.text)))
      }
    }
    return true
  }

  /// Waits until all marks are kept.
  ///
  /// - Returns: Whether they are; if not, the user has been told why.
  package func close() -> Bool {
    do {
      try persistence.flush()
      return true
    } catch {
      return false
    }
  }

  private func perform(_ command: Command) throws(Command.Misunderstanding) {
    let state = store.state
    switch command {
    case .nothing, .quit: return
    case .list: showPage(state.display.page, in: state)
    case .next:
      let next = state.library.pages.isEmpty ? 1 : state.display.page + 1
      guard next <= state.library.pageCount else {
        throw Command.Misunderstanding("That was the last page. Type list to see it again.")
      }
      showPage(next, in: state)
    case .open(let number): store.dispatch(Show(screen: .film(try known(number, in: state))))
    case .wish(let number):
      let film = state.marks.wished.contains(number) ? number : try known(number, in: state)
      store.dispatch(ToggleWish(film: film))
    case .seen(let number):
      let film = state.marks.seen.contains(number) ? number : try known(number, in: state)
      store.dispatch(ToggleSeen(film: film))
    case .search(let words): store.dispatch(Search(words: words, service: service))
    case .lists: store.dispatch(Show(screen: .marks))
    case .undo:
      guard history.record.canUndo else { throw Command.Misunderstanding("There is no mark to take back.") }
      store.dispatch(HistoryAction.undo)
    case .redo:
      guard history.record.canRedo else { throw Command.Misunderstanding("There is no mark to make again.") }
      store.dispatch(HistoryAction.redo)
    case .help: store.dispatch(Show(screen: .help))
    }
  }

  private func showPage(_ number: Int, in state: BrowserState) {
    if state.library.pages[number] == nil {
      store.dispatch(LoadPage(number: number, service: service))
    } else {
      store.dispatch(Show(screen: .page(number)))
    }
  }

  private func known(_ number: Int, in state: BrowserState) throws(Command.Misunderstanding) -> Int {
    if state.library.films[number] != nil { return number }
    let loaded = state.library.films.count
    guard loaded > 0 else {
      throw Command.Misunderstanding("No films are loaded yet. Type list to load some.")
    }
    guard loaded < state.library.total, number > loaded, number <= state.library.total else {
      throw Command.Misunderstanding("There is no film \(number). Type list for those there are.")
    }
    throw Command.Misunderstanding("Film \(number) is not loaded yet: \(loaded) are. Type next for more.")
  }

  /// Does something, and waits until nothing is on its way and all of it has been shown.
  ///
  /// That the state is at rest is not enough: another thread may still be about to show it. So this waits for a
  /// call that the store makes after those that show: observers are called in the order in which they came.
  private func untilShown(_ work: () -> Void) async {
    store.dispatch(WorkBegan())
    var token: SubscriptionToken?
    await withCheckedContinuation { continuation in
      token = store.subscribe(to: \.display.pending, first: { $0 == 0 }) { _ in continuation.resume() }
      work()
      store.dispatch(WorkEnded(screen: nil))
    }
    token?.cancel()
  }
}

/// Shows what went wrong with keeping, once for as long as it stays the same: a save is tried again every second.
private func showingChanges(
  with show: @escaping @Sendable (String) -> Void
) -> @Sendable (PersistenceError) -> Void {
  let last = Mutex<PersistenceError?>(nil)
  return { problem in
    let isNew = last.withLock { last in
      defer { last = problem }
      return last != problem
    }
    if isNew { show("! \(problem)") }
  }
}
