#if canImport(SwiftUI)
  public import FluxCore
  public import SwiftUI

  /// Provides a store to the views within: SwiftUIFlux's way of doing so.
  ///
  /// ```swift
  /// StoreProvider(store: store) {
  ///   HomeView()
  /// }
  /// ```
  ///
  /// It is ``SwiftUI/View/provideStore(_:)`` as a view.
  public struct StoreProvider<Source: StateSource, Content: View>: View {
    private let store: Source
    private let content: Content

    /// Provides a store to some views.
    ///
    /// - Parameters:
    ///   - store: A store, or a proxy of a part of one.
    ///   - content: The views.
    public init(store: Source, @ViewBuilder content: () -> Content) {
      self.store = store
      self.content = content()
    }

    /// The views, with the store.
    public var body: some View {
      content.provideStore(store)
    }
  }

  extension View {
    /// Provides a store to this view and all within: connected views, mapped states and dispatchers.
    ///
    /// Of several stores a view gets the innermost that has the state it asks for, as ``ProvidedStores`` says. The store is
    /// kept as long as the view is; in a body that runs again it should come from elsewhere, since another store is
    /// connected to anew.
    ///
    /// - Parameter source: A store, or a proxy of a part of one, which keeps no store alive.
    public func provideStore<State>(_ source: some StateSource<State>) -> some View {
      modifier(StoreModifier(source: source))
    }

    /// Lets a closure see each action that this view and all within dispatch, and send another in its place, or none.
    ///
    /// It sees what goes to the stores that are provided around it: stand it within `provideStore(_:)`, as in
    /// `view.onAction { … }.provideStore(store)`. A store that is provided further in takes its actions directly.
    ///
    /// It is called where the action is dispatched, before the middleware of the store; of several the innermost is the
    /// first. What the work of an action dispatches is not a view's, and does not come here.
    ///
    /// - Parameter perform: Gives the action to be dispatched; `nil` if none is to be.
    public func onAction(perform: @escaping ProvidedStores.ActionChange) -> some View {
      modifier(OnActionModifier(perform: perform))
    }
  }

  private struct StoreModifier<Source: StateSource>: ViewModifier {
    let source: Source
    @Environment(\.providedStores) private var stores

    func body(content: Content) -> some View {
      content.environment(\.providedStores, stores.providing(source))
    }
  }

  private struct OnActionModifier: ViewModifier {
    let perform: ProvidedStores.ActionChange
    @Environment(\.providedStores) private var stores
    @State private var place = ActionChangePlace { $0 }

    func body(content: Content) -> some View {
      // A body makes the closure anew each time; in its place, it does not have the views within run theirs.
      let _ = place.put(perform)
      content.environment(\.providedStores, stores.onAction(place))
    }
  }
#endif
