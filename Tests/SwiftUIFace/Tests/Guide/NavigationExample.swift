// The views of NavigationViews.md, word for word.
import Flux
import FluxNavigation
import SwiftUI

enum Route: Hashable, Codable {
  case list
  case book(Int)
  case filter
}

enum Section: Hashable, Codable {
  case books, wishes
}

struct LibraryState: FluxState {
  var routes = RouteStack(root: Route.list)
}

struct TabsState: FluxState {
  var tabs = RouteTabs(selected: Section.books, [.books: Route.list, .wishes: .list])
}

struct RemoveBooks: Action {}

let routing = RouteSlice(at: \LibraryState.routes)
let tabRouting = RouteSlice(at: \TabsState.tabs)

struct LibraryView: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var path: [RouteEntry<Route>]
    @ActionBinding var filter: RouteModal<Route>?
    @ActionBinding var asks: Bool
    @ActionBinding var onFilter: @MainActor () -> Void
    @ActionBinding var onRemove: @MainActor () -> Void
  }

  func map(state: LibraryState, binder: ActionBinder) -> Props? {
    Props(
      path: binder.path(of: state.routes, in: routing),
      filter: binder.modal(.sheet, of: state.routes, in: routing),
      asks: binder.isPresented(.alert, of: state.routes, in: routing),
      onFilter: binder.bind(routing.present(.filter)),
      onRemove: binder.bind(RemoveBooks()))
  }

  func body(props: Props) -> some View {
    NavigationStack(path: props.$path) {
      VStack {
        BookButton(book: 7)
        Button("Filter", action: props.onFilter)
      }
      .navigationDestination(for: RouteEntry<Route>.self) { entry in
        RouteView(entry: entry)
      }
    }
    .sheet(item: props.$filter) { modal in
      RouteView(entry: modal.root)
    }
    .alert("Remove all books?", isPresented: props.$asks) {
      Button("Remove", action: props.onRemove)
    }
  }
}

struct BookButton: View {
  let book: Int
  @Environment(\.actionDispatcher) private var dispatch

  var body: some View {
    Button("Book \(book)") { dispatch(routing.push(.book(book))) }
  }
}

struct RouteView: View {
  let entry: RouteEntry<Route>

  var body: some View {
    switch entry.route {
    case .list: Text("List")
    case .book(let number): Text("About book \(number)")
    case .filter: SheetView(sheet: entry)
    }
  }
}

struct SheetView: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var path: [RouteEntry<Route>]
  }

  let sheet: RouteEntry<Route>

  func map(state: LibraryState, binder: ActionBinder) -> Props? {
    Props(
      path:
        binder.path(of: state.routes, in: routing, above: sheet.id)
    )
  }

  func body(props: Props) -> some View {
    NavigationStack(path: props.$path) {
      Text("Filter")
        .navigationDestination(for: RouteEntry<Route>.self) { entry in RouteView(entry: entry) }
    }
  }
}

struct TabsView: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var tab: Section
  }

  func map(state: TabsState, binder: ActionBinder) -> Props? {
    Props(tab: binder.selection(of: state.tabs, in: tabRouting))
  }

  func body(props: Props) -> some View {
    TabView(selection: props.$tab) {
      Tab("Books", systemImage: "book", value: .books) { TabStack(section: .books) }
      Tab("Wishes", systemImage: "star", value: .wishes) { TabStack(section: .wishes) }
    }
  }
}

struct TabStack: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var path: [RouteEntry<Route>]
  }

  let section: Section

  func map(state: TabsState, binder: ActionBinder) -> Props? {
    state.tabs[section].map { Props(path: binder.path(of: $0, in: tabRouting)) }
  }

  func body(props: Props) -> some View {
    NavigationStack(path: props.$path) {
      Text("\(section)")
        .navigationDestination(for: RouteEntry<Route>.self) { entry in RouteView(entry: entry) }
    }
  }
}

struct DraftState: FluxState {
  var routes = RouteStack(root: Route.list)
  var drafts: [ScreenID: String] = [:]
}

struct DraftView: ConnectableView {
  let screen: ScreenID

  func map(state: DraftState) -> String? { state.drafts[screen] }

  func body(props: String) -> some View { Text(props) }
}

struct DraftScreen: View {
  let screen: ScreenID

  var body: some View {
    DraftView(screen: screen)
      .keepsLastProps()
  }
}
