#if canImport(SwiftUI)
  public import SwiftUI

  private struct ProvidedStoresKey: EnvironmentKey {
    static let defaultValue = ProvidedStores()
  }

  extension EnvironmentValues {
    /// The stores that the views around have provided.
    public var providedStores: ProvidedStores {
      get { self[ProvidedStoresKey.self] }
      set { self[ProvidedStoresKey.self] = newValue }
    }

    /// The stores that the views around have provided, under the name that SwiftDux gives them.
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

    /// Sends actions to the store that was provided last; stops the program when it is used and no
    /// store is provided.
    ///
    /// ```swift
    /// @Environment(\.actionDispatcher) private var dispatch
    ///
    /// Button("Add") { dispatch(AddTodo()) }
    /// ```
    ///
    /// It is the dispatcher of ``MappedDispatch``. The name is SwiftDux's.
    public var actionDispatcher: ActionDispatcher { providedStores.dispatcher }
  }
#endif
