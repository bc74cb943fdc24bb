package import FluxNavigation
package import SampleTerminal

/// A screen to which the browser can return, and which has an address.
package enum Place: Hashable, Codable, Sendable {
  case page(Int)
  case film(Int)
  case found(words: String)
  case marks

  /// Parses an address, such as `films/7`.
  package init(address: String) throws(Misunderstanding) {
    do throws(AddressError) {
      self = try addresses.parse(address)
    } catch {
      throw Misunderstanding(error.text)
    }
  }

  /// The number of places below this place at most: a film can be above the results of a search,
  /// which are above a page.
  fileprivate var level: Int {
    switch self {
    case .page: 0
    case .found, .marks: 1
    case .film: 2
    }
  }
}

extension RouteStack<Place> {
  /// Shows a place, above the places of lower levels.
  ///
  /// The stack therefore contains at most three places, and a visit of the place below the top
  /// place is the way back.
  package mutating func visit(_ place: Place) {
    if place.level == root.route.level {
      popToRoot()
      if place != root.route { replaceTop(with: place) }
    } else {
      setPath(path.map(\.route).prefix { $0.level < place.level } + [place])
    }
  }
}

/// The part of the state that contains the places.
let routing = RouteSlice(at: \BrowserState.places)

/// The addresses of the places.
package let addresses = RouteMap<Place> {
  path("films", .query("page", .count, default: 1)) { Place.page($0) }
  path("films", .count) { Place.film($0) }
  path("search", .query("q", .words)) { Place.found(words: $0) }
  path("lists") { Place.marks }
}

extension RouteParameter<Int> {
  /// An integer from 1.
  fileprivate static var count: RouteParameter {
    RouteParameter(parse: { Int($0).flatMap { $0 > 0 ? $0 : nil } }, print: { "\($0)" })
  }
}

extension RouteParameter<String> {
  /// Any text except for white space only.
  fileprivate static var words: RouteParameter {
    RouteParameter(parse: { $0.isBlank ? nil : $0 }, print: { $0 })
  }
}

extension AddressError {
  /// The error for the user, in one line.
  fileprivate var text: String {
    let address = subject.quoted
    return switch code {
    case .malformed: "The address \(address) has an invalid percent-encoding."
    case .invalidValue: "The address \(address) contains the invalid value \((part ?? "").quoted)."
    case .missingItem: "The address \(address) lacks a value, as in search?q=dream"
    case .unknownPrefix, .unknownPath, .unknownRoute, .ambiguous, .unparsable:
      "There is no screen with the address \(address). For example: films/7"
    }
  }
}
