import Dispatch
import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Long requests of a page", .timeLimit(.minutes(15)))
struct SessionTests {
  private static func dispatch(_ name: String, _ payload: String) -> Data {
    Data(#"{"request":1,"type":"dispatch","store":1,"name":"\#(name)","payload":"\#(payload)"}"#.utf8)
  }

  private static let addBook = dispatch("AddBook", #"{\"id\":1,\"title\":\"Emma\"}"#)

  @Test("the tasks of the program continue while a long request runs")
  func holdsUpNoTask() async throws {
    let pages = ProcessInfo.processInfo.activeProcessorCount
    let (begun, opening) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let waits: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          begun.signal()
          opening.wait()
          next(action)
        }
      }
    }
    // More tasks than there are threads for tasks: all those threads would wait if sessions ran on
    // them.
    var open: [(desk: Desk, page: PageClient)] = []
    for _ in 0..<pages {
      let desk = Desk(middleware: [waits])
      open.append((desk, try await desk.open()))
    }
    for (_, page) in open { try await page.send(Self.addBook) }
    let didTaskRun = await withCheckedContinuation { answer in
      Thread.detachNewThread {
        for _ in 0..<pages { begun.wait() }
        let ran = DispatchSemaphore(value: 0)
        Task { ran.signal() }
        // The time limit is reached only in a failure.
        let result = ran.wait(timeout: .now() + 100)
        for _ in 0..<pages { opening.signal() }
        answer.resume(returning: result == .success)
      }
    }
    #expect(didTaskRun)
    for (_, page) in open { #expect(try await page.answer(1)["type"] == "done") }
  }

  @Test("other pages are answered while a long request runs")
  func holdsUpNoPage() async throws {
    let gate = Gate()
    defer { gate.open() }
    let desk = Desk(middleware: [gate.middleware])
    let page = try await desk.open()
    let other = try await desk.open()
    try await page.send(Self.addBook)
    await gate.waitForArrival()
    #expect(try await other.ask("state")["type"] == "state")
    #expect(gate.isHolding)
  }

  /// Lives as long as the tasks that were started with it, and reports its end.
  private final class Tasks: Sendable {
    @TaskLocal static var all: Tasks?
    private let end: AsyncStream<Void>.Continuation

    init(telling end: AsyncStream<Void>.Continuation) {
      self.end = end
    }

    deinit { end.finish() }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("requests that were received but not begun when the inspector stops are not executed")
  func stopped() async throws {
    let gate = Gate()
    defer { gate.open() }
    let isFirst = Locked(true)
    let waits = Redaction { _ in
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isFirst { gate.pass() }
      return false
    }
    let (tasks, ending) = AsyncStream.makeStream(of: Void.self)
    let desk = Tasks.$all.withValue(Tasks(telling: ending)) { Desk(redacting: waits) }
    desk.store.dispatch(AddBook(id: 1, title: "Emma"))
    let page = try await desk.open()
    try await page.ask("watch")
    // The session is busy with the log.
    await gate.waitForArrival()
    try await page.send(Self.dispatch("Count", "{}"))
    _ = try await desk.open()
    let stopping = Task.immediate { await desk.inspector.stop() }
    gate.open()
    await stopping.value
    for await _ in tasks {}
    #expect(desk.store.state.count == 0)
  }
}
