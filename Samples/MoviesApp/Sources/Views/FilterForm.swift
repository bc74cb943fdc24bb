import Flux
import SwiftUI

/// The form of the filter.
struct FilterForm: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var requiresShort: Bool
    @ActionBinding var requiresEarly: Bool
  }

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(
      requiresShort: binder.bind(\.requiresShort, of: state.filter),
      requiresEarly: binder.bind(\.requiresEarly, of: state.filter))
  }

  func body(props: Props) -> some View {
    Form {
      Toggle("Under 90 minutes", isOn: props.$requiresShort)
      Toggle("Before 1930", isOn: props.$requiresEarly)
    }
    .formStyle(.grouped)
    .navigationTitle("Filter")
  }
}

/// Information about the app.
struct AboutText: View {
  var body: some View {
    Text("A film browser that shows how Flux works with SwiftUI.")
      .navigationTitle("About")
  }
}
