import FluxNavigation
import Foundation
import Testing

@Suite("Values in addresses")
struct RouteParameterTests {
  private enum Route: Hashable {
    case item(UUID)
    case number(Int)
    case height(Double)
  }

  private static let map = RouteMap<Route> {
    path("items", RouteParameter(parse: { UUID(uuidString: $0) }, print: { $0.uuidString })) {
      Route.item($0)
    }
    path("numbers", .int) { Route.number($0) }
    path("heights", .description) { Route.height($0) }
  }

  @Test(
    "every text that a parameter parses is accepted, and the printed address is canonical",
    arguments: [
      (
        "/items/e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "/items/E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
      ), ("/heights/7", "/heights/7.0"), ("/heights/+7.50", "/heights/7.5"), ("/numbers/-7", "/numbers/-7"),
    ])
  func canonical(address: String, canonical: String) throws {
    let route = try Self.map.parse(address)
    #expect(try Self.map.print(route) == canonical)
    #expect(try Self.map.parse(canonical) == route)
  }

  @Test(
    "an integer has one spelling", arguments: ["007", "+7", "-0", "00", "-07", "", "7 ", "٧", "0x7", "7.0"])
  func integers(text: String) throws {
    let encoded = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let error = #expect(throws: AddressError.self) { try Self.map.parse("/numbers/\(encoded)?x") }
    #expect(error?.code == (text.isEmpty ? .unknownPath : .invalidValue))
  }
}
