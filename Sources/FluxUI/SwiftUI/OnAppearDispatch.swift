#if canImport(SwiftUI)
  public import FluxCore
  public import SwiftUI

  extension View {
    /// Dispatches an action each time that this view appears, unless the work of the last time still goes on.
    ///
    /// The work is that of an ``AppearanceWork``. A view with nothing to see does not appear: what loads the props of a
    /// connected view stands around it, with something else to see.
    ///
    /// - Parameters:
    ///   - action: What to dispatch: an action, an async action, an action plan.
    ///   - cancelOnDisappear: Whether its work is cancelled when the view disappears, with all that it started.
    public func onAppear(dispatch action: any Action, cancelOnDisappear: Bool = true) -> some View {
      modifier(OnAppearDispatch(action: action, cancelOnDisappear: cancelOnDisappear))
    }
  }

  private struct OnAppearDispatch: ViewModifier {
    let action: any Action
    let cancelOnDisappear: Bool
    @Environment(\.providedStores) private var stores
    @State private var work = AppearanceWork()

    func body(content: Content) -> some View {
      content
        .onAppear {
          work.appear(dispatching: action, cancelOnDisappear: cancelOnDisappear, by: stores.dispatcher)
        }
        .onDisappear { work.disappear() }
    }
  }
#endif
