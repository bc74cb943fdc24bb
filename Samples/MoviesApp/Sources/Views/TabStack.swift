import Flux
import FluxNavigation
import SwiftUI

/// The screens of a tab.
struct TabStack: ConnectableView {
  struct Props: Equatable {
    let root: Route
    @ActionBinding var path: [RouteEntry<Route>]
  }

  let tab: AppTab

  func map(state: AppState, binder: ActionBinder) -> Props? {
    state.tabs[tab].map { stack in
      Props(root: stack.root.route, path: binder.path(of: stack, in: routing))
    }
  }

  func body(props: Props) -> some View {
    NavigationStack(path: props.$path) {
      RouteView(route: props.root)
        .navigationDestination(for: RouteEntry<Route>.self) { entry in RouteView(route: entry.route) }
    }
  }
}

/// The view of a route.
struct RouteView: View {
  let route: Route

  var body: some View {
    switch route {
    case .films: FilmsScreen()
    case .film(let id): FilmScreen(id: id)
    case .wishes: WishesScreen()
    case .filter: FilterForm()
    case .about: AboutText()
    case .unknownAddress: EmptyView()
    }
  }
}
