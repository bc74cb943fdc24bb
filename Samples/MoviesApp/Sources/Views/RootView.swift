import Flux
import FluxNavigation
import Foundation
import SwiftUI

/// The tabs, the sheet above them, and the addresses that other apps open.
struct RootView: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var tab: AppTab
    @ActionBinding var sheet: RouteModal<Route>?
    @ActionBinding var onOpen: (URL) -> Void
  }

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(
      tab: binder.selection(of: state.tabs, in: routing),
      sheet: binder.modal(.sheet, of: state.tabs.stack, in: routing),
      onOpen: binder.bind { url in opening(url, from: state.tabs) })
  }

  func body(props: Props) -> some View {
    TabView(selection: props.$tab) {
      Tab("Films", systemImage: "film", value: AppTab.films) { TabStack(tab: .films) }
      Tab("Wishes", systemImage: "heart", value: AppTab.wishes) { TabStack(tab: .wishes) }
    }
    .sheet(item: props.$sheet) { sheet in SheetView(screen: sheet.root) }
    .modifier(UnknownAddressAlert())
    .onOpenURL(perform: props.onOpen)
  }
}

/// A sheet with its title and a button that closes it.
struct SheetView: View {
  let screen: RouteEntry<Route>
  @Environment(\.actionDispatcher) private var dispatch

  var body: some View {
    NavigationStack {
      RouteView(route: screen.route)
        .toolbar {
          ToolbarItem(placement: .confirmationAction) {
            Button("Done") { dispatch(routing.dismiss(screen.id)) }
          }
        }
    }
    .frame(minWidth: 320, minHeight: 240)
    .modifier(UnknownAddressAlert(sheet: screen.id))
  }
}
