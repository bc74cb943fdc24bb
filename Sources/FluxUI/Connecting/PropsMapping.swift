/// A mapping from a state to the props of a view.
///
/// Do not conform to this protocol directly. Conform to ``ConnectableMapping``, as in SwiftDux,
/// or to ``ConnectedMapping``, as in SwiftUIFlux. A mapping is usually the view itself, and the
/// properties of the view are the external values. The mapping runs on the main actor. The type
/// of the mapping and the type of the props can be isolated to the main actor or nonisolated.
public protocol PropsMapping<Superstate, Props> {
  /// The type of the state that is mapped: the state of a store, a part of a state, or a
  /// protocol that the state conforms to.
  associatedtype Superstate: Sendable

  /// The type of the values that the view shows.
  associatedtype Props

  /// The comparison that decides whether two sets of props are equivalent.
  ///
  /// The default is ``PropsComparison/equality`` if the props are `Equatable`, and
  /// ``PropsComparison/never`` otherwise.
  @MainActor static var comparison: PropsComparison<Props> { get }

  /// Returns the props, or `nil` if there is nothing to show.
  @MainActor
  func _props(of state: Superstate, binder: ActionBinder) -> Props?
}

extension PropsMapping {
  /// The default comparison of props that are not `Equatable`, which never compares them.
  @MainActor public static var comparison: PropsComparison<Props> { .never }
}

extension PropsMapping where Props: Equatable {
  /// The default comparison of `Equatable` props, by equality.
  @MainActor public static var comparison: PropsComparison<Props> { .equality }
}
