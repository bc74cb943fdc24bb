/// The addresses of some routes: a path with parameters, and the routes that it leads to.
///
/// The function `path(_:_:route:)` creates a definition in the closure of a ``RouteMap``.
public struct RouteDefinition<Route: Hashable & Sendable>: Sendable {
  /// A component of a path.
  enum Component: Hashable, Sendable {
    case text(String)
    case parameter
  }

  /// The result of a definition for an address.
  enum Match {
    case route(Route)
    /// The path of the address is another path.
    case otherPath
    case invalid(AddressError.Code, part: String)
  }

  /// Returns the route of an address.
  let parse: @Sendable (AddressParts) -> Match
  /// Returns the address of a route, or `nil` if the definition has no address for the route.
  let print: @Sendable (Route) -> AddressParts?

  /// Returns the components of a path, with a component for each parameter.
  ///
  /// - Parameter count: The number of parameters that are components. The parameters without an
  ///   asterisk in the pattern follow the components of the pattern.
  static func components(of pattern: String, parameters count: Int) -> [Component] {
    var components = pattern.split(separator: "/").map { $0 == "*" ? Component.parameter : .text(String($0)) }
    let missing = count - components.count { $0 == .parameter }
    if missing < 0 { Misuse.missingParameter(in: pattern) }
    components += Array(repeating: .parameter, count: missing)
    return components
  }

  /// Returns the texts at the parameters of a path, or `nil` if the path of an address is another
  /// path.
  static func texts(in address: [String], at components: [Component]) -> [String]? {
    guard address.count == components.count else { return nil }
    var texts: [String] = []
    for (text, component) in zip(address, components) {
      switch component {
      case .text(let expected): guard text == expected else { return nil }
      case .parameter: texts.append(text)
      }
    }
    return texts
  }
}

/// Returns the definition of a path without parameters, for the closure of a ``RouteMap``.
///
/// - Parameters:
///   - pattern: The components of the path, separated by slashes.
///   - route: A closure that returns the route.
public func path<Route>(
  _ pattern: String, route: @escaping @Sendable () -> Route
) -> RouteDefinition<Route> {
  let components = RouteDefinition<Route>.components(of: pattern, parameters: 0)
  return RouteDefinition(
    parse: { address in
      RouteDefinition<Route>.texts(in: address.components, at: components) == nil
        ? .otherPath : .route(route())
    },
    print: { given in
      guard route() == given else { return nil }
      var address = AddressParts()
      address.components = components.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return address
    })
}

/// Returns the definition of a path with parameters, for the closure of a ``RouteMap``.
///
/// ```swift
/// path("films", .int) { Route.film($0) }
/// path("films/*/reviews", .int, .query("page", .int, default: 1)) {
///   Route.reviews(film: $0, page: $1)
/// }
/// ```
///
/// The values of a route for its address are found by reflection: they must be the associated
/// values of the enumeration case, or the stored properties of the structure, in the order of the
/// parameters. For other routes, use `path(_:_:route:values:)`.
///
/// - Parameters:
///   - pattern: The components of the path, separated by slashes. An asterisk is the place of a
///     parameter. The parameters without an asterisk follow the pattern.
///   - first: The first parameter.
///   - others: The other parameters.
///   - route: A closure that returns the route with the values of the parameters.
public func path<Route, First: Sendable, each Other: Sendable>(
  _ pattern: String, _ first: RouteParameter<First>, _ others: repeat RouteParameter<each Other>,
  route: @escaping @Sendable (First, repeat each Other) -> Route
) -> RouteDefinition<Route> {
  path(pattern, first, repeat each others, route: route) { given in
    ReflectedValues.candidates(of: given).lazy.compactMap { values in
      ReflectedValues.cast(values, to: First.self, repeat (each Other).self)
    }.first { found in
      let (first, others) = found
      return route(first, repeat each others) == given
    }
  }
}

/// Returns the definition of a path with parameters, for routes whose values are not found by
/// reflection.
///
/// - Parameters:
///   - pattern: The components of the path, separated by slashes. An asterisk is the place of a
///     parameter. The parameters without an asterisk follow the pattern.
///   - first: The first parameter.
///   - others: The other parameters.
///   - route: A closure that returns the route with the values of the parameters.
///   - values: A closure that returns the values of a route, or `nil` if the definition has no
///     address for the route.
public func path<Route, First: Sendable, each Other: Sendable>(
  _ pattern: String, _ first: RouteParameter<First>, _ others: repeat RouteParameter<each Other>,
  route: @escaping @Sendable (First, repeat each Other) -> Route,
  values: @escaping @Sendable (Route) -> (First, (repeat each Other))?
) -> RouteDefinition<Route> {
  var count = first.isComponent ? 1 : 0
  for other in repeat each others { count += other.isComponent ? 1 : 0 }
  let components = RouteDefinition<Route>.components(of: pattern, parameters: count)
  return RouteDefinition(
    parse: { address in
      guard let texts = RouteDefinition<Route>.texts(in: address.components, at: components) else {
        return .otherPath
      }
      var reader = ParameterReader(texts: texts[...], address: address)
      do throws(ParameterReader.Failure) {
        let first = try reader.value(of: first)
        let others = (repeat try reader.value(of: each others))
        return .route(route(first, repeat each others))
      } catch {
        return .invalid(error.code, part: error.part)
      }
    },
    print: { given in
      guard let (firstValue, otherValues) = values(given), route(firstValue, repeat each otherValues) == given
      else { return nil }
      var writer = ParameterWriter()
      writer.write(firstValue, as: first)
      repeat writer.write(each otherValues, as: each others)
      return writer.address(at: components)
    })
}
