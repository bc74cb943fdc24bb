import FluxCollections
import FluxCore

/// An element as apps have them: some of it trivial, some of it counted.
struct Row: FluxState, Identifiable, Equatable {
  var id: Int
  var title: String
  var stars = 0
}

private let million = 100_000

private func row(_ id: Int) -> Row { Row(id: id, title: "a title that takes an object", stars: id & 7) }

/// Ids without an order that a cache or a predictor could follow.
private func id(_ turn: Int, of count: Int) -> Int {
  Int((UInt64(truncatingIfNeeded: turn) &* 0x9E37_79B9_7F4A_7C15) >> 33) % count
}

private func rows(_ count: Int) -> OrderedState<Row> { OrderedState((0..<count).map(row)) }

private func dictionary(_ count: Int) -> [Int: Row] {
  Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, row($0)) })
}

let collectionWorkloads: [String: Workload] = [
  "lookup-dictionary": { times in
    let rows = dictionary(million)
    var sum = 0
    for turn in 0..<times { sum &+= rows[id(turn, of: million)]?.stars ?? 0 }
    precondition(sum > 0)
  },
  "lookup-list": { times in
    let rows = rows(million)
    var sum = 0
    for turn in 0..<times { sum &+= rows[id: id(turn, of: million)]?.stars ?? 0 }
    precondition(sum > 0)
  },
  "iterate-array": { times in
    let rows = (0..<1000).map(row)
    var sum = 0
    for _ in 0..<times / 100 { for row in rows { sum &+= row.title.utf8.count &+ row.stars } }
    precondition(sum > 0)
  },
  "iterate-list": { times in
    let rows = rows(1000)
    var sum = 0
    for _ in 0..<times / 100 { for row in rows { sum &+= row.title.utf8.count &+ row.stars } }
    precondition(sum > 0)
  },
  "update-dictionary": { times in
    var rows = dictionary(million)
    for turn in 0..<times { rows[id(turn, of: million)]!.stars &+= 1 }
    precondition(rows.count == million)
  },
  "update-list": { times in
    var rows = rows(million)
    for turn in 0..<times { rows.update(id(turn, of: million)) { $0.stars &+= 1 } }
    precondition(rows.count == million)
  },
  "iterate-bare-array": { times in
    let rows = (0..<1000).map(row)
    var sum = 0
    for _ in 0..<times / 100 { for row in rows where row.id != sum { sum &+= row.stars } }
    precondition(sum > 0)
  },
  "iterate-bare-list": { times in
    let rows = rows(1000)
    var sum = 0
    for _ in 0..<times / 100 { for row in rows where row.id != sum { sum &+= row.stars } }
    precondition(sum > 0)
  },
  "update-kept-list": { times in
    let rows = rows(million)
    var versions = [rows, rows]
    for turn in 0..<times {
      versions[turn & 1] = versions[1 - turn & 1]
      versions[turn & 1].update(id(turn, of: million)) { $0.stars &+= 1 }
    }
    precondition(versions[0] != rows)
  },
]
