import Flux
import FluxNavigation
import SampleTerminal

extension ShelfApp {
  /// Returns the action of a command; returns `nil` if the command ends the program.
  func action(for command: Command) throws(Misunderstanding) -> (any Action)? {
    switch command {
    case .quit: return nil
    case .help: return Say(note: .text(help))
    case .show(let screen): return showing(screen, by: routing.visit(screen, in: store.state))
    case .back:
      let entries = store.state.routes.entries
      guard entries.count > 1 else { throw Misunderstanding("There is no screen to go back to.") }
      return showing(entries[entries.count - 2].route, by: routing.pop())
    case .more:
      let list = try onShow()
      guard !isLoading else { throw Misunderstanding("A load is still running. Type stop to stop it.") }
      return store.state.hasMore ? atOnce([list.next]) : Say(note: .text("  That is all."))
    case .reload: return atOnce([try onShow().reload])
    case .refresh: return atOnce([try onShow().refresh])
    case .invalidate:
      return atOnce([try onShow().invalidate, Say(note: .text("  Noted. Showing it again loads it."))])
    case .rename(let number, let title):
      let (book, slice) = try book(number)
      return slice.update(book.id) {
        $0.title = title
      } commit: { book in
        try await bookService().save(book)
        return nil
      }
    case .remove(let number):
      let (book, slice) = try book(number)
      return slice.delete(book.id) { book in try await bookService().remove(book) }
    case .fail(let topic, let times):
      return ActionPlan<ShelfState> { [conditions] store in
        await conditions.fail(topic, times: times)
        store.dispatch(Say(note: .text(describeFailing(topic, times: times))))
      }
      .named("fail \(topic) \(times)")
    case .slow(let milliseconds):
      return ActionPlan<ShelfState> { [conditions] store in
        await conditions.slow(by: .milliseconds(milliseconds))
        store.dispatch(Say(note: .text("  Each answer takes \(milliseconds) ms from now on.")))
      }
      .named("slow \(milliseconds)")
    case .nothing where !isLoading: return atOnce([])
    case .nothing, .stop:
      guard isLoading else { throw Misunderstanding("Nothing is being loaded.") }
      return atOnce([Say(note: .text("  Loading was stopped.")), try onShow().cancel])
    }
  }

  /// Returns a plan that dispatches several actions in one batch, as one group of loads.
  private func atOnce(_ actions: [(any Action)?]) -> ActionPlan<ShelfState> {
    ActionPlan { store in
      store.batch {
        store.dispatch(Gather(isOn: true))
        for case let action? in actions { store.dispatch(action) }
        store.dispatch(Gather(isOn: false))
      }
    }
    .named("at once")
  }

  /// Returns a plan that makes a navigation, and loads the list of the screen that it shows.
  private func showing(_ screen: ShelfState.Screen, by navigation: any Action) -> any Action {
    atOnce([navigation, ListCommands(screen, of: lists)?.loadIfNeeded])
  }

  /// Returns the book with a number, in the list of the current screen.
  private func book(
    _ number: Int
  ) throws(Misunderstanding) -> (book: Book, slice: ListSlice<ShelfState, Book>) {
    let state = store.state
    guard let which = state.screen.books else { throw .nothingOnShow }
    guard let book = state.list(which).items[id: number] else {
      throw Misunderstanding(
        "This screen has no book \(number). The number of a book is shown before its title.")
    }
    return (book, lists.slice(which))
  }

  /// Returns the commands for the list of the current screen.
  private func onShow() throws(Misunderstanding) -> ListCommands {
    guard let commands = ListCommands(store.state.screen, of: lists) else { throw .nothingOnShow }
    return commands
  }
}

/// The commands for the lists of a screen, which do not depend on the type of the items.
private struct ListCommands {
  let reload, refresh, next, loadIfNeeded, invalidate, cancel: any Action

  init?(_ screen: ShelfState.Screen, of lists: ShelfLists) {
    switch screen {
    case .welcome: return nil
    case .shelf: self.init(lists.shelf)
    case .all, .sections: self.init(lists.books)
    case .together: self.init(lists.together, of: lists.books, lists.songs)
    }
  }

  private init<Item>(_ slice: ListSlice<ShelfState, Item>) {
    reload = slice.reload
    refresh = slice.refresh
    next = slice.fetchNext
    loadIfNeeded = slice.loadIfNeeded
    invalidate = slice.invalidate
    cancel = slice.cancel
  }

  private init<First, Second>(
    _ group: ListGroup<ShelfState>, of first: ListSlice<ShelfState, First>,
    _ second: ListSlice<ShelfState, Second>
  ) {
    reload = group.reload
    refresh = group.refresh
    next = ActionPlan<ShelfState> { store in
      store.dispatch(first.fetchNext)
      store.dispatch(second.fetchNext)
    }
    .named("\(first.id), \(second.id): fetchNext")
    loadIfNeeded = group.loadIfNeeded
    invalidate = ActionPlan<ShelfState> { store in
      store.dispatch(first.invalidate)
      store.dispatch(second.invalidate)
    }
    .named("\(first.id), \(second.id): invalidate")
    cancel = group.cancel
  }
}

extension ShelfState {
  /// A Boolean value that indicates whether a list of the current screen has another page.
  fileprivate var hasMore: Bool {
    switch screen {
    case .welcome: false
    case .shelf: shelf.canFetchNext
    case .all, .sections: books.canFetchNext
    case .together: books.canFetchNext || songs.canFetchNext
    }
  }
}

extension Misunderstanding {
  fileprivate static var nothingOnShow: Self {
    Self("Nothing is shown yet. Type shelf, all, sections or together.")
  }
}
