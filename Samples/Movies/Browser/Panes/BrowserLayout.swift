import Flux
import SampleTerminalViews

/// The panes of the screen.
package enum BrowserPane: Hashable, Sendable {
  case header, search, list, detail, help, keys, tooSmall
}

/// The rectangles of the panes: the list and the film side by side, or only one of them on a
/// narrow screen.
struct BrowserLayout: ConnectableMapping {
  /// The smallest screen that shows useful content.
  static let least = ScreenSize(columns: 30, rows: 8)
  /// The minimum width of a screen that shows list and film side by side.
  static let widthForBoth = 66
  static let widestList = 60

  func map(state: BrowserState) -> Layout<BrowserPane>? {
    state.panes.size.columns > 0 ? BrowserLayout(state).layout : nil
  }

  /// The layout of a state.
  var layout = Layout<BrowserPane>(ScreenSize(columns: 0, rows: 0))

  init() {}

  init(_ state: BrowserState) {
    let size = state.panes.size
    layout = Layout(size)
    var rest = Rectangle(size)
    guard size.columns >= BrowserLayout.least.columns, size.rows >= BrowserLayout.least.rows else {
      layout.places[.tooSmall] = rest
      return
    }
    layout.places[.keys] = rest.takeBottom(KeyLine.rows(of: state.panes))
    guard !state.panes.isHelpShown else {
      layout.places[.help] = rest
      return
    }
    layout.places[.header] = rest.takeTop(1)
    layout.places[.search] = rest.takeTop(2)
    if size.columns >= BrowserLayout.widthForBoth {
      layout.places[.list] = rest.takeLeft(min(BrowserLayout.widestList, size.columns / 2))
      layout.places[.detail] = rest
    } else {
      layout.places[state.panes.focus == .detail ? .detail : .list] = rest
    }
  }
}
