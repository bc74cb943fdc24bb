/// A type whose values are the state of a ``Store``.
///
/// The protocol requires only `Sendable`: a state is a value that any thread can read safely.
/// Conform the type of your app's state to this protocol and, if you like, the types of its
/// parts.
///
/// The name and the idea come from SwiftUIFlux.
public protocol FluxState: Sendable {}
