import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Importing a history")
struct HistoryImportTests {
  private let registry = ActionRegistry(Write.self, Repeat.self)

  private func document(_ change: (inout JSONValue) -> Void = { _ in }) throws -> Data {
    var json: JSONValue = [
      "format": "flux-history", "version": 1, "position": 2,
      "base": ["lines": [], "ticks": 0], "state": ["lines": ["a", "b"], "ticks": 0],
      "entries": [
        ["id": 1, "action": "Write", "payload": ["line": "a"]],
        ["id": 2, "action": "Write", "payload": ["line": "b"]],
        ["id": 5, "action": "Repeat", "payload": [:]],
      ],
    ]
    change(&json)
    return try JSONEncoder().encode(json)
  }

  @Test("an imported record replaces the record of the history")
  func importing() throws {
    let desk = Desk()
    desk.write("xyz")
    let report = try desk.history.importing(document(), with: registry)
    #expect(report.count == 3)
    #expect(desk.text == "xyz")
    desk.store.dispatch(report)
    #expect(desk.text == "ab")
    #expect(desk.record.position == 2)
    #expect(desk.record.entries.map(\.id.rawValue) == [1, 2, 5])
    #expect(desk.record.lastImport == .init(arrived: true, unknownActions: []))
    desk.dispatch(.redo)
    #expect(desk.text == "abb")
    desk.write("c")
    #expect(desk.record.entries.last?.id.rawValue == 6)
    desk.dispatch(.jump(to: 0))
    #expect(desk.text == "")
  }

  @Test("reset returns to the initial state of the store, not to the imported state")
  func reset() throws {
    let desk = Desk(state: Notebook(lines: ["!"]))
    desk.store.dispatch(try desk.history.importing(document(), with: registry))
    desk.dispatch(.reset)
    #expect(desk.text == "!")
  }

  @Test("an import applies only to the history that read it")
  func named() throws {
    let mine = History<Notebook>(named: "mine")
    let desk = Desk()
    desk.write("a")
    let report = try mine.importing(document(), with: registry)
    desk.store.dispatch(report)
    #expect(desk.text == "a")
    #expect(desk.record.count == 1)
    #expect("\(report)" == "History: import of 3 entries in mine")
  }

  @Test("an import reports that replaying does not end in the exported state")
  func differs() throws {
    let desk = Desk()
    let report = try desk.history.importing(document { $0["state"]?["ticks"] = 1 }, with: registry)
    desk.store.dispatch(report)
    #expect(desk.record.lastImport?.arrived == false)
    #expect(desk.text == "ab")
  }

  @Test("states without `==` are compared by their encoded form", arguments: [1, 2])
  func differsWithoutEquality(count: Int) throws {
    struct Plain: FluxState, Codable { var count = 0 }
    let history = History<Plain>()
    let store = Store<Plain>(
      reducer: { (state: inout Plain, _: any Action) in state.count += 1 }, plugins: [history.plugin],
      state: Plain())
    let data = try document {
      $0["base"] = ["count": 0]
      $0["state"] = ["count": .integer(count)]
    }
    store.dispatch(try history.importing(data, with: registry))
    #expect(store.state.count == 2)
    #expect(history.record.lastImport?.arrived == (count == 2))
  }

  @Test("an unknown action is kept and shown, skipped when reducing, and exported again unchanged")
  func unknown() throws {
    let data = try document {
      $0["entries"]?[1] = [
        "id": 2, "action": "Shake", "payload": ["hard": [true, nil, .decimal(1.5)], "by": "me"],
      ]
      $0["entries"]?[2] = ["id": 5, "action": "Stamp", "description": "Stamp of s"]
      $0["state"]?["lines"] = ["a"]
    }
    let desk = Desk()
    let report = try desk.history.importing(data, with: registry)
    #expect(report.unknownActions.map(\.name) == ["Shake", "Stamp"])
    desk.store.dispatch(report)
    #expect(
      desk.record.entries.map(\.description) == [
        "Write(line: \"a\")", "Shake({\"by\": \"me\", \"hard\": [true, null, 1.5]})", "Stamp of s",
      ])
    #expect(desk.text == "a")
    #expect(desk.record.lastImport == .init(arrived: true, unknownActions: report.unknownActions))
    let again = try desk.history.export(from: desk.store, with: registry)
    let (first, second) = try (
      JSONDecoder().decode(JSONValue.self, from: data), JSONDecoder().decode(JSONValue.self, from: again)
    )
    #expect(second["entries"]?[1]?["payload"] == first["entries"]?[1]?["payload"])
    #expect(second["entries"]?[2] == first["entries"]?[2])
    #expect(second["entries"]?[1]?["action"] == "Shake")
  }

  @Test("no reducer receives an unknown action, and undo skips it")
  func unknownUnseen() throws {
    let seen = Recorder<String>()
    let history = History<Notebook>()
    let store = Store<Notebook>(
      reducer: { (notebook: inout Notebook, action: any Action) in
        seen.record("\(type(of: action))")
        notebookReducer(&notebook, action)
      }, plugins: [history.plugin], state: Notebook())
    let data = try document { $0["entries"]?[1]?["action"] = "Shake" }
    store.dispatch(try history.importing(data, with: registry))
    store.dispatch(HistoryAction.undo)
    #expect(history.record.position == 0)
    store.dispatch(HistoryAction.jump(to: 3))
    #expect(store.state.lines == ["a", "a"])
    #expect(seen.values == ["Write", "Repeat"])
  }

  @Test("a payload of null counts as a payload")
  func nullPayload() throws {
    let data = try document { $0["entries"]?[2] = ["id": 5, "action": "Shake", "payload": nil] }
    let report = try Desk().history.importing(data, with: registry)
    #expect(report.unknownActions == [UnknownAction(name: "Shake", payload: .null)])
  }

  @Test("an action under a registered name without its payload is unknown")
  func nameOnly() throws {
    let data = try document { $0["entries"]?[1] = ["id": 2, "action": "Write", "description": "Write b"] }
    let report = try Desk().history.importing(data, with: registry)
    #expect(report.unknownActions.map(\.description) == ["Write b"])
  }

  @Test("the states after unknown actions are the exported states")
  func unknownWithStates() throws {
    let desk = Desk()
    desk.write("a")
    desk.store.dispatch(Stamp(line: "s"))
    desk.write("b")
    let copy = Desk()
    copy.store.dispatch(
      try copy.history.importing(desk.history.export(from: desk.store, with: registry), with: registry))
    #expect(copy.text == "asb")
    #expect(copy.record.lastImport?.arrived == true)
    #expect(copy.record.lastImport?.unknownActions.map(\.description) == ["Stamp of s"])
    copy.dispatch(.undo)
    #expect(copy.text == "as")
    copy.dispatch(.undo)
    #expect(copy.text == "a")
  }

  @Test("unknown actions can be refused")
  func refused() throws {
    let data = try document { $0["entries"]?[1]?["action"] = "Shake" }
    let error = #expect(throws: HistoryError.self) {
      try Desk().history.importing(data, with: registry, keepingUnknownActions: false)
    }
    #expect(error?.code == .unknownAction)
    #expect(
      error?.description
        == """
        Actions in the history that are not registered: 1. The first is Shake({"line": "b"}). Register their \
        types, or pass true for keepingUnknownActions:.
        """)
  }

  @Test("an action is read by a former name, and written by its present name")
  func formerName() throws {
    var registry = ActionRegistry(Repeat.self)
    registry.register(Write.self, as: "Jot", formerly: "Write")
    let desk = Desk()
    desk.store.dispatch(try desk.history.importing(document(), with: registry))
    #expect(desk.text == "ab")
    let json = try JSONDecoder().decode(
      JSONValue.self, from: desk.history.export(from: desk.store, with: registry))
    #expect(json["entries"]?[0]?["action"] == "Jot")
  }

  @Test("an import may exceed the limit; the next recorded action brings it back")
  func limit() throws {
    let desk = Desk(History(limit: 2))
    desk.store.dispatch(try desk.history.importing(document { $0["position"] = 3 }, with: registry))
    #expect(desk.record.count == 3)
    desk.write("c")
    #expect(desk.record.count == 2)
    desk.dispatch(.jump(to: 0))
    #expect(desk.text == "ab")
  }

  private struct Fault: CustomTestStringConvertible {
    let code: HistoryError.Code
    let says: String
    let change: @Sendable (inout JSONValue) -> Void

    init(_ code: HistoryError.Code, _ says: String, _ change: @escaping @Sendable (inout JSONValue) -> Void) {
      self.code = code
      self.says = says
      self.change = change
    }

    var testDescription: String { says }
  }

  private static let faults = [
    Fault(.wrongFormat, "format") { $0["format"] = nil },
    Fault(.wrongFormat, "\"other\", version 1") { $0["format"] = "other" },
    Fault(.wrongFormat, "version 0") { $0["version"] = 0 },
    Fault(.wrongFormat, "`version` has the wrong type") { $0["version"] = "1" },
    Fault(.wrongFormat, "the value has the wrong type") { $0 = [1] },
    Fault(.wrongFormat, "`entries` is missing") { $0["entries"] = nil },
    Fault(.newerVersion, "format version 3, but this program reads versions up to 2") { $0["version"] = 3 },
    Fault(.undecodableBase, "the base as Notebook: `base.ticks` is missing") {
      $0["base"]?["ticks"] = nil
    },
    Fault(.undecodableState, "the state at the position as Notebook: `state` is missing") {
      $0["state"] = nil
    },
    Fault(.undecodableState, "the state after entry 2 as Notebook") { $0["entries"]?[1]?["state"] = 7 },
    Fault(.undecodableAction, "entry 2 as Write: `entries[1].payload.line` is missing") {
      $0["entries"]?[1]?["payload"] = [:]
    },
    Fault(.undecodableAction, "entry 2 as Write") { $0["entries"]?[1]?["payload"] = nil as JSONValue },
    Fault(.invalidEntry, "entry number 2: `entries[1].id` is missing") { $0["entries"]?[1]?["id"] = nil },
    Fault(.invalidEntry, "entry number 3: `entries[2].action` is missing") {
      $0["entries"]?[2]?["action"] = nil
    },
    Fault(.invalidEntry, "Cannot decode entry number 1") { $0["entries"]?[0] = "x" },
    Fault(.invalidEntry, "belongs to step 1") {
      $0["entries"]?[2]?["step"] = 1
    },
    Fault(.invalidEntry, "belongs to step 9") { $0["entries"]?[0]?["step"] = 9 },
    Fault(.invalidPosition, "position is 4, but the number of entries is 3") { $0["position"] = 4 },
    Fault(.invalidPosition, "position is -1") { $0["position"] = -1 },
    Fault(.invalidID, "Entry 1 follows entry 1") { $0["entries"]?[1]?["id"] = 1 },
    Fault(.invalidID, "Entry 0 follows entry 0") { $0["entries"]?[0]?["id"] = 0 },
    Fault(.invalidID, "9223372036854775807") { $0["entries"]?[2]?["id"] = .integer(.max) },
  ]

  @Test("an invalid import is reported by a code and in words, and changes nothing", arguments: faults)
  private func fault(fault: Fault) throws {
    let desk = Desk()
    desk.write("x")
    let data = try document(fault.change)
    let error = #expect(throws: HistoryError.self) { try desk.history.importing(data, with: registry) }
    #expect(error?.code == fault.code)
    #expect(error?.description.contains(fault.says) == true, "\(error?.description ?? "")")
    #expect(desk.text == "x")
    #expect(desk.record.count == 1)
  }

  @Test("data that is damaged at any position is refused, or is a record in which jumps work")
  func damaged() throws {
    var random = SeededGenerator(seed: 11)
    let whole = try document {
      $0["entries"]?[1]?["step"] = 1
      $0["entries"]?[2]?["state"] = ["lines": ["x"], "ticks": 2]
    }
    let pieces = ["", "-", "9", "0", "1", "null", "\"", "[", "}", ",", "99999999999999999999", "Write"]
    var imported = 0
    for _ in 0..<3_000 {
      var data = whole
      let start = Int.random(in: 0..<data.count, using: &random)
      let end = min(data.count, start + Int.random(in: 0...2, using: &random))
      data.replaceSubrange(start..<end, with: Data((pieces.randomElement(using: &random) ?? "").utf8))
      let desk = Desk(History(limit: 2, keepingEvery: 2))
      do throws(HistoryError) {
        desk.store.dispatch(try desk.history.importing(data, with: registry))
      } catch {
        #expect(!error.description.isEmpty)
        continue
      }
      imported += 1
      for action in [HistoryAction.undo, .jump(to: 3), .skip(.init(rawValue: 1)), .jump(to: 0), .redo] {
        desk.dispatch(action)
        #expect((0...desk.record.count).contains(desk.record.position))
      }
      desk.write("yz")
      #expect(desk.record.count <= 3)
      #expect(desk.text.hasSuffix("yz"))
    }
    #expect(imported > 100)
  }

  @Test(
    "input that is not JSON is reported",
    arguments: ["", "{", "nonsense", "{\"format\": \"flux-history\", }x"])
  func notJSON(text: String) {
    let error = #expect(throws: HistoryError.self) {
      try Desk().history.importing(Data(text.utf8), with: registry)
    }
    #expect(error?.code == .notJSON)
  }
}
