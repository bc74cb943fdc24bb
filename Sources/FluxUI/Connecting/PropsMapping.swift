/// A mapping from a state to the props of a view.
///
/// Do not conform to this protocol directly. Conform to ``ConnectableMapping``, as in SwiftDux,
/// or to ``ConnectedMapping``, as in SwiftUIFlux. The mapping is usually the view itself. In
/// addition to the state, the mapping can use external values, which are the properties of the
/// view. The mapping runs on the main actor. The type of the mapping and the type of the props
/// can be isolated to the main actor or nonisolated.
public protocol PropsMapping<Superstate, Props> {
  /// The type of the state that is mapped: the state of a store, a part of a state, or a
  /// protocol that the state conforms to.
  associatedtype Superstate: Sendable

  /// The type of the values that the view shows.
  associatedtype Props

  /// The comparison that determines whether two sets of props are equivalent.
  ///
  /// The default is ``PropsComparison/equality`` if the props are `Equatable`, and
  /// ``PropsComparison/never`` otherwise.
  @MainActor static var comparison: PropsComparison<Props> { get }

  /// Returns the props, or `nil` if there is nothing to show.
  @MainActor
  func _props(of state: Superstate, binder: ActionBinder) -> Props?
}

extension PropsMapping {
  /// The default comparison for props that are not `Equatable`, with which the props are never
  /// compared.
  @MainActor public static var comparison: PropsComparison<Props> { .never }
}

extension PropsMapping where Props: Equatable {
  /// The default comparison for `Equatable` props, which compares the props by equality.
  @MainActor public static var comparison: PropsComparison<Props> { .equality }
}

/// A comparison that determines whether two sets of props are equivalent.
///
/// A connection does not notify readers if the new props are equivalent to the previous props.
public struct PropsComparison<Props> {
  /// The closure that returns whether two sets of props are equivalent.
  ///
  /// If there is no closure, the props count as changed with each delivery, and the mapping runs
  /// only when the props are read.
  let areEqual: ((Props, Props) -> Bool)?

  /// A comparison with which each delivery counts as a change, and the mapping runs only when
  /// the props are read.
  @MainActor public static var never: PropsComparison { PropsComparison(areEqual: nil) }

  /// Returns a comparison that calls a closure to determine whether two sets of props are
  /// equivalent.
  @MainActor
  public static func by(_ areEqual: @escaping (Props, Props) -> Bool) -> PropsComparison {
    PropsComparison(areEqual: areEqual)
  }
}

extension PropsComparison where Props: Equatable {
  /// A comparison that treats two sets of props as equivalent if they are equal.
  @MainActor public static var equality: PropsComparison { .by { $0 == $1 } }
}
