#if canImport(SwiftUI)
  public import FluxCore
  public import SwiftUI

  extension View {
    /// Dispatches an action each time this view appears, unless the work of the previous
    /// dispatch is still running.
    ///
    /// An ``AppearanceWork`` object manages the work. This modifier has no effect on a view
    /// without visible content. If the action loads the props of a connected view, apply this
    /// modifier to an enclosing view that always has visible content.
    ///
    /// - Parameters:
    ///   - action: The action to dispatch, such as an async action or an action plan.
    ///   - cancelOnDisappear: A Boolean value that indicates whether the work, along with all
    ///     other work that it started, is canceled when the view disappears.
    public func onAppear(dispatch action: any Action, cancelOnDisappear: Bool = true) -> some View {
      modifier(OnAppearDispatchActionViewModifier(action: action, cancelOnDisappear: cancelOnDisappear))
    }
  }

  /// A modifier that dispatches an action each time the modified view appears.
  ///
  /// ``SwiftUI/View/onAppear(dispatch:cancelOnDisappear:)`` applies the modifier. The name
  /// comes from SwiftDux.
  public struct OnAppearDispatchActionViewModifier: ViewModifier {
    private let action: any Action
    private let cancelOnDisappear: Bool
    @Environment(\.providedStores) private var stores
    @State private var work = AppearanceWork()

    /// Creates a modifier that dispatches an action.
    ///
    /// - Parameters:
    ///   - action: The action to dispatch, such as an async action or an action plan.
    ///   - cancelOnDisappear: A Boolean value that indicates whether the work is canceled when
    ///     the view disappears.
    public init(action: any Action, cancelOnDisappear: Bool = true) {
      self.action = action
      self.cancelOnDisappear = cancelOnDisappear
    }

    /// Returns a view that dispatches the action when the modified view appears.
    public func body(content: Content) -> some View {
      content
        .onAppear {
          work.appear(dispatching: action, cancelOnDisappear: cancelOnDisappear, by: stores.dispatcher)
        }
        .onDisappear { work.disappear() }
    }
  }
#endif
