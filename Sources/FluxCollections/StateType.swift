public import FluxCore

/// What the state of an app is made of: values that can be compared.
///
/// The name comes from SwiftDux. ``/FluxCore/FluxState`` is all that a store asks for.
public typealias StateType = FluxState & Equatable

/// A part of the state that has an id, as the elements of an ``OrderedState`` do.
///
/// The name comes from SwiftDux. Nothing here asks for more than `Identifiable`.
public typealias IdentifiableState = FluxState & Equatable & Identifiable
