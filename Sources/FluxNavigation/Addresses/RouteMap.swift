/// The addresses of an app's routes, which parses and prints URLs from one definition.
///
/// ```swift
/// let map = RouteMap<Route>(prefixes: ["https://films.example", "films:/"]) {
///   path("films") { Route.list }
///   path("films", .int) { Route.film($0) }
///   path("search", .query("q", .string), .query("page", .int, default: 1)) {
///     Route.search($0, page: $1)
///   }
/// }
/// let route = try map.parse("https://films.example/films/7")  // .film(7)
/// let address = try map.print(.search("snow & ice", page: 1))  // /search?q=snow%20%26%20ice
/// ```
///
/// A printed address leads back to its route: `map.parse(map.print(route)) == route`. Otherwise,
/// ``print(_:)`` throws an error. Several addresses can lead to one route. The printed address is
/// its canonical address.
///
/// A definition accepts an address if it has the path of the address, and each of its parameters
/// accepts its value. The first definition that accepts an address determines the route. If a
/// parameter does not accept its value, or a required query item is missing, the later definitions
/// are tried. If no definition accepts the address, the error describes the reason of the first
/// definition with the path.
///
/// Parsing and printing take O(n) time for n definitions.
public struct RouteMap<Route: Hashable & Sendable>: Sendable {
  private let prefixes: [AddressPrefix]
  private let definitions: [RouteDefinition<Route>]

  /// Creates a map from its definitions.
  ///
  /// - Parameters:
  ///   - prefixes: The beginnings of absolute addresses: a scheme, and usually a host. They can
  ///     contain the beginning of a path. The case of letters is ignored in schemes and hosts, and
  ///     significant in paths. If an address begins with several prefixes, the longest one counts.
  ///     An address without a scheme and host is always accepted.
  ///   - definitions: A closure that lists the definitions.
  public init(
    prefixes: [String] = [], @RouteMapBuilder<Route> _ definitions: () -> [RouteDefinition<Route>]
  ) {
    // The longest prefix is compared first, because it can begin with another prefix.
    self.prefixes = prefixes.map(AddressPrefix.init).sorted { $0.length > $1.length }
    self.definitions = definitions()
  }

  /// Returns the route that an address leads to.
  ///
  /// The slashes at the beginning and at the end of the path are optional. After a scheme without
  /// a host, up to three slashes are optional: with the prefix `films:`, the addresses
  /// `films:list`, `films:/list`, `films://list`, and `films:///list` lead to the same route. A
  /// fragment, and query items without a parameter or with an invalid encoding, are ignored. If
  /// an item occurs several times, the first one counts.
  ///
  /// - Throws: An error that describes why the address has no route.
  public func parse(_ address: String) throws(AddressError) -> Route {
    let parts = try AddressParts(parsing: withoutPrefix(address), of: address)
    var failure: AddressError?
    for definition in definitions {
      switch definition.parse(parts) {
      case .route(let route): return route
      case .otherPath: continue
      case .invalid(let code, let part): failure = failure ?? AddressError(code, address, part)
      }
    }
    throw failure ?? AddressError(.unknownPath, address)
  }

  /// Returns the address of a route, which begins with a slash and has no prefix.
  ///
  /// Query items whose values are the defaults are omitted.
  ///
  /// - Throws: An error with the code ``AddressError/Code/unknownRoute`` if no definition has the
  ///   route, ``AddressError/Code/ambiguous`` if the address would lead to another route, or
  ///   ``AddressError/Code/unparsable`` if the address would lead to no route.
  public func print(_ route: Route) throws(AddressError) -> String {
    var failure: AddressError?
    for definition in definitions {
      guard let address = definition.print(route)?.address else { continue }
      let found = try? parse(address)
      if found == route { return address }
      failure = failure ?? AddressError(found == nil ? .unparsable : .ambiguous, "\(route)", address)
    }
    throw failure ?? AddressError(.unknownRoute, "\(route)")
  }

  private func withoutPrefix(_ address: String) throws(AddressError) -> Substring {
    for prefix in prefixes { if let rest = prefix.rest(of: address) { return rest } }
    let scalars = address.unicodeScalars
    let first = scalars.prefix { !"/?#".unicodeScalars.contains($0) }
    guard !first.contains(":"), !scalars.starts(with: "//".unicodeScalars) else {
      throw AddressError(.unknownPrefix, address)
    }
    return address[...]
  }
}

/// A builder of the list of definitions in a ``RouteMap``.
@resultBuilder
public enum RouteMapBuilder<Route: Hashable & Sendable> {
  /// Returns one definition as a list.
  public static func buildExpression(_ definition: RouteDefinition<Route>) -> [RouteDefinition<Route>] {
    [definition]
  }

  /// Returns all lists as one list.
  public static func buildBlock(_ lists: [RouteDefinition<Route>]...) -> [RouteDefinition<Route>] {
    lists.flatMap(\.self)
  }

  /// Returns the list of a condition, or an empty list.
  public static func buildOptional(_ list: [RouteDefinition<Route>]?) -> [RouteDefinition<Route>] {
    list ?? []
  }

  /// Returns the list of the first branch.
  public static func buildEither(first list: [RouteDefinition<Route>]) -> [RouteDefinition<Route>] { list }

  /// Returns the list of the second branch.
  public static func buildEither(second list: [RouteDefinition<Route>]) -> [RouteDefinition<Route>] { list }

  /// Returns the lists of a loop as one list.
  public static func buildArray(_ lists: [[RouteDefinition<Route>]]) -> [RouteDefinition<Route>] {
    lists.flatMap(\.self)
  }
}
