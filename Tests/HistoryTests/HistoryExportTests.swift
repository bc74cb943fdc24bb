import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Exporting a history")
struct HistoryExportTests {
  private let registry = ActionRegistry(Write.self, Repeat.self)

  private func text(_ desk: Desk) throws -> String {
    String(decoding: try desk.history.export(from: desk.store, with: registry), as: UTF8.self)
  }

  @Test("the JSON is readable, and always has the same form")
  func json() throws {
    let desk = Desk(
      History(records: .except(Tick.self), unrecorded: .undoneWithEntry, grouping: .byType(Write.self)))
    desk.write("ab")
    desk.store.dispatch(Repeat())
    desk.store.dispatch(Tick())
    desk.store.dispatch(Stamp(line: "s"))
    desk.dispatch(.skip(try desk.id(2)), .jump(to: 1))
    #expect(
      try text(desk) == """
        {
          "base" : {
            "lines" : [

            ],
            "ticks" : 0
          },
          "entries" : [
            {
              "action" : "Write",
              "id" : 1,
              "payload" : {
                "line" : "a"
              }
            },
            {
              "action" : "Write",
              "id" : 2,
              "payload" : {
                "line" : "b"
              },
              "skipped" : true,
              "step" : 1
            },
            {
              "action" : "Repeat",
              "id" : 3,
              "payload" : {

              },
              "state" : {
                "lines" : [
                  "a",
                  "b",
                  "b"
                ],
                "ticks" : 1
              }
            },
            {
              "action" : "Stamp",
              "description" : "Stamp of s",
              "id" : 4,
              "state" : {
                "lines" : [
                  "a",
                  "b",
                  "b",
                  "s"
                ],
                "ticks" : 1
              }
            }
          ],
          "format" : "flux-history",
          "position" : 1,
          "state" : {
            "lines" : [
              "a"
            ],
            "ticks" : 0
          },
          "version" : 1
        }
        """)
    #expect(try text(desk) == text(desk))
  }

  @Test("before the first action the record is empty")
  func empty() throws {
    let desk = Desk(state: Notebook(lines: ["!"]))
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(text(desk).utf8))
    #expect(json["base"]?["lines"] == ["!"])
    #expect(json["state"]?["lines"] == ["!"])
    #expect(json["position"] == 0)
    #expect(json["entries"] == [])
  }

  @Test("the state after an unregistered action is exported, including an action of the store")
  func unregistered() throws {
    let desk = Desk()
    desk.store.dispatch(Stamp(line: "s"))
    desk.write("a")
    desk.store.dispatch(Stamp(line: "t"))
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(text(desk).utf8))
    #expect(json["entries"]?[0]?["state"]?["lines"] == ["s"])
    #expect(json["entries"]?[1]?["state"] == nil)
    #expect(json["entries"]?[2]?["state"]?["lines"] == ["s", "a", "t"])
  }

  @Test("the export of a part contains only the part")
  func part() throws {
    struct Office: FluxState { var notebook = Notebook() }
    let history = History<Notebook>()
    // The form that a lifted plug-in would have.
    let wrap = try #require(history.plugin.wrapReducer)
    let wrapped = wrap(notebookReducer)
    let store = Store<Office>(
      reducer: { (office: inout Office, action: any Action) in wrapped(&office.notebook, action) },
      state: Office())
    store.dispatch(Write("a"))
    store.dispatch(Write("b"))
    store.dispatch(HistoryAction.undo)
    let data = try history.export(from: store, at: \.notebook, with: registry)
    let json = try JSONDecoder().decode(JSONValue.self, from: data)
    #expect(json["state"]?["lines"] == ["a"])
    #expect(json["position"] == 1)
  }

  @Test("an action that cannot be encoded causes an error with its name, and changes nothing")
  func unencodable() throws {
    let desk = Desk()
    desk.write("a")
    desk.store.dispatch(Odd())
    let error = #expect(throws: HistoryError.self) {
      try desk.history.export(from: desk.store, with: registry.registering(Odd.self))
    }
    #expect(error?.code == .unencodable)
    #expect(error?.description == "Cannot encode entry 2 (Odd): JSON cannot represent the value 7 at `odd`.")
    #expect(desk.record.count == 2)
  }

  @Test("a state that cannot be encoded causes an error that identifies the state")
  func unencodableState() throws {
    let history = History<Odd>()
    let store = Store<Odd>(
      reducer: { (_: inout Odd, _: any Action) in }, plugins: [history.plugin], state: Odd())
    let error = #expect(throws: HistoryError.self) { try history.export(from: store, with: registry) }
    #expect(error?.code == .unencodable)
    #expect(error?.description == "Cannot encode the base: JSON cannot represent the value 7 at `odd`.")
  }
}

/// Encoding it throws an error.
private struct Odd: Action, FluxState, Codable {
  enum CodingKeys: CodingKey { case odd }

  init() {}
  init(from decoder: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(7, .init(codingPath: [CodingKeys.odd], debugDescription: "It is odd."))
  }
}
