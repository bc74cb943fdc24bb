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
  }
#endif
