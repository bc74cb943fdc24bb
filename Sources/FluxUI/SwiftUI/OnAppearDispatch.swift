#if canImport(SwiftUI)
  public import FluxCore
  public import SwiftUI

  extension View {
    /// Dispatches an action each time that this view appears, unless the work of the previous time
    /// is still running.
    ///
    /// The work is that of an ``AppearanceWork``. A view with nothing to see does not appear:
    /// apply this modifier to a view around a connected view if it loads the props of that view,
    /// with something else to see.
    ///
    /// - Parameters:
    ///   - action: The action to dispatch, such as an async action or an action plan.
    ///   - cancelOnDisappear: A Boolean value that indicates whether the work is canceled when the
    ///     view disappears, with all work that it started.
    public func onAppear(dispatch action: any Action, cancelOnDisappear: Bool = true) -> some View {
      modifier(OnAppearDispatchActionViewModifier(action: action, cancelOnDisappear: cancelOnDisappear))
    }
  }

  /// A modifier that dispatches an action each time that the view it is applied to appears.
  ///
  /// ``SwiftUI/View/onAppear(dispatch:cancelOnDisappear:)`` applies it. The name is SwiftDux's.
  public struct OnAppearDispatchActionViewModifier: ViewModifier {
    private let action: any Action
    private let cancelOnDisappear: Bool
    @Environment(\.providedStores) private var stores
    @State private var work = AppearanceWork()

    /// Creates a modifier with an action.
    ///
    /// - Parameters:
    ///   - action: The action to dispatch, such as an async action or an action plan.
    ///   - cancelOnDisappear: A Boolean value that indicates whether the work is canceled when the
    ///     view disappears.
    public init(action: any Action, cancelOnDisappear: Bool = true) {
      self.action = action
      self.cancelOnDisappear = cancelOnDisappear
    }

    /// The view, which dispatches the action when it appears.
    public func body(content: Content) -> some View {
      content
        .onAppear {
          work.appear(dispatching: action, cancelOnDisappear: cancelOnDisappear, by: stores.dispatcher)
        }
        .onDisappear { work.disappear() }
    }
  }
#endif
