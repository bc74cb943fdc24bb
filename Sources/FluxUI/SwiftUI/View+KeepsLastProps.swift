#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Makes the connected views in this view show their last props when they have none anymore.
    ///
    /// ```swift
    /// .navigationDestination(for: RouteEntry<Route>.self) { entry in
    ///   DraftView(screen: entry.id)
    ///     .keepsLastProps()
    /// }
    /// ```
    ///
    /// By default, a connected view shows nothing while its mapping returns `nil`. Use this
    /// modifier for a screen whose state is removed together with the screen. SwiftUI shows a
    /// removed screen until its animation ends. Without the modifier, the screen becomes empty at
    /// the beginning of the animation. Views that never had props show nothing.
    public func keepsLastProps() -> some View {
      environment(\.keepsLastProps, true)
    }
  }

  private struct KeepsLastPropsKey: EnvironmentKey {
    static let defaultValue = false
  }

  extension EnvironmentValues {
    /// A Boolean value that indicates whether connected views show their last props when they have
    /// none anymore.
    var keepsLastProps: Bool {
      get { self[KeepsLastPropsKey.self] }
      set { self[KeepsLastPropsKey.self] = newValue }
    }
  }
#endif
