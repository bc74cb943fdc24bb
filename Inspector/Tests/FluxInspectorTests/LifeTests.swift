import Flux
import FluxInspector
import Foundation
import Testing

@Suite("The start and the end of an inspector", .timeLimit(.minutes(15)))
struct LifeTests {
  @Test("the address is passed to a closure, and can be read from the inspector")
  func address() async throws {
    let desk = Desk()
    let address = try await desk.inspector.address
    #expect(desk.lines.all == ["Inspector: \(address.absoluteString)"])
    #expect(address.host() == "127.0.0.1")
  }

  @Test("a port that is in use is reported, and the program continues")
  func taken() async throws {
    let first = Desk()
    let port = UInt16(try await first.inspector.address.port ?? 0)
    let second = Desk(port: port)
    await #expect {
      try await second.inspector.address
    } throws: { error in
      (error as? InspectorError)?.code == .cannotListen
    }
    #expect(second.lines.all.count == 1)
    #expect(second.lines.all[0].hasPrefix("Inspector: The inspector cannot listen on port \(port)"))
    second.count(1)
    #expect(second.store.state.count == 1)
  }

  @Test("when the inspector is stopped, its pages are disconnected and its port is free")
  func stop() async throws {
    let first = Desk()
    let address = try await first.inspector.address
    let page = try await first.open()
    await first.inspector.stop()
    while try await page.frame() != nil {}
    let second = Desk(port: UInt16(address.port ?? 0))
    #expect(try await second.inspector.address.port == address.port)
    await #expect(throws: InspectorError.self) { try await first.inspector.address }
    first.count(1)
    #expect(first.store.state.count == 1)
  }

  @Test("when its last reference is released, its pages are disconnected")
  func release() async throws {
    var desk: Desk? = Desk()
    let page = try #require(try await desk?.open())
    desk = nil
    while try await page.frame() != nil {}
  }

  @Test("stores of different states are shown on one page, each with its own log")
  func several() async throws {
    let desk = Desk()
    let second: Plugin<Note> = desk.inspector.plugin(named: "Notes")
    let notes = Store(reducer: { (note: inout Note, _) in note.lines += 1 }, plugins: [second], state: Note())
    desk.count(2)
    notes.dispatch(Count())
    let page = try await PageClient.open(desk.inspector.address)
    let stores = try await page.next("welcome")["stores"]?.elements ?? []
    #expect(stores.map { $0["name"] } == ["Shelf", "Notes"])
    #expect(try await page.watch(1)["position"] == 2)
    #expect(try await page.watch(2)["position"] == 1)
    notes.dispatch(Count())
    desk.count(1)
    desk.clock.turn()
    let logs = [try await page.next("log"), try await page.next("log")]
    #expect(Set(logs.map { $0["store"]?.integer }) == [1, 2])
    #expect(Set(logs.map { $0["position"]?.integer }) == [3, 2])
  }

  private struct Note: FluxState {
    var lines = 0
  }

  @Test("a page is notified when a store is added or released, and receives nothing about a released store")
  func comeAndGo() async throws {
    let desk = Desk()
    let page = try await desk.open()
    let plugin: Plugin<Note> = desk.inspector.plugin(named: "Notes")
    var notes: Store<Note>? = Store(
      reducer: { (note: inout Note, _) in note.lines += 1 }, plugins: [plugin], state: Note())
    #expect(try await page.next("stores")["stores"]?.elements.map { $0["id"] } == [1, 2])
    notes?.dispatch(Count())
    #expect(try await page.watch(2)["position"] == 1)
    notes = nil
    #expect(try await page.next("stores")["stores"]?.elements.map { $0["id"] } == [1])
    #expect(try await page.ask("watch", store: 2)["code"] == "storeGone")
  }

  @Test("a disabled inspector serves nothing, and its plug-in does nothing")
  func disabled() async throws {
    let lines = Lines()
    let inspector = Inspector(isEnabled: false, noting: .always, sink: lines.sink)
    let plugin: Plugin<Shelf> = inspector.plugin()
    #expect(plugin.wrapReducer == nil)
    #expect(plugin.middleware == nil)
    #expect(plugin.onStoreStart == nil)
    #expect(plugin.onTransition == nil)
    #expect(!inspector.notes.isOn)
  }

  @Test("a lifted plug-in shows nothing, and reports the reason")
  func lifted() {
    struct Whole: FluxState {
      var note = Note()
    }
    let lines = Lines()
    let part: Plugin<Note> = Inspector(isEnabled: true, sink: lines.sink).plugin()
    let store = Store(
      reducer: { (_: inout Whole, _) in }, plugins: [lift(part, to: \.note)], state: Whole())
    store.dispatch(Count())
    #expect(
      lines.all == [
        "Inspector: Note is not the state of the store, and is not shown. Do not lift the plug-in."
      ])
  }

  /// The output to standard error from now on, of the whole process.
  private static func standardError() -> AsyncStream<Data> {
    dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
    return AsyncStream { written in
      pipe.fileHandleForReading.readabilityHandler = { written.yield($0.availableData) }
    }
  }

  private static let pipe = Pipe()

  @Test("one line of code gives a store a page, whose address is written to standard error")
  func oneLine() async {
    await #expect(processExitsWith: .success) {
      // The time limit is reached only in a failure.
      alarm(200)
      let written = Self.standardError()
      let store = Store(
        reducer: shelfReducer, plugins: [inspector(actions: shelfActions, isEnabled: true)], state: Shelf())
      var text = ""
      for await bytes in written {
        text += String(decoding: bytes, as: UTF8.self)
        if text.hasSuffix("\n") { break }
      }
      let address = try #require(text.firstMatch(of: /Inspector: (http:.*)\n/)?.1)
      let page = try await PageClient.open(#require(URL(string: String(address))))
      #expect(try await page.next("welcome")["stores"]?.elements.map { $0["name"] } == ["Shelf"])
      store.dispatch(Count())
      #expect(try await page.watch()["position"] == 1)
    }
  }
}
