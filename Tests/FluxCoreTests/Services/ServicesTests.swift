import FluxCore
import TestSupport
import Testing

@Suite("Services")
struct ServicesTests {
  @Test("a service is found by the protocol under which it was registered")
  func byProtocol() throws {
    let services = Services { $0.register(Prefixed(), as: (any Naming).self) }
    #expect(try services((any Naming).self).name(of: 3) == "n3")
  }

  @Test("a service is found by its own type if it was registered without a type")
  func byType() throws {
    let services = Services {
      $0.register(Prefixed(prefix: "a"))
      $0.register(IDs { 7 })
    }
    #expect(try services(Prefixed.self).prefix == "a")
    #expect(try services(IDs.self).next() == 7)
  }

  @Test("a clock is found by its protocol with the type of its duration")
  func clock() throws {
    let clock = ContinuousClock()
    let services = Services().with(clock, as: (any Clock<Duration>).self)
    #expect(try services((any Clock<Duration>).self) is ContinuousClock)
  }

  @Test("an optional service and a function are found by their types")
  func unusualTypes() throws {
    let services = Services().with(nil, as: Int?.self).with({ 3 }, as: (@Sendable () -> Int).self)
    #expect(try services(Int?.self) == nil)
    #expect(try services((@Sendable () -> Int).self)() == 3)
  }

  @Test("the service that is registered last replaces the earlier service of its type")
  func replacing() throws {
    let services = Services().with(Prefixed(prefix: "a")).with(Prefixed(prefix: "b"))
    #expect(try services(Prefixed.self).prefix == "b")
  }

  @Test("a change of a copy does not change the original")
  func copies() throws {
    let original = Services().with(Prefixed(prefix: "a"))
    _ = original.with(Prefixed(prefix: "b"))
    #expect(try original(Prefixed.self).prefix == "a")
  }

  @Test("an overriding set replaces services of the same type, and adds its other services")
  func overriding() throws {
    let live = Services().with(Prefixed(prefix: "live")).with(IDs { 1 })
    let fake = Services().with(Prefixed(prefix: "fake")).with(3)
    let both = live.overridden(by: fake)
    #expect(try both(Prefixed.self).prefix == "fake")
    #expect(try both(IDs.self).next() == 1)
    #expect(try both(Int.self) == 3)
  }

  @Test("a restricted set has only the services of the given types")
  func restricting() throws {
    let services = Services().with(Prefixed(), as: (any Naming).self).with(3).with("text")
      .restricted(to: [(any Naming).self, Int.self])
    #expect(try services((any Naming).self).name(of: 1) == "n1")
    #expect(try services(Int.self) == 3)
    let error = #expect(throws: MissingService.self) { try services(String.self) }
    #expect(error?.code == .restricted)
  }

  @Test("a service that is registered after a restriction is found")
  func restrictingAndRegistering() throws {
    let services = Services().with(3).restricted(to: []).with(4)
    #expect(try services(Int.self) == 4)
  }

  @Test("an error that the registering closure throws is rethrown")
  func failing() {
    #expect(throws: Service.Trouble()) { try Services { _ in throw Service.Trouble() } }
  }

  // MARK: Errors

  @Test("a missing service is an error that names the type")
  func missing() {
    let error = #expect(throws: MissingService.self) { try Services()(Prefixed.self) }
    #expect(error?.code == .notRegistered)
    #expect(error?.service == "Prefixed")
    #expect(error?.action == nil)
    #expect(
      error.map { "\($0)" } == """
        The code that uses the store requires a service of type Prefixed, but the store has none. Register the \
        service when you create the store: Services { $0.register(…) }.
        """)
  }

  @Test("the error mentions a service that was registered under its own type instead of the protocol")
  func nearMiss() {
    let error = #expect(throws: MissingService.self) { try Services().with(Prefixed())((any Naming).self) }
    #expect(
      error.map { "\($0)" }?.hasSuffix(
        "A service is registered as Prefixed. Register it with `as: (any Naming).self` instead.") == true)
  }

  @Test("the error of a restricted service says that the services are restricted")
  func restrictedError() {
    let error = #expect(throws: MissingService.self) {
      try Services().with(3).restricted(to: [])(Int.self)
    }
    #expect(
      error.map { "\($0)" } == """
        The code that uses the store requires a service of type Int, but the services are restricted to other \
        types.
        """)
  }
}
