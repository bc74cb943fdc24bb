#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property that dispatches actions to the most recently provided store.
///
/// ```swift
/// @MappedDispatch var dispatch: ActionDispatcher
///
/// init(stores: ProvidedStores) {
///   _dispatch = MappedDispatch(in: stores)
/// }
///
/// dispatch(AddTodo(title: "Milk"))
/// ```
///
/// In a SwiftUI view, the property needs no arguments and no type:
/// `@MappedDispatch() private var dispatch`. The idea and the name come from SwiftDux.
@MainActor @propertyWrapper
public struct MappedDispatch {
  private let place: PlaceInViews

  /// Creates a property for the most recently provided store.
  public init(in stores: ProvidedStores) {
    place = PlaceInViews(stores)
  }

  #if canImport(SwiftUI)
    /// Creates a property of a view, for the innermost store that is provided to the view.
    public init() {
      place = PlaceInViews(nil)
    }
  #endif

  /// The dispatcher that sends actions to the store.
  ///
  /// When a dispatch returns, views already show the changes.
  public var wrappedValue: ActionDispatcher { place.stores.dispatcher }
}

/// The name of ``MappedDispatch`` in older versions of SwiftDux.
public typealias Dispatcher = MappedDispatch

#if canImport(SwiftUI)
  extension MappedDispatch: DynamicProperty {}
#endif
