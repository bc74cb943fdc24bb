#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// The way to dispatch to the provided store as a property of what shows it.
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
/// In a SwiftUI view it needs no arguments, and no type: `@MappedDispatch() private var dispatch`. The idea and the name are
/// SwiftDux's.
@MainActor @propertyWrapper
public struct MappedDispatch {
  private let place: PlaceInViews

  /// Creates the property for the store that was provided last.
  public init(in stores: ProvidedStores) {
    place = PlaceInViews(stores)
  }

  #if canImport(SwiftUI)
    /// Creates the property of a view, for the store that was provided to it last.
    public init() {
      place = PlaceInViews(nil)
    }
  #endif

  /// Sends actions to the store; what is shown is up to date before the call returns.
  public var wrappedValue: ActionDispatcher { place.stores.dispatcher }
}

/// The way to dispatch, by an older name of SwiftDux's.
public typealias Dispatcher = MappedDispatch

#if canImport(SwiftUI)
  extension MappedDispatch: DynamicProperty {}
#endif
