import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Exporting and importing on a page", .timeLimit(.minutes(15)))
struct TransferTests {
  /// A state that cannot be encoded.
  private struct Plain: FluxState {
    var count = 0
  }

  @Test("a program that imports the export of another program reaches the same state and the same log")
  func roundTrip() async throws {
    let first = Desk()
    first.store.dispatch(AddBook(id: 1, title: "Emma"))
    first.count(2)
    let exporting = try await first.open()
    try await exporting.command("undo")
    let document = try #require(try await exporting.ask("export")["document"])

    let second = Desk()
    let importing = try await second.open()
    _ = try await importing.watch()
    #expect(try await importing.ask("import", ["document": document])["type"] == "done")
    let log = try await importing.next("log")
    #expect(log["isWhole"] == true)
    #expect(log["position"] == 2)
    #expect(log["entries"]?.elements.map { $0["name"] } == ["AddBook", "Count", "Count"])
    #expect(second.store.state == first.store.state)
  }

  @Test(
    "a file that is not an exported history is refused, and changes nothing",
    arguments: ["", "{}", "[", "{\"format\": \"flux-history\", \"version\": 99}"])
  func wrongDocument(document: String) async throws {
    let desk = Desk()
    desk.count(2)
    let answer = try await desk.open().ask("import", ["document": .string(document)])
    #expect(answer["type"] == "refused")
    #expect(desk.store.state.count == 2)
  }

  @Test("a state that is not codable is shown, but neither exported nor imported")
  func notCodable() async throws {
    let inspector = Inspector(isEnabled: true, sink: LogSink { _ in })
    let plugin: Plugin<Plain> = inspector.plugin()
    let store = Store<Plain>(
      reducer: { state, _ in state.count += 1 }, plugins: [plugin], state: Plain())
    store.dispatch(Count())
    let page = try await PageClient.open(inspector.address)
    let line = try await page.next("welcome")["stores"]?[0]
    #expect(line?["canExport"] == false)
    #expect(line?["name"] == "Plain")
    #expect(try await page.ask("export")["code"] == "noTransfer")
    #expect(try await page.ask("import", ["document": "{}"])["code"] == "noTransfer")
    #expect(try await page.ask("state")["tree"]?.node("count")?["value"] == "1")
  }

  @Test("a document that is larger than a message may be is refused")
  func tooLarge() async throws {
    let desk = Desk()
    desk.store.dispatch(AddBook(id: 1, title: String(repeating: "x", count: 9 << 20)))
    let answer = try await desk.open().ask("export")
    #expect(answer["code"] == "tooLarge")
  }
}
