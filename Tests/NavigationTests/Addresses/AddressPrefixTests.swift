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
}
