import FluxNavigation
import TestSupport
import Testing

@Suite("Lifetimes of captured values in navigation")
struct NavigationLifetimeTests {
  @Test("a RouteMap keeps the closures of its RouteParameter values and routes until it is released")
  func routeMap() throws {
    let tracker = LifetimeTracker()
    do {
      let object = tracker.make()
      let number = RouteParameter<Int>(
        parse: { text in
          object.touch()
          return Int(text)
        },
        print: { number in
          object.touch()
          return "\(number)"
        })
      let map = RouteMap<Place> {
        path("films", number) { film in
          object.touch()
          return Place.film(film)
        }
      }
      #expect(try map.print(.film(7)) == "/films/7")
      #expect(tracker.alive == 1)
      withExtendedLifetime(map) {}
    }
    #expect(tracker.alive == 0)
  }
}
