package import Flux
import SampleTerminal

/// The program: a store with the lists, a subscription that prints what changed, and commands that dispatch.
package final class ShelfApp: Sendable {
  package let store: Store<ShelfState>
  let service: any BookService
  let lists: ShelfLists
  let conditions: Conditions
  private let token: SubscriptionToken

  /// Creates the program.
  ///
  /// - Parameters:
  ///   - service: Where books and songs come from.
  ///   - conditions: What the service is put through.
  ///   - timeout: How long a load may take.
  ///   - clock: What time is measured on.
  ///   - plugins: What else hears of the actions.
  ///   - show: Shows a piece of text to the user.
  package init(
    service: any BookService, conditions: Conditions = Conditions(), timeout: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(), plugins: [Plugin<ShelfState>] = [],
    show: @escaping @Sendable (String) -> Void
  ) {
    let service = TroubledService(service: service, conditions: conditions, clock: clock)
    let lists = ShelfLists(from: service, timeout: timeout)
    let store = Store(
      reducer: combine(lists.reducer, displayReducer),
      plugins: plugins + [.asyncWork(clock: clock)], state: ShelfState())
    let sections = ShelfSections(of: lists, in: store.proxy)
    self.store = store
    self.service = service
    self.lists = lists
    self.conditions = conditions
    token = store.subscribe(to: { $0 }, initial: false) { old, new in
      let text = describeChange(from: old ?? ShelfState(), to: new, sections: sections.sections(for:))
      if let text { show(text) }
    }
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
      return store.dispatchAsync(Say(note: .trouble(error.text)))
    }
  }

  /// Whether something on show is being loaded, which can be stopped.
  package var isLoading: Bool { store.state.display.isWaiting }
}
