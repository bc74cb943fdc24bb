import Flux
import FluxNavigation
import SwiftUI

/// An alert that names an address without a screen.
struct UnknownAddressAlert: ConnectableViewModifier {
  struct Props: Equatable {
    @ActionBinding var isPresented: Bool
    let message: String
  }

  /// The sheet that the modified view shows, or `nil` for the root view.
  ///
  /// SwiftUI shows an alert only if the view of the topmost sheet presents it.
  var sheet: ScreenID?

  func map(state: AppState, binder: ActionBinder) -> Props? {
    let stack = state.tabs.stack
    return Props(
      isPresented: binder.isPresented(.alert, of: stack, in: routing, above: sheet),
      message: stack.top.route.message)
  }

  func body(props: Props, content: Content) -> some View {
    content.alert("Unknown Address", isPresented: props.$isPresented) {
      Button("OK", role: .cancel) {}
    } message: {
      Text(props.message)
    }
  }
}

extension Route {
  fileprivate var message: String {
    guard case .unknownAddress(let address) = self else { return "" }
    return "The app has no screen with the address \(address)."
  }
}
