#if canImport(SwiftUI)
  import Combine
  public import FluxCore
  public import SwiftUI

  /// A view that provides a store to the views inside: SwiftUIFlux's way of doing so.
  ///
  /// ```swift
  /// StoreProvider(store: store) {
  ///   HomeView()
  /// }
  /// ```
  ///
  /// It is ``SwiftUI/View/provideStore(_:)-(StateSource)`` as a view.
  public struct StoreProvider<Source: StateSource, Content: View>: View {
    private let store: Source
    private let content: Content

    /// Creates a view that provides a store to other views.
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
      content.modifier(StoreProviderViewModifier(store: store))
    }
  }

  extension View {
    /// Provides a store to this view and all views inside: connected views, mapped states, and
    /// dispatchers.
    ///
    /// If several stores are provided, a view uses the innermost one that has the requested state,
    /// as ``ProvidedStores`` says. A ``/FluxCore/Store`` is also an environment object for these
    /// views: `@EnvironmentObject var store: Store<AppState>`. The view retains the store. In a
    /// body that runs again the store should come from elsewhere, because views connect again to
    /// another store.
    ///
    /// - Parameter source: A store, or a proxy of a part of one, which keeps no store alive.
    public func provideStore<State>(_ source: some StateSource<State>) -> some View {
      modifier(StoreProviderViewModifier(store: source))
    }

    /// Provides the stores of another view to this view and all views inside, in place of those
    /// provided around it.
    ///
    /// It passes stores on to views that do not inherit the environment.
    ///
    /// - Parameter stores: The stores, most often ``SwiftUI/EnvironmentValues/store``.
    public func provideStore(_ stores: ProvidedStores) -> some View {
      environment(\.providedStores, stores)
    }

    /// Calls a closure with each action that this view and all views inside dispatch; the closure
    /// may replace or drop it.
    ///
    /// The closure handles actions to the stores that are provided around it: write it before
    /// `provideStore(_:)`, as in `view.onAction { … }.provideStore(store)`. A store that is
    /// provided further inside receives its actions directly.
    ///
    /// The closure runs on the main actor, before the middleware of the store, and may use the
    /// `@State` of its view. If another thread dispatches, by a plain function such as that of
    /// ``ConnectedView``, the closure runs a little later. If several closures enclose a view, the
    /// innermost one runs first. The closure does not receive the actions that the work of an
    /// action dispatches.
    ///
    /// - Parameter perform: Returns the action to dispatch, or `nil` for none.
    public func onAction(perform: @escaping ProvidedStores.ActionChange) -> some View {
      modifier(OnActionViewModifier(perform: perform))
    }
  }

  /// A modifier that provides a store to the view that it is applied to, and to all views inside.
  ///
  /// ``SwiftUI/View/provideStore(_:)-(StateSource)`` applies it.
  public struct StoreProviderViewModifier<Source: StateSource>: ViewModifier {
    private let store: Source
    @Environment(\.providedStores) private var stores

    /// Creates a modifier that provides a store.
    ///
    /// - Parameter store: A store, or a proxy of a part of one.
    public init(store: Source) {
      self.store = store
    }

    /// The view, with the store.
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
    /// Provides an object whose type is not known, hence the erased view.
    fileprivate func withEnvironmentObject(_ object: some ObservableObject) -> AnyView {
      AnyView(environmentObject(object))
    }
  }

  /// A modifier that calls a closure with each action that the view it is applied to, and all
  /// views inside, dispatch.
  ///
  /// ``SwiftUI/View/onAction(perform:)`` applies it. The name is SwiftDux's.
  public struct OnActionViewModifier: ViewModifier {
    /// A closure that returns the action to dispatch in place of another one, or `nil` to dispatch
    /// none.
    public typealias ActionModifier = ProvidedStores.ActionChange

    private let perform: ActionModifier
    @Environment(\.providedStores) private var stores
    @State private var place = ActionChangePlace { $0 }

    /// Creates a modifier with a closure.
    ///
    /// - Parameter perform: Returns the action to dispatch, or `nil` for none.
    public init(perform: @escaping ActionModifier) {
      self.perform = perform
    }

    /// The view, whose actions pass through the closure.
    public func body(content: Content) -> some View {
      // A body makes the closure anew each time; in its place, it does not have the views within run theirs.
      let _ = place.put(perform)
      content.environment(\.providedStores, stores.onAction(place))
    }
  }
#endif
