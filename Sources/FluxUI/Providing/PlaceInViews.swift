#if canImport(SwiftUI)
  import SwiftUI
#endif

/// The stores that a property uses.
///
/// If the property was created without stores, it uses the stores of its view.
@MainActor
struct PlaceInViews {
  private let given: ProvidedStores?
  #if canImport(SwiftUI)
    @Environment(\.providedStores) private var around
  #else
    private let around = ProvidedStores()
  #endif

  init(_ given: ProvidedStores?) {
    self.given = given
  }

  var stores: ProvidedStores { given ?? around }
}

#if canImport(SwiftUI)
  extension PlaceInViews: DynamicProperty {}
#endif
