import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Exports of several pages", .timeLimit(.minutes(15)))
struct ExportTests {
  /// Holds the first export, and counts the values that exports write.
  private final class Watch: Sendable {
    let gate = Gate()
    /// The number of times that a part of the state was written, which is equal for each export.
    private let writeCount = Locked(0)
    /// The number of times that the part was written while the first export was held.
    private let overlapCount = Locked(0)

    var writes: Int { writeCount.withLock { $0 } }
    var overlaps: Int { overlapCount.withLock { $0 } }

    /// A redaction that hides nothing, through which the test observes the values that an export
    /// writes.
    var redaction: Redaction {
      Redaction { path in
        if path.hasSuffix("owner.name") { self.write() }
        return false
      }
    }

    private func write() {
      if gate.isHolding { overlapCount.withLock { $0 += 1 } }
      let isFirst = writeCount.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { gate.pass() }
    }
  }

  private let watch = Watch()
  private let desk: Desk

  init() {
    desk = Desk(redacting: watch.redaction)
  }

  private static func request(_ number: Int, _ type: String, _ members: String = "") -> Data {
    PageClient.frame(Data(#"{"request":\#(number),"type":"\#(type)","store":1\#(members)}"#.utf8))
  }

  private static let export = request(1, "export")
  private static let ping = PageClient.frame(opcode: 9, Data())

  /// A page whose export is held.
  private func held() async throws -> PageClient {
    let page = try await desk.open()
    try await page.send(bytes: Self.export)
    await watch.gate.waitForArrival()
    return page
  }

  /// A page whose export waits for its turn.
  private func waiting() async throws -> PageClient {
    let page = try await desk.open()
    try await page.send(bytes: Self.export + Self.ping)
    // The request after this one has been read.
    #expect(try await page.frame()?.opcode == 10)
    return page
  }

  @Test("one export at a time is made, and the others wait for their turn")
  func oneAtATime() async throws {
    defer { watch.gate.open() }
    let first = try await held()
    let others = [try await waiting(), try await waiting()]
    #expect(watch.gate.isHolding)
    watch.gate.open()
    for page in [first] + others { #expect(try await page.answer(1)["type"] == "exported") }
    #expect(watch.overlaps == 0)
  }

  @Test("a page that leaves gives up its turn, and its export is never made")
  func leavesWhileItWaits() async throws {
    defer { watch.gate.open() }
    let first = try await held()
    let leaving = try await waiting()
    let last = try await waiting()
    try await leaving.send(opcode: 8, Data())
    #expect(try await leaving.closeCode() == 1_000)
    watch.gate.open()
    for page in [first, last] { #expect(try await page.answer(1)["type"] == "exported") }
    let writesOfTwo = watch.writes
    try await last.ask("export")
    #expect(watch.writes - writesOfTwo == writesOfTwo / 2)
  }

  @Test("when a page leaves while its export is being made, the turn passes to the next page")
  func leavesWhileItIsMade() async throws {
    defer { watch.gate.open() }
    let first = try await held()
    let last = try await waiting()
    try await first.send(opcode: 8, Data())
    #expect(try await first.closeCode() == 1_000)
    #expect(watch.gate.isHolding)
    watch.gate.open()
    #expect(try await last.answer(1)["type"] == "exported")
  }

  @Test("a request that a page sends after an export is answered after the export")
  func keepsOrder() async throws {
    defer { watch.gate.open() }
    let first = try await held()
    let page = try await waiting()
    try await page.send(bytes: Self.request(2, "dispatch", #","name":"Count","payload":"{}""#))
    // The program continues, and the inspector answers another page.
    #expect(try await desk.open().ask("state")["type"] == "state")
    #expect(desk.store.state.count == 0)
    watch.gate.open()
    let export = try await page.message()
    #expect(export["request"] == 1)
    #expect(export["document"]?.string?.contains(#""Count""#) == false)
    #expect(try await page.message()["request"] == 2)
    #expect(desk.store.state.count == 1)
    #expect(try await first.answer(1)["type"] == "exported")
  }

  @Test("while its export is being made, a page still receives new entries")
  func goesOn() async throws {
    defer { watch.gate.open() }
    let page = try await desk.open()
    _ = try await page.watch()
    try await page.send(bytes: Self.request(2, "export"))
    await watch.gate.waitForArrival()
    desk.count(1)
    desk.clock.turn()
    #expect(try await page.next("log")["position"] == 1)
    #expect(watch.gate.isHolding)
    watch.gate.open()
    #expect(try await page.answer(2)["type"] == "exported")
  }

  @Test("an export of a store that has ended is refused without a turn")
  func ended() async throws {
    defer { watch.gate.open() }
    _ = try await held()
    #expect(try await desk.open().ask("export", store: 7)["code"] == "storeGone")
    #expect(watch.gate.isHolding)
  }
}
