import Flux
import FluxInspector
import Foundation
import Testing

@Suite("A slow page", .timeLimit(.minutes(15)))
struct SlowPageTests {
  private let desk: Desk
  /// The counts so far.
  private let counted: AsyncStream<Void>

  init() {
    let (counted, counting) = AsyncStream.makeStream(of: Void.self)
    self.counted = counted
    let tellsCounts: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          next(action)
          if action is Count { counting.yield() }
        }
      }
    }
    desk = Desk(history: History(limit: 1_000), middleware: [tellsCounts])
    // No connection can buffer two exports of this state if the page does not read.
    desk.store.dispatch(AddBook(id: 0, title: String(repeating: "x", count: 3 << 20)))
  }

  private func waitForCounts(_ number: Int) async {
    var iterator = counted.makeAsyncIterator()
    for _ in 0..<number { await iterator.next() }
  }

  /// A page that does not read by itself, and for which the system does not buffer either.
  private func slow() async throws -> PageClient { try await desk.open(room: 256 << 10) }

  private func work(_ times: Int) {
    for id in 0..<times { desk.store.dispatch(AddBook(id: 1 + id % 100, title: "x")) }
  }

  private func request(_ number: Int, _ type: String, _ members: String = "") -> Data {
    PageClient.frame(Data(#"{"request":\#(number),"type":"\#(type)","store":1\#(members)}"#.utf8))
  }

  private func count(_ number: Int) -> Data {
    request(number, "dispatch", #","name":"Count","payload":"{}""#)
  }

  @Test("a slow page delays only itself: the program continues, and other pages receive entries immediately")
  func holdsUpNobody() async throws {
    let slow = try await slow()
    for number in 1...20 { try await slow.send(bytes: request(number, "export") + count(number + 20)) }
    // The allowed number of answers is waiting; half of them answer `count` requests.
    await waitForCounts(4)
    work(2_000)
    let quick = try await desk.open()
    #expect(try await quick.ask("export")["type"] == "exported")
    let watching = try await quick.watch()
    #expect(watching["current"]?.integer ?? 0 > 2_000)
    // The page is slow: its first answers fill the connection, and requests after eight more are
    // not read.
    #expect(desk.store.state.count < 8)
    await slow.close()
  }

  @Test(
    "the waiting answers of all pages are bounded, and further requests are refused until they are sent"
  )
  func sharesMemory() async throws {
    var pages: [PageClient] = []
    for _ in 0..<12 {
      let page = try await slow()
      for number in 11...14 { try await page.send(bytes: request(number, "export")) }
      try await page.send(bytes: count(15))
      pages.append(page)
    }
    // Each page has received its exports or refusals.
    await waitForCounts(12)
    let quick = try await desk.open()
    let refusal = try await quick.ask("export")
    #expect(refusal["code"] == "busy")
    #expect(refusal["message"]?.string?.contains("Close the pages that you do not need") == true)
    #expect(try await quick.ask("state")["type"] == "state")
    for page in pages { await page.close() }
    // The memory that the pages kept is free when each page has ended.
    while try await quick.ask("export")["code"] == "busy" {}
  }

  @Test("when a slow page reads again, it receives all answers to its requests, and the present state")
  func catchesUp() async throws {
    let page = try await slow()
    #expect(try await page.watch()["current"] == 1)
    for number in 11...13 { try await page.send(bytes: request(number, "export")) }
    try await page.send(bytes: count(14))
    // The exports have been made, and are sent before all other answers.
    await waitForCounts(1)
    for _ in 0..<5 {
      work(300)
      desk.clock.turn()
    }
    for number in 11...13 { #expect(try await page.answer(number)["type"] == "exported") }
    #expect(try await page.answer(14)["type"] == "done")
    var told: [Int] = []
    while told.last != 1_502 {
      told += try await page.next("log")["entries"]?.elements.compactMap { $0["id"]?.integer } ?? []
    }
    // Entries that the history has discarded meanwhile were never sent.
    #expect(told.first == 503)
    #expect(told.count == 1_000)
  }
}
