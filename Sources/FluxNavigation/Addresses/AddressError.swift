/// The reason why an address has no route, or a route has no address.
public struct AddressError: Error, Hashable, Sendable {
  /// The kind of an error.
  public enum Code: Hashable, Sendable {
    /// The percent-encoding of the address is not valid.
    case malformed
    /// The address has a scheme or a host that the map does not have.
    case unknownPrefix
    /// No definition of the map has the path of the address.
    case unknownPath
    /// A component or an item of the address is not a value of its parameter.
    case invalidValue
    /// The address does not have a required query item.
    case missingItem
    /// No definition of the map has the route.
    case unknownRoute
    /// The address of the route leads to another route, because an earlier definition accepts the
    /// address.
    case ambiguous
    /// No definition of the map accepts the address of the route, for example because a component
    /// of the path is empty.
    case unparsable
  }

  /// The kind of the error.
  public let code: Code
  /// The address, or the description of the route.
  public let subject: String
  /// The part of the address that caused the error, or `nil`.
  ///
  /// If the code is ``Code/ambiguous`` or ``Code/unparsable``, the part is the address that does
  /// not lead back to the route.
  public let part: String?

  init(_ code: Code, _ subject: String, _ part: String? = nil) {
    self.code = code
    self.subject = subject
    self.part = part
  }
}

extension AddressError: CustomStringConvertible {
  /// A sentence that names the address or the route, and the reason.
  public var description: String {
    switch code {
    case .malformed: "The address \(subject) contains an invalid percent-encoding."
    case .unknownPrefix: "The address \(subject) does not begin with a prefix of the map."
    case .unknownPath: "The map contains no path for the address \(subject)."
    case .invalidValue: "The address \(subject) contains the invalid value \(part ?? "")."
    case .missingItem: "The address \(subject) requires the query item \(part ?? "")."
    case .unknownRoute: "The map contains no path for the route \(subject)."
    case .ambiguous: "The address \(part ?? "") of the route \(subject) leads to another route."
    case .unparsable: "The address \(part ?? "") of the route \(subject) leads to no route."
    }
  }
}
