public import FluxCore

/// The requirements for an app's state whose values can be compared.
///
/// The name comes from SwiftDux. A store requires only ``/FluxCore/FluxState``.
public typealias StateType = FluxState & Equatable

/// The requirements for a part of the state that has an id, such as an element of an
/// ``OrderedState``.
///
/// The name comes from SwiftDux. This module requires only `Identifiable`.
public typealias IdentifiableState = FluxState & Equatable & Identifiable
