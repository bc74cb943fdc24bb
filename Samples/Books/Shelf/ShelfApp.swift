package import Flux
import FluxNavigation
import SampleTerminal

/// The program: a store with the lists, a subscription that prints changes, and commands that
/// dispatch.
package final class ShelfApp: Sendable {
  package let store: Store<ShelfState>
  let lists: ShelfLists
  let conditions: Conditions
  private let savedScreens: Persistence<ShelfState, RouteStack<ShelfState.Screen>>?
  private let token: SubscriptionToken

  /// Creates the program.
  ///
  /// - Parameters:
  ///   - service: The source of books and songs.
  ///   - conditions: The simulated delays and failures of the service.
  ///   - timeout: The time limit of a load.
  ///   - clock: The clock that measures time.
  ///   - storage: The storage for the screens, or `nil` if they are not saved.
  ///   - plugins: Additional plug-ins of the store.
  ///   - show: Shows a piece of text to the user.
  package init(
    service: any BookService, conditions: Conditions = Conditions(), timeout: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(), storage: (any StateStorage)? = nil,
    plugins: [Plugin<ShelfState>] = [], show: @escaping @Sendable (String) -> Void
  ) {
    let service = TroubledService(service: service, conditions: conditions, clock: clock)
    let lists = ShelfLists(timeout: timeout)
    let savedScreens = storage.map { storage in
      Persistence(
        of: \ShelfState.routes, in: storage, name: "screens", onProblem: showingChanges(with: show))
    }
    let saving = savedScreens.map { [$0.plugin] } ?? []
    let store = Store(
      reducer: combine(lists.reducer, displayReducer),
      plugins: plugins + saving + [routing.plugin, .asyncWork(clock: clock)],
      services: Services().with(service, as: (any BookService).self),
      state: savedScreens?.restored(ShelfState()) ?? ShelfState())
    let sections = ShelfSections(of: lists, in: store.proxy)
    self.store = store
    self.lists = lists
    self.conditions = conditions
    self.savedScreens = savedScreens
    token = store.subscribe(to: { $0 }, initial: false) { old, new in
      let text = describeChange(from: old ?? ShelfState(), to: new, sections: sections.sections(for:))
      if let text { show(text) }
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

  /// Shows the screen of an address, or the saved screen without an address, and returns when its
  /// lists have been loaded.
  ///
  /// - Returns: A Boolean value that indicates whether there was a screen to show.
  package func start(at address: ShelfState.Screen? = nil) async -> Bool {
    let screen = address ?? store.state.screen
    guard screen != .welcome, let action = try? action(for: .show(screen)) else { return false }
    await store.dispatchAsync(action).finished()
    return true
  }

  /// Waits until the screens are saved.
  ///
  /// - Returns: `false` if the screens cannot be saved. The reason was shown to the user.
  package func close() -> Bool {
    do {
      try savedScreens?.flush()
      return true
    } catch {
      return false
    }
  }

  /// Runs the command of a line, without waiting for its loads.
  ///
  /// - Returns: The task to wait for; `nil` if the command ends the program.
  package func begin(_ line: String) -> DispatchTask? {
    do throws(Misunderstanding) {
      return try action(for: Command(line)).map { store.dispatchAsync($0) }
    } catch {
      return store.dispatchAsync(Say(note: .trouble(error.text)))
    }
  }

  /// A Boolean value that indicates whether a load of the current screen is running, which can
  /// be stopped.
  package var isLoading: Bool { store.state.display.isWaiting }
}
