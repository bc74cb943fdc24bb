/// How a state becomes the props of a view: what the two ways of connecting a view have in common.
///
/// It is for conforming to by one of the two: ``ConnectableMapping``, as in SwiftDux, or ``ConnectedMapping``, as in
/// SwiftUIFlux. A mapping is most often the view itself, whose properties are the external values that it maps with.
/// It maps on the main actor; its type, and that of the props, may be isolated to it or not.
public protocol PropsMapping<Superstate, Props> {
  /// The state that is mapped: that of a store, a part of one, or a protocol that the state of a store conforms to.
  associatedtype Superstate: Sendable

  /// What the view shows.
  associatedtype Props

  /// Which props show the same: equal ones, if they are `Equatable`, and else none.
  @MainActor static var comparison: PropsComparison<Props> { get }

  /// Makes the props; `nil` if there is nothing to show.
  @MainActor
  func _props(of state: Superstate, binder: ActionBinder) -> Props?
}

extension PropsMapping {
  /// Props that are not `Equatable` are never compared.
  @MainActor public static var comparison: PropsComparison<Props> { .never }
}

extension PropsMapping where Props: Equatable {
  /// Equal props show the same.
  @MainActor public static var comparison: PropsComparison<Props> { .equality }
}
