#if canImport(SwiftUI)
  import Combine
  public import FluxCore
  public import SwiftUI

  /// A view that provides a store to the views that it contains, as in SwiftUIFlux.
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

    /// Creates a view that provides a store to the views that it contains.
    ///
    /// - Parameters:
    ///   - store: A store, or a proxy for a part of its state.
    ///   - content: The views to which the store is provided.
    public init(store: Source, @ViewBuilder content: () -> Content) {
      self.store = store
      self.content = content()
    }

    /// The contained views, with the store in their environment.
    public var body: some View {
      content.modifier(StoreProviderViewModifier(store: store))
    }
  }

  extension View {
    /// Provides a store to this view and all views inside it.
    ///
    /// Connected views, mapped states, and dispatchers use the store. If several stores are
    /// provided, a view uses the innermost store that has the requested state, as
    /// ``ProvidedStores`` describes. If the source is a ``/FluxCore/Store``, the views can also
    /// use the store as an environment object: `@EnvironmentObject var store: Store<AppState>`.
    ///
    /// The view retains the store. Create the store outside a body, because a body can run
    /// again, and views connect again when another store is provided.
    ///
    /// - Parameter source: A store, or a proxy for a part of its state. A proxy does not keep
    ///   the store alive.
    public func provideStore<State>(_ source: some StateSource<State>) -> some View {
      modifier(StoreProviderViewModifier(store: source))
    }

    /// Provides the stores of another view to this view and all views inside it, instead of the
    /// stores that the enclosing views provide.
    ///
    /// Use this method for views that do not inherit the environment.
    ///
    /// - Parameter stores: The stores, usually ``SwiftUI/EnvironmentValues/store``.
    public func provideStore(_ stores: ProvidedStores) -> some View {
      environment(\.providedStores, stores)
    }

    /// Calls a closure with each action that this view or a view inside it dispatches.
    ///
    /// The closure can replace or drop the action.
    ///
    /// The closure handles actions that are sent to the stores of the enclosing views. Apply
    /// this modifier before `provideStore(_:)`, as in `view.onAction { … }.provideStore(store)`.
    /// The closure is not called for actions that are sent to a store that is provided inside
    /// this view.
    ///
    /// The closure runs on the main actor, before the middleware of the store, and can use the
    /// `@State` of its view. If another thread dispatches through a plain function, such as the
    /// `dispatch` function of a ``ConnectedView``, the closure runs asynchronously. If several
    /// closures enclose a view, the innermost closure runs first. The closure does not receive
    /// the actions that the work of an action dispatches.
    ///
    /// - Parameter perform: A closure that returns the action to dispatch, or `nil` to dispatch
    ///   nothing.
    public func onAction(perform: @escaping ProvidedStores.ActionChange) -> some View {
      modifier(OnActionViewModifier(perform: perform))
    }
  }

  /// A modifier that provides a store to the modified view and all views inside it.
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

    /// Returns the modified view, with the store in its environment.
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
    /// returns a type-erased view.
    fileprivate func withEnvironmentObject(_ object: some ObservableObject) -> AnyView {
      AnyView(environmentObject(object))
    }
  }

  /// A modifier that calls a closure with each action that the modified view or a view inside
  /// it dispatches.
  ///
  /// ``SwiftUI/View/onAction(perform:)`` applies the modifier. The name comes from SwiftDux.
  public struct OnActionViewModifier: ViewModifier {
    /// A closure that returns the action to dispatch instead of a given action, or `nil` to
    /// dispatch nothing.
    public typealias ActionModifier = ProvidedStores.ActionChange

    private let perform: ActionModifier
    @Environment(\.providedStores) private var stores
    @State private var place = ActionChangePlace { $0 }

    /// Creates a modifier that calls a closure with each action.
    ///
    /// - Parameter perform: A closure that returns the action to dispatch, or `nil` to dispatch
    ///   nothing.
    public init(perform: @escaping ActionModifier) {
      self.perform = perform
    }

    /// Returns the modified view, whose actions pass through the closure.
    public func body(content: Content) -> some View {
      // The closure is created again each time the body of an enclosing view runs. The bodies
      // of the enclosed views do not run again, because `place` is the same object in each run.
      let _ = place.put(perform)
      content.environment(\.providedStores, stores.onAction(place))
    }
  }
#endif
