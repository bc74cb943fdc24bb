#if os(Linux)
  import Flux
  import FluxInspector
  import Foundation
  import Testing

  /// A resolver that waits at a gate before each answer.
  private final class HeldResolver: CallStackResolver {
    let gate = Gate()
    private let calls = Locked(0)

    /// How many call stacks have arrived.
    var count: Int { calls.withLock { $0 } }

    func text(of stack: CallStack) -> String? {
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      gate.pass()
      return "Held.swift:\(number) call"
    }
  }

  @Suite("Origins that take long to find", .timeLimit(.minutes(15)))
  struct OriginTests {
    private let resolver = HeldResolver()
    private let desk: Desk

    init() {
      desk = Desk(noting: .always, resolver: resolver)
    }

    private func origins(_ message: JSONValue?) -> [JSONValue] {
      message?["entries"]?.elements.compactMap { $0["origin"] } ?? []
    }

    @Test("a page receives the log at once, and the origins when they are found")
    func atOnce() async throws {
      defer { resolver.gate.open() }
      desk.count(3)
      let page = try await desk.open()
      let log = try await page.watch()
      #expect(origins(log) == [.null, .null, .null])
      #expect(log["entries"]?[0]?["time"] != .null)
      await resolver.gate.waitForArrival()
      // The page and the program go on meanwhile.
      #expect(try await page.ask("state")["type"] == "state")
      try await page.ask("dispatch", ["name": "Count", "payload": "{}"])
      #expect(try await page.next("log")["entries"]?[0]?["origin"] == "the inspector's page")
      #expect(resolver.gate.isHolding)

      resolver.gate.open()
      let found = try await page.next("origins")
      #expect(found["store"] == 1)
      #expect(found["entries"]?.elements.map { $0["id"] } == [3, 2, 1])
      #expect(origins(found) == Array(repeating: "Held.swift:1 call", count: 3))
      #expect(resolver.count == 1)
    }

    @Test("an origin that was found is sent with the lines of other pages")
    func known() async throws {
      resolver.gate.open()
      desk.count(1)
      let page = try await desk.open()
      _ = try await page.watch()
      _ = try await page.next("origins")
      #expect(origins(try await desk.open().watch()) == ["Held.swift:1 call"])
    }

    @Test("pages that leave while origins are found do not end the search of another page")
    func leaves() async throws {
      defer { resolver.gate.open() }
      desk.count(1)
      let first = try await desk.open()
      _ = try await first.watch()
      await resolver.gate.waitForArrival()
      let second = try await desk.open()
      let third = try await desk.open()
      for page in [second, third] {
        #expect(origins(try await page.watch()) == [.null])
        #expect(try await page.ask("state")["type"] == "state")
      }
      for page in [first, second] {
        try await page.send(opcode: 8, Data())
        #expect(try await page.closeCode() == 1_000)
      }
      #expect(resolver.gate.isHolding)
      resolver.gate.open()
      #expect(origins(try await third.next("origins")) == ["Held.swift:1 call"])
    }

    @Test("an inspector ends while an origin is found")
    func ends() async throws {
      defer { resolver.gate.open() }
      desk.count(1)
      let page = try await desk.open()
      _ = try await page.watch()
      await resolver.gate.waitForArrival()
      await desk.inspector.stop()
      while try await page.frame() != nil {}
      #expect(resolver.gate.isHolding)
    }
  }
#endif
