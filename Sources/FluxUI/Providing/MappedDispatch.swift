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
/// The idea and the name are SwiftDux's.
@MainActor @propertyWrapper
public struct MappedDispatch {
  private let stores: ProvidedStores

  /// Creates the property for the store that was provided last.
  public init(in stores: ProvidedStores) {
    self.stores = stores
  }

  /// Sends actions to the store; what is shown is up to date before the call returns.
  public var wrappedValue: ActionDispatcher { stores.dispatcher }
}

/// The way to dispatch, by an older name of SwiftDux's.
public typealias Dispatcher = MappedDispatch
