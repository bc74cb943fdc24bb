/// A set of services: the values that work needs from outside the store, such as the network,
/// files, clocks, random numbers, and new ids.
///
/// ```swift
/// let store = Store(
///   reducer: appReducer,
///   services: Services {
///     $0.register(LiveFilmService(), as: (any FilmService).self)
///     $0.register(IDs.random)
///   },
///   state: AppState())
/// ```
///
/// A store receives its services when it is created. The contexts of requests, tasks, plans,
/// listeners, thunks, and plug-ins provide the services of their store:
///
/// ```swift
/// func perform(in context: RequestContext<AppState>) async throws -> Film {
///   try await context.services((any FilmService).self).film(id)
/// }
/// ```
///
/// A service is found by exactly the type under which it was registered: a protocol, or a concrete
/// type such as a structure of closures. A service that is registered under a protocol is not
/// found by its own type, and a service that is registered under its own type is not found by a
/// protocol. There is at most one service for each type.
///
/// The type is a value type, so a change of a copy does not affect a store. A store therefore has
/// the same services until it is released, and stores in parallel tests do not share them. When
/// the store is released, it releases its services. A look-up that is made later throws an error.
///
/// A look-up is O(1). A dispatch does not look up services. You can use every member from any
/// thread. The environment of the Composable Architecture and the services of ASP.NET Core are
/// similar.
public struct Services: Sendable {
  private enum Entry: Sendable {
    case registered(any RegisteredService)
    /// The service exists, but ``restricted(to:)`` has removed it.
    case withheld
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The code that looks up services in this value, for errors.
  private var user: ServiceUser?
  private var isOfReleasedStore = false

  /// Creates a set without services.
  public init() {}

  /// Creates a set with the services that a closure registers.
  public init<Failure: Error>(_ register: (inout Services) throws(Failure) -> Void) throws(Failure) {
    try register(&self)
  }

  // MARK: - Registering

  /// Registers a service under a type, and replaces the service that was registered under the
  /// type.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - type: The type by which the service is found. The default is the type of the service. For
  ///     a protocol, pass `(any FilmService).self`.
  public mutating func register<Service: Sendable>(_ service: Service, as type: Service.Type = Service.self) {
    entries[ObjectIdentifier(type)] = .registered(ServiceOfType(service: service))
  }

  /// Returns the services with another service, as ``register(_:as:)`` registers it.
  public func with<Service: Sendable>(_ service: Service, as type: Service.Type = Service.self) -> Services {
    var copy = self
    copy.register(service, as: type)
    return copy
  }

  /// Returns the services of both sets.
  ///
  /// If both sets have a service for a type, the result has the service of the other set. The
  /// method is O(n) for n services of the other set.
  ///
  /// - Parameter other: The services that replace the services of this set.
  public func overridden(by other: Services) -> Services {
    var copy = self
    copy.entries.merge(other.entries) { _, new in new }
    return copy
  }

  /// Returns only the services for the given types.
  ///
  /// A look-up of another service throws an error with the code
  /// ``MissingService/Code/restricted``. The method is O(n) for n services.
  public func restricted(to types: [Any.Type]) -> Services {
    let kept = Set(types.map { ObjectIdentifier($0) })
    var copy = self
    copy.entries = entries.reduce(into: [:]) { $0[$1.key] = kept.contains($1.key) ? $1.value : .withheld }
    return copy
  }

  // MARK: - Looking up

  /// Returns the service for a type.
  ///
  /// ```swift
  /// let films = try context.services((any FilmService).self)
  /// ```
  ///
  /// - Parameter type: The type under which the service was registered.
  /// - Throws: A ``MissingService`` error if no service was registered under the type, if the
  ///   services were restricted, or if the store was released. If the services come from the
  ///   context of an action's work, the error names the action.
  public func callAsFunction<Service: Sendable>(
    _ type: Service.Type
  ) throws(MissingService) -> Service {
    switch entries[ObjectIdentifier(type)] {
    case .registered(let known):
      guard let known = known as? ServiceOfType<Service> else {
        preconditionFailure("A service must be registered under its type.")
      }
      return known.service
    case .withheld: throw MissingService(type, .restricted, of: user)
    case nil:
      let code: MissingService.Code = isOfReleasedStore ? .storeReleased : .notRegistered
      throw MissingService(type, code, of: user, likes(of: type))
    }
  }

  /// Returns the names of the types of services that could be registered under a type, but are
  /// registered under their own type.
  private func likes<Service>(of type: Service.Type) -> [String] {
    entries.values.compactMap { entry in
      guard case .registered(let known) = entry, known.isOf(type) else { return nil }
      return known.typeName
    }.sorted()
  }

  // MARK: - In stores

  /// The services of a store that was released.
  package static var ofReleasedStore: Services {
    var services = Services()
    services.isOfReleasedStore = true
    return services
  }

  /// Returns a copy whose errors name the code that uses the services.
  package func used(by user: ServiceUser?) -> Services {
    guard let user else { return self }
    var copy = self
    copy.user = user
    return copy
  }
}

/// A service of any type.
private protocol RegisteredService: Sendable {
  /// The name of the type under which the service is registered.
  var typeName: String { get }

  /// Returns whether the service could be registered under a type.
  func isOf<Other>(_ type: Other.Type) -> Bool
}

private struct ServiceOfType<Service: Sendable>: RegisteredService {
  let service: Service

  var typeName: String { "\(Service.self)" }

  func isOf<Other>(_ type: Other.Type) -> Bool { service is Other }
}
