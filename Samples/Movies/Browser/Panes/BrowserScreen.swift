import Flux
import FluxNavigation
import SampleTerminal
package import SampleTerminalViews

/// The browser as a screen of panes, which are mapped from the state, and which dispatch actions
/// when keys are pressed.
@MainActor
package final class BrowserScreen {
  package let browser: Browser
  package let renderer: Renderer<BrowserPane>
  private let dispatch: ActionDispatcher
  private let tokens: [SubscriptionToken]

  /// Shows a browser.
  ///
  /// - Parameters:
  ///   - browser: The browser.
  ///   - write: Sends a string to the terminal.
  ///   - wake: Called when the screen must be drawn again, as ``Renderer`` describes.
  package init(
    _ browser: Browser, write: @escaping (String) -> Void, wake: @escaping @Sendable () -> Void
  ) {
    let store = browser.store
    self.browser = browser
    dispatch = ActionDispatcher(store)
    // Keys are passed to the panes in this order.
    let panes: [(BrowserPane, Pane)] = [
      (.tooSmall, Pane(TooSmall(), of: store, wake: wake)),
      (.help, Pane(HelpText(), of: store, wake: wake)),
      (.search, Pane(SearchLine(), of: store, wake: wake)),
      (.list, Pane(FilmList(), of: store, wake: wake)),
      (.detail, Pane(FilmDetail(), of: store, wake: wake)),
      (.header, Pane(HeaderLine(), of: store, wake: wake)),
      (.keys, Pane(KeyLine(command: browser.orTrouble), of: store, wake: wake)),
    ]
    renderer = Renderer(BrowserLayout(), of: store, panes: panes, write: write, wake: wake)
    tokens = [
      // The next page begins to load before the user reaches the end.
      store.subscribe(to: \.wantedPage) { [weak store] page in
        if let page { store?.prefetch(page) }
      },
      // Undo can change marks that are not visible.
      store.subscribe(to: \.marks, initial: false) { [weak store] old, new in
        guard let store, let old, old.films(changedTo: new) != [store.state.chosen?.id] else { return }
        store.dispatch(SetPane(\.notice, describeChange(from: old, to: new).trimmed))
      },
    ]
  }

  /// A Boolean value that indicates whether the user has requested to leave.
  package var isLeaving: Bool { browser.store.state.panes.isLeaving }

  /// Changes the size of the screen.
  package func resize(to size: ScreenSize) {
    dispatch(SetPane(\.size, size))
  }

  /// Shows the place of an address, or the saved place without an address.
  package func start(at address: Place? = nil) {
    if let address { return open(address) }
    switch browser.store.state.places.top.route {
    case .page(1), .marks: break
    case .page(let number): dispatch(SelectPlace(place: .page(number), isSaved: true))
    case .film(let id): dispatch(SelectPlace(place: .film(id), isSaved: true))
    case .found(let words): open(.found(words: words))
    }
  }

  /// Shows the place of an address: selects a film, or begins a search.
  private func open(_ place: Place) {
    switch place {
    case .page, .film: dispatch(SelectPlace(place: place))
    case .found(let words):
      dispatch(Find())
      dispatch(FindTyped(text: words) + FindFilms())
    case .marks: tell("Only --lines shows the lists of marks.")
    }
  }

  /// Shows a notice to the user, until the next key.
  package func tell(_ text: String) {
    dispatch(SetPane(\.notice, text))
  }

  /// Handles a key.
  package func press(_ key: Key) {
    if browser.store.state.panes.notice != nil { dispatch(SetPane(\.notice, nil)) }
    renderer.press(key)
  }
}

extension Browser {
  /// Returns the action of a command, or an action that shows why the command cannot be
  /// executed.
  fileprivate func orTrouble(_ command: Command) -> any Action {
    do throws(Misunderstanding) {
      return try action(for: command) ?? EmptyAction()
    } catch {
      return Show(screen: .trouble(error.text))
    }
  }
}

extension BrowserState.Marks {
  /// Returns the films whose marks have changed.
  fileprivate func films(changedTo new: BrowserState.Marks) -> Set<Int> {
    Set(wished).symmetricDifference(new.wished).union(Set(seen).symmetricDifference(new.seen))
  }
}

extension String {
  fileprivate var trimmed: String { String(drop(while: \.isWhitespace)) }
}
