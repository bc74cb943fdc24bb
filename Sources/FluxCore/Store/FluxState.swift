/// A type that can be the state of a ``Store``.
///
/// The protocol requires only `Sendable`, so that any thread can safely read a state. The type
/// of your app's state must conform to this protocol. The types of the state's parts can also
/// conform to the protocol.
///
/// The name and the idea come from SwiftUIFlux.
public protocol FluxState: Sendable {}
