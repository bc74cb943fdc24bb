#if canImport(SwiftUI)
  import SwiftUI
#endif

/// Where a property finds the stores that are provided to it: those it was given, or else those of the view that it is in.
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
