import Board
import Flux
import FluxTesting
import Testing

@Suite("Events", .timeLimit(.minutes(15)))
struct EventTests {
  @Test("a page is sent the list, then each newer one, with its version as the id")
  func inOrder() async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let page = try await follow(port)
      #expect(try await page.chunk() == "id: 0\ndata: {\"items\":[],\"version\":0}\n\n")
      for version in 1...20 {
        _ = try await app.perform(.add("line\none"))
        #expect(try await page.chunk()?.hasPrefix("id: \(version)\ndata: {") == true)
      }
    }
  }

  @Test("many pages are each sent growing versions up to the last, while many write")
  func manyPages() async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      try await withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 1...20 {
          group.addTask {
            let page = try await follow(port)
            var versions: [Int] = []
            while versions.last != 200, let event = try await page.chunk() {
              versions.append(Int(event.dropFirst(4).prefix { $0 != "\n" }) ?? -1)
            }
            return versions
          }
        }
        await app.until { $0.listeners == 20 }
        for writer in 1...20 {
          group.addTask {
            let client = try await Client(to: port)
            for _ in 1...10 { _ = try await client.ask("POST", "/items", "{\"text\": \"\(writer)\"}") }
            return [0, 200]
          }
        }
        for try await versions in group {
          #expect(zip(versions, versions.dropFirst()).allSatisfy(<))
          #expect(versions.last == 200)
        }
      }
    }
  }

  @Test("a page that connects again is sent no list that it has seen")
  func again() async throws {
    let app = try await BoardApp.test()
    for text in ["milk", "bread"] { _ = try await app.perform(.add(text)) }
    try await withServer(app) { port in
      let page = try await follow(port, "Last-Event-ID: 2")
      #expect(try await page.chunk() == ": beat\n\n")
      _ = try await app.perform(.add("tea"))
      #expect(try await page.chunk()?.hasPrefix("id: 3\n") == true)
      #expect(try await follow(port, "Last-Event-ID: 2").chunk()?.hasPrefix("id: 3\n") == true)
      #expect(try await follow(port, "Last-Event-ID: x").chunk()?.hasPrefix("id: 3\n") == true)
    }
  }

  @Test("a page that has seen more than there is, of another board, is sent the list as it is")
  func ahead() async throws {
    let app = try await BoardApp.test()
    for text in ["milk", "bread"] { _ = try await app.perform(.add(text)) }
    var page = app.events(after: 3).makeAsyncIterator()
    _ = await page.nextText()
    #expect(await page.nextText()?.hasPrefix("id: 2\n") == true)
    _ = try await app.perform(.add("tea"))
    #expect(await page.nextText()?.hasPrefix("id: 3\n") == true)
  }

  @Test("a page that is slow is sent the newest list next, and holds nobody up")
  func slow() async throws {
    let app = try await BoardApp.test()
    var page = app.events(after: nil).makeAsyncIterator()
    _ = await page.nextText()
    #expect(await page.nextText()?.hasPrefix("id: 0\n") == true)
    for number in 1...50 { _ = try await app.perform(.add("\(number)")) }
    #expect(await page.nextText()?.hasPrefix("id: 50\n") == true)
  }

  @Test("every page is sent something now and then, so that one that has gone is noticed")
  func beat() async throws {
    let (app, clock) = (try await BoardApp.test(), ManualClock())
    try await withServer(app, clock: clock) { port in
      let page = try await follow(port)
      _ = try await page.chunk()
      await clock.run(for: BoardServer.beat, sleepers: 1)
      #expect(try await page.chunk() == ": beat\n\n")
    }
  }

  @Test("those who follow are counted for as long as they do")
  func counted() async throws {
    let app = try await BoardApp.test()
    var pages = [app.events(after: nil).makeAsyncIterator(), app.events(after: nil).makeAsyncIterator()]
    #expect(app.store.state.listeners == 2)
    pages.removeLast()
    #expect(app.store.state.listeners == 1)
    pages.removeAll()
    #expect(app.store.state.listeners == 0)
  }

  @Test("when the server ends, every page is told, and its stream ends")
  func end() async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let page = try await follow(port)
      _ = try await page.chunk()
      app.end()
      #expect(try await page.chunk() == "event: end\ndata: {}\n\n")
      #expect(try await page.chunk() == nil)
    }
    await app.until { $0.listeners == 0 }
  }

  @Test("a server that is asked to stop before it listens does not go on")
  func earlyEnd() async throws {
    let app = try await BoardApp.test()
    let server = try BoardServer(app, port: 0)
    await server.stop()
    let ports = Notes<UInt16>()
    try await server.run { ports.add($0) }
    #expect(ports.all.isEmpty)
  }

  /// Follows the events, up to the first event with content.
  private func follow(_ port: UInt16, _ headers: String...) async throws -> Client {
    let page = try await Client(to: port)
    try await page.send("GET", "/events", headers: headers.first ?? "Accept: text/event-stream")
    let head = try await page.head()
    #expect(head.status == 200)
    #expect(head.headers["content-type"] == "text/event-stream")
    #expect(try await page.chunk() == "retry: 1000\n\n")
    return page
  }
}
