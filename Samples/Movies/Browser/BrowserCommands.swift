import Flux
import SampleTerminal

extension Browser {
  /// Returns the action of a command; returns `nil` if the command ends the program.
  func action(for command: Command) throws(Misunderstanding) -> (any Action)? {
    let state = store.state
    switch command {
    case .quit: return nil
    case .nothing:
      let stop = Visit.stop
      return state.display.isWaiting ? stop + Show(screen: .trouble("Loading was stopped.")) : stop
    case .list: return visit(.page(state.page))
    case .next:
      let next = state.pages.isEmpty ? 1 : state.page + 1
      guard next <= state.pageCount else {
        throw Misunderstanding("That was the last page. Type list to see it again.")
      }
      return visit(.page(next))
    case .back:
      guard let previous = state.previousPlace else { throw Misunderstanding("You are at the first screen.") }
      return visit(previous)
    case .open(let number): return visit(.film(try state.existing(number)))
    case .wish(let number):
      return ToggleWish(film: state.marks.wished.contains(number) ? number : try state.loaded(number))
    case .seen(let number):
      return ToggleSeen(film: state.marks.seen.contains(number) ? number : try state.loaded(number))
    case .search(let words): return visit(.found(words: words))
    case .find: return Find()
    case .lists: return Show(screen: .place(.marks))
    case .undo:
      guard history.record.canUndo else { throw Misunderstanding("There is no mark to undo.") }
      return HistoryAction.undo
    case .redo:
      guard history.record.canRedo else { throw Misunderstanding("There is no mark to redo.") }
      return HistoryAction.redo
    case .help: return Show(screen: .help)
    }
  }

  /// Returns an action that fetches the pages of a place, and then shows the place.
  ///
  /// If another visit is running, the action stops that visit and its request.
  func visit(_ place: Place) -> any Action {
    let visit = Visit(place: place)
    return store.state.display.isWaiting ? Visit.stop + visit : visit
  }
}
