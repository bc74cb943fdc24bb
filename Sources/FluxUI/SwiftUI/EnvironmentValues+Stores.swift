#if canImport(SwiftUI)
  public import SwiftUI

  private struct ProvidedStoresKey: EnvironmentKey {
    static let defaultValue = ProvidedStores()
  }

  extension EnvironmentValues {
    /// The stores that the enclosing views provide.
    public var providedStores: ProvidedStores {
      get { self[ProvidedStoresKey.self] }
      set { self[ProvidedStoresKey.self] = newValue }
    }

    /// The stores that the enclosing views provide, under the name that SwiftDux uses.
    ///
    /// ```swift
    /// @Environment(\.store) private var store
    ///
    /// DetailView().provideStore(store)
    /// let todos = store.unwrap(as: AppState.self)?.state?.todos
    /// ```
    public var store: ProvidedStores {
      get { providedStores }
      set { providedStores = newValue }
    }

    /// The dispatcher that sends actions to the innermost provided store.
    ///
    /// ```swift
    /// @Environment(\.actionDispatcher) private var dispatch
    ///
    /// Button("Add") { dispatch(AddTodo()) }
    /// ```
    ///
    /// If no store is provided, dispatching an action stops the program. ``MappedDispatch`` uses
    /// the same dispatcher. The name comes from SwiftDux.
    public var actionDispatcher: ActionDispatcher { providedStores.dispatcher }
  }
#endif
