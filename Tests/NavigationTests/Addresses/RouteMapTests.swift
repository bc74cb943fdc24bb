import FluxNavigation
import TestSupport
import Testing

@Suite("Addresses of routes")
struct RouteMapTests {
  static let map = RouteMap<Place>(prefixes: ["https://films.example", "films:/"]) {
    path("") { Place.list }
    path("films/*/reviews", .int, .query("page", .int, default: 1)) { Place.reviews(film: $0, page: $1) }
    path("films", .int) { Place.film($0) }
    path("search", .query("q", .string), .query("page", .int, default: 1)) { Place.search($0, page: $1) }
    path("browse", .query("genre", optional: .rawValue)) { Place.browse(genre: $0) }
    path("about/this app") { Place.about }
  }

  @Test(
    "a route has an address, which leads back to the route",
    arguments: [
      (.list, "/"), (.film(7), "/films/7"), (.film(-7), "/films/-7"), (.film(.min), "/films/\(Int.min)"),
      (.reviews(film: 7, page: 1), "/films/7/reviews"),
      (.reviews(film: 7, page: 2), "/films/7/reviews?page=2"),
      (.search("snow & ice", page: 1), "/search?q=snow%20%26%20ice"),
      (.search("a+b=c/d?e#f%", page: 3), "/search?q=a%2Bb%3Dc%2Fd%3Fe%23f%25&page=3"),
      (.search("", page: 1), "/search?q="),
      (.search("Füße 🎬", page: 1), "/search?q=F%C3%BC%C3%9Fe%20%F0%9F%8E%AC"),
      (.browse(genre: nil), "/browse"), (.browse(genre: .drama), "/browse?genre=drama"),
      (.about, "/about/this%20app"),
    ] as [(Place, String)])
  func addresses(route: Place, address: String) throws {
    #expect(try Self.map.print(route) == address)
    #expect(try Self.map.parse(address) == route)
  }

  @Test(
    "other spellings of an address lead to the same route",
    arguments: [
      ("films/7", .film(7)), ("/films/7/", .film(7)), ("", .list), ("?", .list), ("#top", .list),
      ("/films/7#cast", .film(7)), ("/films/7?utm=x", .film(7)), ("/%66ilms/7", .film(7)),
      ("/search?page=1&q=a", .search("a", page: 1)), ("/search?q=a&q=b", .search("a", page: 1)),
      ("/films/7?x=100%", .film(7)), ("/films/7#\u{FE0F}", .film(7)),
      ("/search?q=\u{301}x", .search("\u{301}x", page: 1)), ("/search?q", .search("", page: 1)),
      ("/search?&q=a&", .search("a", page: 1)),
      ("/search?q=%c3%bc", .search("ü", page: 1)), ("/search?q=a=b", .search("a=b", page: 1)),
    ] as [(String, Place)])
  func spellings(address: String, route: Place) throws {
    #expect(try Self.map.parse(address) == route)
  }

  @Test(
    "an address can begin with a prefix",
    arguments: [
      "https://films.example/films/7", "films://films/7", "https://films.example/films/7?x=1#y",
      "films:/films/7",
    ])
  func prefixes(address: String) throws {
    #expect(try Self.map.parse(address) == .film(7))
    #expect(try Self.map.parse("https://films.example") == .list)
    #expect(try Self.map.parse("https://films.example?q=1") == .list)
  }

  @Test(
    "an address with another scheme or host is refused",
    arguments: [
      "https://films.example.com/films/7", "https://films.examples", "http://films.example/films/7",
      "//films.example/films/7", "mailto:films/7", "https:", "films.example:80/films/7",
    ])
  func unknownPrefix(address: String) {
    let error = #expect(throws: AddressError.self) { try Self.map.parse(address) }
    #expect(error?.code == .unknownPrefix)
    #expect(error?.subject == address)
  }

  @Test(
    "an address without a route throws an error that names the reason",
    arguments: [
      ("/film/7", .unknownPath, nil), ("/films/7/cast", .unknownPath, nil), ("/films//7", .unknownPath, nil),
      ("//", .unknownPrefix, nil), ("/films/7//", .unknownPath, nil), ("/films%2F7", .unknownPath, nil),
      ("/films/seven", .invalidValue, "seven"), ("/films/007", .invalidValue, "007"),
      ("/films/+7", .invalidValue, "+7"),
      ("/films/99999999999999999999", .invalidValue, "99999999999999999999"),
      ("/films/7/reviews?page=x", .invalidValue, "page=x"),
      ("/browse?genre=horror", .invalidValue, "genre=horror"),
      ("/search", .missingItem, "q"), ("/films/%", .malformed, "%"), ("/films/%7", .malformed, "%7"),
      ("/films/%zz", .malformed, "%zz"), ("/search?q=%ff", .missingItem, "q"),
      ("/search?%=a", .missingItem, "q"), ("x:\u{301}y", .unknownPrefix, nil),
    ] as [(String, AddressError.Code, String?)])
  func errors(address: String, code: AddressError.Code, part: String?) {
    let error = #expect(throws: AddressError.self) { try Self.map.parse(address) }
    #expect(error?.code == code)
    #expect(error?.part == part)
    #expect(error?.description.contains(address) == true)
    if let part { #expect(error?.description.contains(part) == true || code == .malformed) }
  }

  // MARK: Definitions

  @Test("the first definition that accepts an address determines the route")
  func order() throws {
    let map = RouteMap<String> {
      path("new") { "new" }
      path("", .string) { $0 }
    }
    #expect(try map.parse("/new") == "new")
    #expect(try map.parse("/old") == "old")
  }

  @Test("a definition that does not accept a value leaves the address to the next definition")
  func next() throws {
    enum Route: Hashable { case number(Int), name(String) }
    let map = RouteMap<Route> {
      path("items", .int) { Route.number($0) }
      path("items", .string) { Route.name($0) }
    }
    #expect(try map.parse("/items/7") == .number(7))
    #expect(try map.parse("/items/x7") == .name("x7"))
    #expect(try map.print(.name("x7")) == "/items/x7")
  }

  @Test("a route whose address would lead to another route is not printed")
  func ambiguous() {
    enum Route: Hashable { case number(Int), name(String) }
    let map = RouteMap<Route> {
      path("items", .int) { Route.number($0) }
      path("items", .string) { Route.name($0) }
    }
    let error = #expect(throws: AddressError.self) { try map.print(.name("7")) }
    #expect(error?.code == .ambiguous)
    #expect(error?.description == #"The address /items/7 of the route name("7") leads to another route."#)
  }

  @Test("a route whose address would lead to no route is not printed")
  func unparsable() {
    enum Route: Hashable { case name(String) }
    let map = RouteMap<Route> { path("items", .string) { Route.name($0) } }
    let error = #expect(throws: AddressError.self) { try map.print(.name("")) }
    #expect(error?.code == .unparsable)
    #expect(error?.part == "/items/")
    #expect(error?.description == "The address /items/ of the route name(\"\") leads to no route.")
  }

  @Test("if no definition accepts an address, the error describes the first definition with its path")
  func firstReason() {
    let map = RouteMap<Int> {
      path("other") { 0 }
      path("items", .int) { $0 }
      path("items", .string, .query("page", .int)) { $1 }
    }
    let error = #expect(throws: AddressError.self) { try map.parse("/items/x") }
    #expect(error?.code == .invalidValue && error?.part == "x")
  }

  @Test("a route without a definition is not printed")
  func unknownRoute() {
    let map = RouteMap<Place> { path("films", .int) { Place.film($0) } }
    let error = #expect(throws: AddressError.self) { try map.print(.about) }
    #expect(error?.code == .unknownRoute)
    #expect(error?.description == "The map contains no path for the route about.")
  }

  @Test("routes can be structures, and have several forms of values")
  func structures() throws {
    struct Route: Hashable {
      var film: Int
      var isFull: Bool
      var note: String?
    }
    let map = RouteMap<Route> {
      path("films", .int, .query("full", .bool, default: false), .query("note", optional: .string)) {
        Route(film: $0, isFull: $1, note: $2)
      }
    }
    for (route, address) in [
      (Route(film: 1, isFull: false, note: nil), "/films/1"),
      (Route(film: 1, isFull: true, note: nil), "/films/1?full=true"),
      (Route(film: 1, isFull: true, note: ""), "/films/1?full=true&note="),
    ] {
      #expect(try map.print(route) == address)
      #expect(try map.parse(address) == route)
    }
  }

  @Test("routes whose values are not found by reflection have a function for their values")
  func values() throws {
    struct Point: Hashable {
      let sum: Int
      let difference: Int
    }
    let map = RouteMap<Point> {
      path("points", .int, .int) {
        Point(sum: $0 + $1, difference: $0 - $1)
      } values: { point in
        ((point.sum + point.difference) / 2, ((point.sum - point.difference) / 2))
      }
    }
    #expect(try map.print(Point(sum: 7, difference: 1)) == "/points/4/3")
    #expect(try map.parse("/points/4/3") == Point(sum: 7, difference: 1))
    let error = #expect(throws: AddressError.self) { try map.print(Point(sum: 8, difference: 1)) }
    #expect(error?.code == .unknownRoute)
  }

  @Test("parameters of other types are created from functions, raw values, and descriptions")
  func parameters() throws {
    struct Day: Hashable, LosslessStringConvertible {
      let number: Int

      init(_ number: Int) { self.number = number }

      init?(_ description: String) {
        guard description.hasPrefix("day"), let number = Int(description.dropFirst(3)) else { return nil }
        self.number = number
      }

      var description: String { "day\(number)" }
    }
    enum Route: Hashable { case day(Day), genre(Genre), pair(Int, Int) }
    let pair = RouteParameter<[Int]>(
      parse: { text in text.split(separator: "x").map { Int($0) ?? 0 } },
      print: { pair in pair.map(String.init).joined(separator: "x") })
    let map = RouteMap<Route> {
      path("days", .description) { Route.day($0) }
      path("genres", .rawValue) { Route.genre($0) }
      path("sizes", pair) {
        Route.pair($0.first ?? 0, $0.last ?? 0)
      } values: { route in
        if case .pair(let width, let height) = route { ([width, height], ()) } else { nil }
      }
    }
    for (route, address) in [
      (Route.day(Day(3)), "/days/day3"), (.genre(.comedy), "/genres/comedy"), (.pair(3, 4), "/sizes/3x4"),
    ] {
      #expect(try map.print(route) == address)
      #expect(try map.parse(address) == route)
    }
  }

  @Test("definitions can be listed in conditions and loops")
  func builder() throws {
    func map(isComplete: Bool) -> RouteMap<Place> {
      RouteMap<Place> {
        if isComplete { path("about") { Place.about } }
        if isComplete { path("films", .int) { Place.film($0) } } else { path("f", .int) { Place.film($0) } }
        for genre in [Genre.comedy, .drama] { path(genre.rawValue) { Place.browse(genre: genre) } }
      }
    }
    #expect(try map(isComplete: true).print(.about) == "/about")
    #expect(try map(isComplete: true).print(.film(1)) == "/films/1")
    #expect(try map(isComplete: false).print(.film(1)) == "/f/1")
    #expect(try map(isComplete: false).print(.browse(genre: .drama)) == "/drama")
    #expect(throws: AddressError.self) { try map(isComplete: false).print(.about) }
  }

  @Test("a pattern with more asterisks than parameters stops the program")
  func asterisks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RouteMap<Int> { path("a/*/*", .int) { $0 } }
    }
    expect(result, says: "the path \"a/*/*\" has more asterisks than parameters")
  }

  // MARK: Arbitrary addresses

  @Test(
    "every route of random texts and numbers has an address that leads back to it",
    arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let characters = Array("abcABC019-._~ %/?#&=+:;,@!$'()*[]\\\"<>{}|^`äß中🎬\u{0}\u{7f}\u{301}\r\n")
    for _ in 0..<3_000 {
      let text = String(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in characters.randomElement(using: &random)! })
      let number = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random)
      let route: Place =
        switch Int.random(in: 0...3, using: &random) {
        case 0: .film(number)
        case 1: .reviews(film: number, page: Int.random(in: 0...2, using: &random))
        default: .search(text, page: Int.random(in: 0...2, using: &random))
        }
      let address = try Self.map.print(route)
      #expect(try Self.map.parse(address) == route, "seed \(seed): \(address)")
      #expect(try Self.map.parse("https://films.example" + address) == route)
      #expect(address.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    }
  }

  @Test(
    "an arbitrary address is refused, or its route is printed as an address of the route",
    arguments: [1, 2, 3] as [UInt64])
  func arbitrary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "films", "/", "7", "?", "q=", "page=", "&", "%", "%2F", "#", "search", "reviews", ":", "", "2",
      "browse", "genre=", "drama",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let address = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        parts.randomElement(using: &random)!
      }.joined()
      guard let route = try? Self.map.parse(address) else { continue }
      accepted += 1
      #expect(try Self.map.parse(Self.map.print(route)) == route, "\(address)")
    }
    #expect(accepted > 100)
  }
}
