import FluxNavigation
package import SampleTerminal

extension ShelfState {
  /// The screens of the program.
  package enum Screen: Hashable, Codable, Sendable {
    case welcome
    case shelf
    case all
    case sections(Division)
    case together

    /// Parses an address, such as `sections/century`.
    package init(address: String) throws(Misunderstanding) {
      do throws(AddressError) {
        self = try addresses.parse(address)
      } catch {
        throw Misunderstanding(
          "There is no screen with the address \(error.subject.quoted). For example: sections/century")
      }
    }

    /// The list of books that the screen shows.
    var books: BookList? {
      switch self {
      case .welcome: nil
      case .shelf: .shelf
      case .all, .sections, .together: .all
      }
    }
  }

  /// The criterion by which books are divided into sections.
  package enum Division: String, CaseIterable, Codable, Sendable {
    case author, century
  }
}

/// The part of the state that contains the screens.
let routing = RouteSlice(at: \ShelfState.routes)

/// The addresses of the screens.
private let addresses = RouteMap<ShelfState.Screen> {
  path("shelf") { .shelf }
  path("all") { .all }
  path("sections", .division) { .sections($0) }
  path("together") { .together }
}

extension RouteParameter<ShelfState.Division> {
  fileprivate static var division: RouteParameter {
    RouteParameter(parse: { ShelfState.Division(rawValue: $0) }, print: { $0.rawValue })
  }
}

extension RouteSlice<ShelfState, RouteStack<ShelfState.Screen>> {
  /// Returns an action that shows a screen on top of the other screens.
  ///
  /// Each screen is in the stack at most once, so the way back is short.
  func visit(_ screen: ShelfState.Screen, in state: ShelfState) -> Navigate<RouteStack<ShelfState.Screen>> {
    setPath(state.routes.path.map(\.route).filter { $0 != screen } + [screen])
  }
}
