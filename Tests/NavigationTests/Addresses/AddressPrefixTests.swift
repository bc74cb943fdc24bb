import FluxNavigation
import Testing

@Suite("Prefixes of addresses")
struct AddressPrefixTests {
  private static func map(_ prefixes: String...) -> RouteMap<Place> {
    RouteMap<Place>(prefixes: prefixes) {
      path("") { Place.list }
      path("films", .int) { Place.film($0) }
      path("b/about") { Place.about }
      path("bc") { Place.search("", page: 1) }
    }
  }

  private func code(of address: String, in map: RouteMap<Place>) -> AddressError.Code? {
    do throws(AddressError) {
      _ = try map.parse(address)
      return nil
    } catch {
      return error.code
    }
  }

  // RFC 3986, sections 3.1 and 3.2.2.
  @Test(
    "the case of letters is ignored in the scheme and the host of an address",
    arguments: [
      "HTTPS://films.example/films/7", "https://Films.EXAMPLE/films/7", "https://films.example/films/7",
      "FILMS://films/7", "Films:/films/7",
    ])
  func ignoresCase(address: String) throws {
    #expect(try Self.map("https://films.example", "films:/").parse(address) == .film(7))
    #expect(try Self.map("HTTPS://FILMS.example", "Films:/").parse(address) == .film(7))
  }

  @Test("the case of letters is significant in the path of a prefix and of an address")
  func pathCase() throws {
    let map = Self.map("https://films.example/App")
    #expect(try map.parse("https://FILMS.example/App/films/7") == .film(7))
    #expect(code(of: "https://films.example/app/films/7", in: map) == .unknownPrefix)
    #expect(code(of: "https://films.example/App/Films/7", in: map) == .unknownPath)
  }

  @Test("the case of letters is significant in a prefix that is a path")
  func prefixPath() {
    #expect(code(of: "/App/films/7", in: Self.map("/App")) == nil)
    #expect(code(of: "/app/films/7", in: Self.map("/App")) == .unknownPath)
  }

  @Test(
    "letters that are not ASCII are compared exactly", arguments: ["https://fÄlms.example", "\u{212A}:/"])
  func otherLetters(prefix: String) {
    let map = Self.map(prefix)
    #expect(code(of: prefix + "/films/7", in: map) == nil)
    #expect(code(of: prefix.lowercased() + "/films/7", in: map) == .unknownPrefix)
  }

  @Test("if an address begins with two prefixes, the longest one counts", arguments: [true, false])
  func nested(isReversed: Bool) throws {
    let map = isReversed ? Self.map("app://a/b", "app://a") : Self.map("app://a", "app://a/b")
    #expect(try map.parse("app://a/films/7") == .film(7))
    #expect(try map.parse("app://a/b/films/7") == .film(7))
    #expect(try map.parse("app://a/b") == .list)
    #expect(code(of: "app://a/b/about", in: map) == .unknownPath)
  }

  @Test("a prefix that does not end at a boundary of an address leaves the address to a shorter one")
  func boundary() throws {
    let map = Self.map("app://a", "app://a/b")
    #expect(try map.parse("app://a/bc") == .search("", page: 1))
    #expect(code(of: "app://abc", in: map) == .unknownPrefix)
  }

  // MARK: Slashes

  private static let forms = [
    "https://h.example", "https://h.example/", "https://h.example/app", "https://h.example/app/",
    "//h.example", "movies:", "movies:/", "movies://", "movies:///", "movies:app", "movies:/app",
    "movies:///app/", "/app", "/app/", "app",
  ]

  @Test("a printed address after any form of a prefix leads back to its route", arguments: forms)
  func roundTrip(prefix: String) throws {
    let map = Self.map(prefix)
    for route in [Place.list, .film(7), .about, .search("", page: 1)] {
      let address = try map.print(route)
      #expect(try map.parse(address) == route)
      #expect(try map.parse(prefix + address) == route, "\(prefix + address)")
      #expect(try map.parse(prefix + address + "?x=1#y") == route)
      if prefix.hasSuffix("/") { #expect(try map.parse(prefix + address.dropFirst()) == route) }
    }
    #expect(try map.parse(prefix) == .list)
    #expect(try map.parse(prefix + "?x=1") == .list)
    #expect(try map.parse(prefix + "#x") == .list)
  }

  @Test("the slash at the end of a prefix with a host is optional", arguments: ["", "/", "/app", "/app/"])
  func endOfPrefix(path: String) throws {
    let map = Self.map("https://h.example" + path)
    let base = "https://h.example" + (path.hasSuffix("/") ? path.dropLast() : path[...])
    for address in ["", "/", "?x=1", "/?x=1", "#y"] { #expect(try map.parse(base + address) == .list) }
    #expect(try map.parse(base + "/films/7") == .film(7))
    #expect(try map.parse(base + "/films/7/") == .film(7))
    #expect(code(of: base + "///films/7", in: map) == .unknownPath)
  }

  @Test(
    "after a scheme without a host, up to three slashes are optional",
    arguments: ["movies:", "movies:/", "movies://", "movies:///"], ["", "/", "//", "///"])
  func withoutHost(prefix: String, slashes: String) throws {
    let map = Self.map(prefix)
    #expect(try map.parse("movies:\(slashes)films/7") == .film(7))
    #expect(try map.parse("Movies:\(slashes)films/7/?x=1#y") == .film(7))
    #expect(try map.parse("movies:\(slashes)") == .list)
    #expect(try map.parse("movies:\(slashes)?x=1") == .list)
  }

  @Test(
    "a path after a scheme without a host has the same optional slashes",
    arguments: ["movies:app", "movies:/app", "movies:///app", "movies:/app/"], ["", "/", "//", "///"])
  func pathWithoutHost(prefix: String, slashes: String) throws {
    let map = Self.map(prefix)
    #expect(try map.parse("movies:\(slashes)app/films/7") == .film(7))
    #expect(try map.parse("movies:\(slashes)app") == .list)
    #expect(code(of: "movies:\(slashes)apple/films/7", in: map) == .unknownPrefix)
    #expect(code(of: "movies:\(slashes)App/films/7", in: map) == .unknownPrefix)
  }

  @Test("an address that continues the last component of a prefix does not match", arguments: forms)
  func otherSites(prefix: String) {
    let map = Self.map(prefix)
    for address in [
      "https://h.example.evil/films/7", "https://h.example.evil", "https://h.examples/films/7",
      "https://h.example@evil/films/7", "https://h.example:80/films/7", "https://h.exampl/films/7",
      "https:h.example/films/7", "https:///films/7", "https://h.example/apple/films/7",
      "moviesx:films/7", "moviesx:/films/7", "movie:films/7", "movies.films/7", "xmovies:films/7",
      "//evil/films/7", "//films/7", "mailto:films/7", "apple/films/7", "/apple/films/7",
    ] {
      let found = code(of: address, in: map)
      #expect(found == .unknownPrefix || found == .unknownPath, "\(address)")
    }
  }

  @Test("the longest prefix counts, regardless of the slashes at its ends", arguments: [true, false])
  func longest(isReversed: Bool) throws {
    let prefixes = ["movies:///", "movies:/b"]
    let map = isReversed ? Self.map(prefixes[1], prefixes[0]) : Self.map(prefixes[0], prefixes[1])
    #expect(try map.parse("movies:///b/films/7") == .film(7))
    #expect(try map.parse("movies:///bc") == .search("", page: 1))
    #expect(code(of: "movies:/b/about", in: map) == .unknownPath)
  }
}
