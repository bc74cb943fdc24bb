import FluxCore
import FluxMiddleware
import Foundation

/// A state for which every import makes sense, so that the reducer never stops the program.
struct Page: FluxState, Codable, Equatable {
  var lines: [String] = []
  var weight = 0.0
  var mark: Int?
}

struct Write: Action, Codable {
  let line: String
}

struct Weigh: Action, Codable {
  let weight: Double
}

struct Mark: Action, Codable {
  let mark: Int?
}

let pageReducer: MutatingReducer<Page> = { page, action in
  switch action {
  case let action as Write: page.lines.append(action.line)
  case let action as Weigh: page.weight = action.weight
  case let action as Mark: page.mark = action.mark
  default: break
  }
}

private struct PageDesk {
  let history = History<Page>()
  let store: Store<Page>

  init() {
    store = Store(reducer: pageReducer, plugins: [history.plugin], state: Page())
  }

  /// The whole visible state, as bytes.
  func export() throws -> Data { try history.export(from: store, with: registry) }
}

private let registry = ActionRegistry(Write.self, Weigh.self, Mark.self)

extension FuzzTarget {
  /// `History.importing`: an error leaves the store and the record unchanged.
  ///
  /// An imported history equals the written one, and can be moved in, extended, exported, and
  /// imported again.
  static let history = FuzzTarget(
    "history", examples: historyExamples,
    words: ["entries", "position", "payload", "step", "skipped", "state", "base", "Write", "Mark"]
  ) { input, maker in
    let desk = PageDesk()
    desk.store.dispatch(Write(line: "mine"))
    let imported: HistoryImport
    do throws(HistoryError) {
      imported = try desk.history.importing(input, with: registry, keepingUnknownActions: !maker.oneIn(8))
    } catch {
      try promise(!error.description.isEmpty, "the error says nothing")
      try promise(
        desk.store.state.lines == ["mine"] && desk.history.record.count == 1, "an error changed the history")
      return .refused("\(error.code)")
    }
    var model = try PageModel(input)
    desk.store.dispatch(imported)
    try promise(model.entries.count == imported.count, "it is an \(imported)")
    let arrived = desk.history.record.lastImport?.arrived
    try promise(arrived == model.isWhereItWas, "it has arrived: \(arrived as Any)")
    try model.expect(desk.history.record, desk.store.state, after: "the import")
    for number in 0...7 {
      if maker.oneIn(6) {
        let action = Write(line: "\(number)")
        desk.store.dispatch(action)
        try model.record(action, as: desk.history.record.entries.last?.id)
        try model.expect(desk.history.record, desk.store.state, after: action)
      } else {
        let action = move(in: desk.history.record, &maker)
        desk.store.dispatch(action)
        model.perform(action.command)
        try model.expect(desk.history.record, desk.store.state, after: action)
      }
    }
    let exported = try desk.export()
    let copy = PageDesk()
    copy.store.dispatch(try copy.history.importing(exported, with: registry))
    let again = try copy.export()
    try promise(again == exported, "exported again it is \(String(decoding: again, as: UTF8.self))")
    return .accepted
  }

  private static func move(in record: HistoryRecord, _ maker: inout InputMaker) -> HistoryAction {
    let position = Int.random(in: -1...record.count + 1, using: &maker.random)
    let id = record.entries.first { $0.position == position }?.id ?? HistoryEntry.ID(rawValue: position)
    return maker.pick([
      .undo, .redo, .jump(to: position), .jump(to: id), .skip(id), .unskip(id), .rollback,
      .commit,
    ])
  }

  private static let historyExamples = [
    """
    {"format":"flux-history","version":1,"position":2,"base":{"lines":[],"weight":0},
    "state":{"lines":["a"],"weight":1.5},"entries":[{"id":1,"action":"Write","payload":{"line":"a"}},
    {"id":2,"action":"Weigh","payload":{"weight":1.5}},{"id":5,"action":"Mark","payload":{"mark":7}}]}
    """,
    """
    {"format":"flux-history","version":1,"position":3,"base":{"lines":["x","y"],"weight":-1e300,"mark":3},
    "state":{"lines":["x","y","s"],"weight":"NaN"},"entries":[
    {"id":1,"action":"Stamp","description":"Stamp of s","state":{"lines":["x","y","s"],"weight":0}},
    {"id":2,"action":"Shake","payload":{"hard":[true,null,1.5],"by":"me"},"step":1},
    {"id":9,"action":"Mark","payload":{},"skipped":true,"step":1},
    {"id":10,"action":"Weigh","payload":{"weight":"Infinity"}}]}
    """,
    """
    {"format":"flux-history","version":1,"position":4,"base":{"lines":[],"weight":0},
    "state":{"lines":["a","b","c"],"weight":2},"entries":[{"id":1,"action":"Write","payload":{"line":"a"}},
    {"id":2,"action":"Write","payload":{"line":"b"},"step":1},
    {"id":3,"action":"Weigh","payload":{"weight":2},"step":1},{"id":7,"action":"Write","payload":{"line":"c"}},{"id":8,"action":"Mark","payload":{"mark":1},"step":7}]}
    """,
    #"{"format":"flux-history","version":1,"position":0,"base":{"lines":[],"weight":0},"entries":[]}"#,
    "{\"format\":\"flux-history\"",
  ]
}
