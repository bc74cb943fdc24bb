package import Flux
import FluxNavigation
import SampleTerminal

private let queries = QuerySlice(at: \BrowserState.queries)

/// The film browser: a store, subscriptions that print changes, and commands that dispatch.
package final class Browser: Sendable {
  package let store: Store<BrowserState>
  let history: History<BrowserState.Marks>
  private let savedMarks: Persistence<BrowserState, BrowserState.Marks>
  private let savedPlaces: Persistence<BrowserState, RouteStack<Place>>
  private let tokens: [SubscriptionToken]

  /// Creates a browser that shows changes line by line, with the saved marks and the saved
  /// place.
  ///
  /// - Parameters:
  ///   - service: The source of the films.
  ///   - timeout: The time limit of each attempt to load a page.
  ///   - clock: The clock that measures time.
  ///   - storage: The storage for the marks and the place, which by default is memory.
  ///   - plugins: Additional plug-ins of the store.
  ///   - show: Shows a piece of text to the user.
  ///   - draw: Shows the current progress in place of the previous progress; an empty string
  ///     shows nothing.
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
        store.subscribe(to: \.pages, initial: false) { old, new in
          show(describeLoaded(from: old ?? [], to: new))
        },
        store.subscribe(to: describeRetry, initial: false) { retry in if let retry { show(retry) } },
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

  /// Creates a browser with the saved marks and the saved place, which shows nothing unless
  /// `observe` adds subscriptions.
  ///
  /// - Parameters:
  ///   - tell: Reports a problem with the saved data to the user; can be called on any thread.
  ///   - observe: Returns subscriptions that last as long as the browser.
  package init(
    service: any MovieService, timeout: Duration, clock: any Clock<Duration> = ContinuousClock(),
    storage: any StateStorage, plugins: [Plugin<BrowserState>] = [],
    tell: @escaping @Sendable (String) -> Void,
    observe: (Store<BrowserState>) -> [SubscriptionToken] = { _ in [] }
  ) {
    let history = History<BrowserState.Marks>(records: changesOfMarks)
    let savedMarks = Persistence<BrowserState, BrowserState.Marks>(
      of: \.marks, in: storage, name: "marks", onProblem: showingChanges(with: tell))
    let report: @Sendable (PersistenceError) -> Void = showingChanges(with: tell)
    let savedPlaces = Persistence<BrowserState, RouteStack<Place>>(of: \.places, in: storage, name: "place") {
      // If the storage does not work, the user receives one message, which is about the marks.
      if ![.unreadable, .unwritable].contains($0.code) { report($0) }
    }
    let work = Plugin<BrowserState>.asyncWork(
      clock: clock,
      policies: [
        // The queries that use pages have no limit of their own.
        .of(FetchQuery.self) { fetch in
          fetch.key.query is FilmsOnPage ? fetch.policy.timingOut(after: timeout) : fetch.policy
        }
      ])
    let store = Store(
      reducer: browserReducer, middleware: [wishLimit],
      plugins: plugins + [
        work, queries.plugin, savedMarks.plugin, savedPlaces.plugin, lift(history.plugin, to: \.marks),
        routing.plugin,
      ],
      services: Services().with(service, as: (any MovieService).self),
      state: savedPlaces.restored(savedMarks.restored(BrowserState())))
    self.store = store
    self.history = history
    self.savedMarks = savedMarks
    self.savedPlaces = savedPlaces
    tokens = observe(store)
  }

  /// Loads and shows the place of an address, or the saved place without an address.
  ///
  /// If the saved place cannot be loaded, the browser shows the reason and then the first page.
  ///
  /// - Returns: The task to wait for.
  package func start(at address: Place? = nil) -> Task<Void, Never> {
    let place = address ?? store.state.places.top.route
    let request = store.request(Visit(place: place))
    return Task { [self] in
      guard case .failure(let failure) = await request.result, failure.trouble != nil,
        address == nil, place != .page(1)
      else { return }
      store.dispatch(routing.popToRoot() + routing.replaceTop(with: .page(1)))
      await store.dispatchAsync(visit(.page(1))).finished()
    }
  }

  /// Runs the command of a line, and returns when all its work has ended and its result is
  /// shown.
  ///
  /// - Returns: A Boolean value that indicates whether the program continues.
  package func run(_ line: String) async -> Bool {
    guard let task = begin(line) else { return false }
    await task.finished()
    return true
  }

  /// Runs the command of a line, without waiting for its loads.
  ///
  /// - Returns: The task to wait for; `nil` if the command ends the program.
  package func begin(_ line: String) -> DispatchTask? {
    do throws(Misunderstanding) {
      return try action(for: Command(line)).map { store.dispatchAsync($0) }
    } catch {
      return store.dispatchAsync(Show(screen: .trouble(error.text)))
    }
  }

  /// A Boolean value that indicates whether the pages of a requested screen are being loaded.
  ///
  /// An empty line stops the load.
  package var isWaiting: Bool { store.state.display.isWaiting }

  /// Cancels running loads, and waits until all marks and the place are saved.
  ///
  /// - Returns: A Boolean value that indicates whether the marks are saved. If the value is
  ///   `false`, the reason was shown to the user.
  package func close() -> Bool {
    store.dispatch(Visit.stop)
    do {
      defer { try? savedPlaces.flush() }
      try savedMarks.flush()
      return true
    } catch {
      return false
    }
  }
}

/// The actions that change the marks, which undo and redo affect.
let changesOfMarks = ActionFilter.only(ToggleWish.self, ToggleSeen.self)
