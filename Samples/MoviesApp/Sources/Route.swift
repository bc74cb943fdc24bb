import Flux
import FluxNavigation
import Foundation

/// A tab of the app.
enum AppTab: Hashable, Sendable {
  case films, wishes
}

/// A screen of the app.
enum Route: Hashable, Sendable {
  case films
  case film(Int)
  case wishes
  /// The sheet with the filter of the list.
  case filter
  /// The sheet with information about the app.
  case about
  /// The alert that names an address without a screen.
  case unknownAddress(String)
}

/// The part of the state that contains the screens, and the actions that change it.
let routing = RouteSlice(at: \AppState.tabs)

typealias AppTabs = RouteTabs<AppTab, Route>

/// The addresses of the screens, such as `movies://films/7`.
let addresses = RouteMap<Route>(prefixes: ["movies:/"]) {
  path("films") { Route.films }
  path("films", .int) { Route.film($0) }
  path("wishes") { Route.wishes }
  path("about") { Route.about }
}

/// Returns the action that shows the screen of an address.
///
/// The action of an unknown address shows an alert above the current screen.
func opening(_ url: URL, from tabs: AppTabs) -> any Action {
  guard let route = try? addresses.parse(url.absoluteString) else {
    return routing.present(.unknownAddress(url.absoluteString), as: .alert)
  }
  switch route {
  case .films: return routing.open([], in: .films)
  case .film: return routing.open([route], in: .films)
  case .wishes: return routing.open([], in: .wishes)
  case .filter, .about, .unknownAddress:
    // The dismissal of the lowest modal also dismisses the modals above it.
    return routing.dismiss(tabs.stack.modals.first?.id) + routing.present(route)
  }
}
