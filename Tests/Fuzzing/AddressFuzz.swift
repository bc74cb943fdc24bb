import FluxNavigation
import Foundation

private enum Route: Hashable {
  case list
  case film(Int)
  case reviews(film: Int, page: Int)
  case search(String, isExact: Bool)
  case note(String?)
  case copy(UUID)
}

/// A parameter whose values have several spellings.
private let uuid = RouteParameter(parse: { UUID(uuidString: $0) }, print: { $0.uuidString })

private let map = RouteMap<Route>(prefixes: ["https://films.example", "films:/"]) {
  path("") { Route.list }
  path("films/*/reviews", .int, .query("page", .int, default: 1)) { Route.reviews(film: $0, page: $1) }
  path("films", .int) { Route.film($0) }
  path("search", .string, .query("exact", .bool, default: false)) { Route.search($0, isExact: $1) }
  path("note", .query("text", optional: .string)) { Route.note($0) }
  path("copy", uuid) { Route.copy($0) }
}

extension FuzzTarget {
  /// The addresses of routes.
  ///
  /// An accepted address leads to a route whose own address leads back to the route, with and without
  /// each form of a prefix, unless a component of the route is empty. The case of letters in the
  /// scheme does not matter.
  static let addresses = FuzzTarget(
    "addresses",
    examples: [
      "/films/7/reviews?page=2#top", "https://films.example/search/snow%20%26%20ice?exact=true",
      "films://note?text=%C3%BC&text=b&x", "films:///films/7", "/", "films/-9223372036854775808/",
      "/note?text",
      "FILMS:/copy/e621e1f8-C36C-495a-93FC-0c247a3e6e5f",
    ],
    words: [
      "/", "?", "#", "&", "=", "%", "%2F", "%00", "%C3%BC", "films", "reviews", "search", "note", "page",
      "exact",
      "text", "true", "copy", "E621e1F8-c36c-495A-93fc-0C247A3e6e5F", "Films:/", "films:/",
      "https://films.example", "//", ":", "+", "-", ".", "..", "\u{301}",
    ]
  ) { input, _ in
    let address = String(decoding: input, as: UTF8.self)
    let route: Route
    do throws(AddressError) {
      route = try map.parse(address)
    } catch {
      try promise(error.subject == address, "the error names \(error.subject)")
      try promise(![.unknownRoute, .ambiguous, .unparsable].contains(error.code), "\(error)")
      return .refused("\(error.code)")
    }
    let printed: String
    do throws(AddressError) {
      printed = try map.print(route)
    } catch {
      // An empty component cannot be told from a slash at the end.
      try promise(route == .search("", isExact: false) || route == .search("", isExact: true), "\(error)")
      try promise(error.code == .unparsable, "\(error)")
      return .accepted
    }
    try promise(printed.utf8.allSatisfy { (33...126).contains($0) }, "\(printed) is not encoded")
    let again = Result { () throws(AddressError) in try map.parse(printed) }
    try promise((try? again.get()) == route, "\(printed) leads to \(again), and not to \(route)")
    for prefix in ["Films:", "Films:/", "films://", "HTTPS://films.example"] {
      let absolute = Result { () throws(AddressError) in try map.parse(prefix + printed) }
      try promise((try? absolute.get()) == route, "\(prefix)\(printed) leads to \(absolute)")
    }
    return .accepted
  }
}
