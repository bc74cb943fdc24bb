#if canImport(SwiftUI)
  import Combine
  public import FluxCore
  public import SwiftUI

  /// A view that provides a store to the views inside, as in SwiftUIFlux.
  ///
  /// ```swift
  /// StoreProvider(store: store) {
  ///   HomeView()
  /// }
  /// ```
  ///
  /// The view has the same effect as ``SwiftUI/View/provideStore(_:)-(StateSource)``.
  public struct StoreProvider<Source: StateSource, Content: View>: View {
    private let store: Source
    private let content: Content

    /// Creates a view that provides a store to other views.
    ///
    /// - Parameters:
    ///   - store: A store, or a proxy for a part of its state.
    ///   - content: The views.
    public init(store: Source, @ViewBuilder content: () -> Content) {
      self.store = store
      self.content = content()
    }

    /// The views, to which the store is provided.
    public var body: some View {
      content.modifier(StoreProviderViewModifier(store: store))
    }
  }

  extension View {
    /// Provides a store to this view and all views inside: connected views, mapped states, and
    /// dispatchers.
    ///
    /// If several stores are provided, a view uses the innermost one that has the requested
    /// state, as ``ProvidedStores`` describes. A ``/FluxCore/Store`` is also an environment
    /// object for these views: `@EnvironmentObject var store: Store<AppState>`.
    ///
    /// The view retains the store. Create the store outside a body, because the body can run
    /// again, and views connect again if they receive another store.
    ///
    /// - Parameter source: A store, or a proxy for a part of its state. A proxy does not keep
    ///   the store alive.
    public func provideStore<State>(_ source: some StateSource<State>) -> some View {
      modifier(StoreProviderViewModifier(store: source))
    }

    /// Provides the stores of another view to this view and all views inside, in place of the
    /// stores of the enclosing views.
    ///
    /// Use this method for views that do not inherit the environment.
    ///
    /// - Parameter stores: The stores, usually ``SwiftUI/EnvironmentValues/store``.
    public func provideStore(_ stores: ProvidedStores) -> some View {
      environment(\.providedStores, stores)
    }

    /// Calls a closure with each action that this view and all views inside dispatch.
    ///
    /// The closure can replace or drop the action.
    ///
    /// The closure handles actions to the stores that the enclosing views provide. Apply this
    /// modifier before `provideStore(_:)`, as in `view.onAction { … }.provideStore(store)`. A
    /// store that is provided further inside receives its actions directly.
    ///
    /// The closure runs on the main actor, before the middleware of the store, and can use the
    /// `@State` of its view. If another thread dispatches, by a plain function such as that of
    /// ``ConnectedView``, the closure runs a little later. If several closures enclose a view,
    /// the innermost one runs first. The closure does not receive the actions that the work of
    /// an action dispatches.
    ///
    /// - Parameter perform: Returns the action to dispatch, or `nil` for none.
    public func onAction(perform: @escaping ProvidedStores.ActionChange) -> some View {
      modifier(OnActionViewModifier(perform: perform))
    }
  }

  /// A modifier that provides a store to the modified view and all views inside.
  ///
  /// ``SwiftUI/View/provideStore(_:)-(StateSource)`` applies the modifier.
  public struct StoreProviderViewModifier<Source: StateSource>: ViewModifier {
    private let store: Source
    @Environment(\.providedStores) private var stores

    /// Creates a modifier that provides a store.
    ///
    /// - Parameter store: A store, or a proxy for a part of its state.
    public init(store: Source) {
      self.store = store
    }

    /// Returns the view, to which the store is provided.
    public func body(content: Content) -> some View {
      let provided = content.environment(\.providedStores, stores.providing(store))
      if let object = store as? any ObservableObject {
        provided.withEnvironmentObject(object)
      } else {
        provided
      }
    }
  }

  extension View {
    /// Provides an environment object whose type is known only at run time, and therefore
    /// returns an erased view.
    fileprivate func withEnvironmentObject(_ object: some ObservableObject) -> AnyView {
      AnyView(environmentObject(object))
    }
  }

  /// A modifier that calls a closure with each action that the modified view and all views
  /// inside dispatch.
  ///
  /// ``SwiftUI/View/onAction(perform:)`` applies the modifier. The name comes from SwiftDux.
  public struct OnActionViewModifier: ViewModifier {
    /// A closure that returns the action to dispatch in place of another one, or `nil` for
    /// none.
    public typealias ActionModifier = ProvidedStores.ActionChange

    private let perform: ActionModifier
    @Environment(\.providedStores) private var stores
    @State private var place = ActionChangePlace { $0 }

    /// Creates a modifier that calls a closure with each action.
    ///
    /// - Parameter perform: Returns the action to dispatch, or `nil` for none.
    public init(perform: @escaping ActionModifier) {
      self.perform = perform
    }

    /// Returns the view, whose actions pass through the closure.
    public func body(content: Content) -> some View {
      // The body creates the closure again at each run. Because the place stays the same, the
      // views inside do not run their bodies.
      let _ = place.put(perform)
      content.environment(\.providedStores, stores.onAction(place))
    }
  }
#endif
