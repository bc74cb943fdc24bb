/// A type whose values are the state of a ``Store``.
///
/// It asks for nothing but `Sendable`: a state is a value, and reading it from any thread is safe. Give the
/// protocol to the state of an app and, if you like, to the parts it is made of.
///
/// The name and the idea come from SwiftUIFlux.
public protocol FluxState: Sendable {}
