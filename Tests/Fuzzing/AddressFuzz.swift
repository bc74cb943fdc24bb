import FluxNavigation
import Foundation

private enum Route: Hashable {
  case list
  case film(Int)
  case reviews(film: Int, page: Int)
  case search(String, isExact: Bool)
  case note(String?)
}

private let map = RouteMap<Route>(prefixes: ["https://films.example", "films:/"]) {
  path("") { Route.list }
  path("films/*/reviews", .int, .query("page", .int, default: 1)) { Route.reviews(film: $0, page: $1) }
  path("films", .int) { Route.film($0) }
  path("search", .string, .query("exact", .bool, default: false)) { Route.search($0, isExact: $1) }
  path("note", .query("text", optional: .string)) { Route.note($0) }
}

extension FuzzTarget {
  /// The addresses of routes.
  ///
  /// An accepted address leads to a route whose own address leads back to the route, unless another
  /// route has the same address.
  static let addresses = FuzzTarget(
    "addresses",
    examples: [
      "/films/7/reviews?page=2#top", "https://films.example/search/snow%20%26%20ice?exact=true",
      "films://note?text=%C3%BC&text=b&x", "/", "films/-9223372036854775808/", "/note?text",
    ],
    words: [
      "/", "?", "#", "&", "=", "%", "%2F", "%00", "%C3%BC", "films", "reviews", "search", "note", "page",
      "exact",
      "text", "true", "films:/", "https://films.example", "//", ":", "+", "-", ".", "..", "\u{301}",
    ]
  ) { input, _ in
    let address = String(decoding: input, as: UTF8.self)
    let route: Route
    do throws(AddressError) {
      route = try map.parse(address)
    } catch {
      try promise(error.subject == address, "the error names \(error.subject)")
      try promise(error.code != .unknownRoute && error.code != .ambiguous, "\(error)")
      return .refused("\(error.code)")
    }
    let printed: String
    do throws(AddressError) {
      printed = try map.print(route)
    } catch {
      // An empty component cannot be told from a slash at the end.
      try promise(route == .search("", isExact: false) || route == .search("", isExact: true), "\(error)")
      return .accepted
    }
    try promise(printed.utf8.allSatisfy { (33...126).contains($0) }, "\(printed) is not encoded")
    let again = Result { () throws(AddressError) in try map.parse(printed) }
    try promise((try? again.get()) == route, "\(printed) leads to \(again), and not to \(route)")
    let absolute = Result { () throws(AddressError) in try map.parse("films:/" + printed) }
    try promise((try? absolute.get()) == route, "with a prefix, \(printed) leads to \(absolute)")
    return .accepted
  }
}
