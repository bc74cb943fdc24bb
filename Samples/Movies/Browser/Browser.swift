package import Flux
import SampleTerminal

/// The film browser: a store, subscriptions that print what changed, and commands that dispatch.
package final class Browser: Sendable {
  package let store: Store<BrowserState>
  let service: any MovieService
  let history: History<BrowserState.Marks>
  private let persistence: Persistence<BrowserState, BrowserState.Marks>
  private let tokens: [SubscriptionToken]

  /// Creates a browser that shows line by line what changes, with the marks as they were kept last.
  ///
  /// - Parameters:
  ///   - service: Where the films come from.
  ///   - timeout: How long each try for a page may take.
  ///   - clock: What time is measured on.
  ///   - storage: Where the marks are kept: in memory, unless said otherwise.
  ///   - plugins: What else hears of the actions.
  ///   - show: Shows a piece of text to the user.
  ///   - draw: Shows what is under way, in place of what this showed before; nothing when the text is empty.
  package convenience init(
    service: any MovieService, timeout: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(), storage: any StateStorage = InMemoryStorage(),
    plugins: [Plugin<BrowserState>] = [],
    show: @escaping @Sendable (String) -> Void, draw: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(
      service: service, timeout: timeout, clock: clock, storage: storage, plugins: plugins, tell: show
    ) { store in
      [
        store.subscribe(to: \.library.pages, initial: false) { old, new in
          show(describeLoaded(from: old, to: new))
        },
        store.subscribe(to: \.library.loading, initial: false) { old, new in
          if let lines = describeTries(from: old, to: new) { show(lines) }
        },
        store.subscribe(to: \.marks, initial: false) { old, new in
          show(describeChange(from: old, to: new))
        },
        store.subscribe(to: { $0 }, by: { $0.display.revision == $1.display.revision }, initial: false) {
          state in
          show(describe(state.display.screen, of: state))
        },
        store.subscribe(to: describePanel, initial: false) { panel in draw(panel) },
      ]
    }
  }

  /// Creates a browser that shows nothing by itself, with the marks as they were kept last.
  ///
  /// - Parameters:
  ///   - tell: Tells the user what is wrong with the marks that are kept; from any thread.
  ///   - observe: Subscribes for as long as the browser is there.
  package init(
    service: any MovieService, timeout: Duration, clock: any Clock<Duration> = ContinuousClock(),
    storage: any StateStorage, plugins: [Plugin<BrowserState>] = [],
    tell: @escaping @Sendable (String) -> Void,
    observe: (Store<BrowserState>) -> [SubscriptionToken] = { _ in [] }
  ) {
    let history = History<BrowserState.Marks>(records: .only(ToggleWish.self, ToggleSeen.self))
    let persistence = Persistence<BrowserState, BrowserState.Marks>(
      of: \.marks, in: storage, name: "marks", onProblem: showingChanges(with: tell))
    let work = Plugin<BrowserState>.asyncWork(
      clock: clock, policies: [.of(LoadPage.self, loadingPolicy(timeout: timeout))])
    let store = Store(
      reducer: browserReducer, middleware: [wishLimit],
      plugins: plugins + [work, persistence.plugin, lift(history.plugin, to: \.marks)],
      state: persistence.restored(BrowserState()))
    self.store = store
    self.service = service
    self.history = history
    self.persistence = persistence
    tokens = observe(store)
  }

  /// Loads the first page and shows it.
  package func start() async {
    await store.dispatchAsync(visit(.page(1))).finished()
  }

  /// Does what a line says, and returns when all that it started is done and shown.
  ///
  /// - Returns: Whether the user wants to go on.
  package func run(_ line: String) async -> Bool {
    guard let task = begin(line) else { return false }
    await task.finished()
    return true
  }

  /// Does what a line says, without waiting for what has to be loaded.
  ///
  /// - Returns: What to wait for; `nil` when the user wants to leave.
  package func begin(_ line: String) -> DispatchTask? {
    do throws(Misunderstanding) {
      return try action(for: Command(line)).map { store.dispatchAsync($0) }
    } catch {
      return store.dispatchAsync(Show(screen: .trouble(error.text)))
    }
  }

  /// Whether something is being loaded that can be stopped, by an empty line.
  package var isWaiting: Bool { store.state.display.isWaiting }

  /// Cancels what is being loaded, and waits until all marks are kept.
  ///
  /// - Returns: Whether they are; if not, the user has been told why.
  package func close() -> Bool {
    store.dispatch(CancelWork(id: Visit.id))
    do {
      try persistence.flush()
      return true
    } catch {
      return false
    }
  }
}
