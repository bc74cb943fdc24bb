/// An error that is thrown if a store does not have a service that work needs.
///
/// The description names the action, the service, and the call that registers the service:
///
/// ```text
/// FetchFilm requires a service of type FilmService, but the store has none. Register the
/// service when you create the store: Services { $0.register(…) }.
/// ```
///
/// Work that throws the error reports it like any other error of the work.
public struct MissingService: Error, Hashable, Sendable, CustomStringConvertible {
  /// A reason why a service is missing.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case notRegistered, restricted, storeReleased
    }

    private let value: Value

    /// No service was registered under the type.
    public static let notRegistered = Code(value: .notRegistered)
    /// The services were restricted to other types, for example by lifting.
    public static let restricted = Code(value: .restricted)
    /// The store was released, and has released its services.
    public static let storeReleased = Code(value: .storeReleased)
  }

  /// The reason why the service is missing.
  public let code: Code
  /// The name of the type under which the service was looked up.
  public let service: String
  /// The name of the action whose work needs the service, or `nil` if no action needs the service.
  ///
  /// For a plan or a thunk, the name includes the file and the line that created the action. For a
  /// listener, the action is the action that started the run.
  public let action: String?
  /// The names of the types of services that conform to the missing type, but were registered
  /// under another type.
  let likes: [String]

  init(_ service: Any.Type, _ code: Code, of user: ServiceUser?, _ likes: [String] = []) {
    self.code = code
    self.service = "\(service)"
    action = user?.name
    self.likes = likes
  }

  private init(_ other: MissingService, action: String) {
    code = other.code
    service = other.service
    self.action = action
    likes = other.likes
  }

  /// Returns an error that names an action, unless the error already names one.
  package func named(for action: any Action) -> MissingService {
    self.action == nil ? MissingService(self, action: ServiceUser(type(of: action)).name) : self
  }

  /// A description that contains the names of the action and the service, the reason, and the
  /// remedy.
  public var description: String {
    let need = "\(action ?? "The code that uses the store") requires a service of type \(service)"
    return switch code {
    case .restricted: "\(need), but the services are restricted to other types."
    case .storeReleased: "\(need), but the store was released."
    default: "\(need), but the store has none. \(remedy)"
    }
  }

  private var remedy: String {
    if let like = likes.first {
      return "A service is registered as \(like). Register it with `as: (any \(service)).self` instead."
    }
    return "Register the service when you create the store: Services { $0.register(…) }."
  }
}

/// The code that looks up a service: the work of an action, or a listener of an action.
@usableFromInline
package struct ServiceUser: Sendable {
  private let action: any Action.Type
  private let origin: String?

  /// Creates a user for the work of an action.
  ///
  /// - Parameters:
  ///   - action: The type of the action.
  ///   - origin: The name, or the file and line, of an action that consists of a closure.
  @usableFromInline
  package init(_ action: any Action.Type, from origin: String? = nil) {
    self.action = action
    self.origin = origin
  }

  var name: String { origin.map { "\(action) (\($0))" } ?? "\(action)" }
}
