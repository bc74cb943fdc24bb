import FluxCollections
import FluxCore
import Synchronization

/// An element as apps have them: some of it trivial, some of it counted.
struct Row: FluxState, Identifiable, Equatable {
  var id: Int
  var title: String
  var stars = 0
}

struct Rows: FluxState {
  var rows: OrderedState<Row>
}

/// Changes one row, another one each turn.
struct Star: Action {
  let id: Int
}

private let thousand = 1_000
private let million = 1_000_000

private func row(_ id: Int) -> Row { Row(id: id, title: "a title that takes an object", stars: id & 7) }

/// Ids without an order that a cache or a predictor could follow.
private func id(_ turn: Int, of count: Int) -> Int {
  Int((UInt64(truncatingIfNeeded: turn) &* 0x9E37_79B9_7F4A_7C15) >> 33) % count
}

private func list(_ count: Int) -> OrderedState<Row> { OrderedState((0..<count).lazy.map(row)) }

private func dictionary(_ count: Int) -> [Int: Row] {
  Dictionary(uniqueKeysWithValues: (0..<count).lazy.map { ($0, row($0)) })
}

/// A thousand elements are gone over each so many turns: a hundred elements a turn.
private let turnsToPass = 10

let collectionWorkloads: [String: Workload] = [
  "lookup-dictionary": { times in
    let rows = dictionary(million)
    var sum = 0
    for turn in 0..<times { sum &+= rows[id(turn, of: million)]?.stars ?? 0 }
    precondition(sum > 0)
  },
  "lookup-list": { times in
    let rows = list(million)
    var sum = 0
    for turn in 0..<times { sum &+= rows[id: id(turn, of: million)]?.stars ?? 0 }
    precondition(sum > 0)
  },
  "iterate-array": { times in
    let rows = (0..<thousand).map(row)
    var sum = 0
    for _ in 0..<times / turnsToPass { for row in rows { sum &+= row.title.utf8.count &+ row.stars } }
    precondition(sum > 0)
  },
  "iterate-list": { times in
    let rows = list(thousand)
    var sum = 0
    for _ in 0..<times / turnsToPass { for row in rows { sum &+= row.title.utf8.count &+ row.stars } }
    precondition(sum > 0)
  },
  "update-dictionary": { times in
    var rows = dictionary(million)
    for turn in 0..<times { rows[id(turn, of: million)]!.stars &+= 1 }
    precondition(rows.count == million)
  },
  "update-list": { times in
    var rows = list(million)
    for turn in 0..<times { rows.update(id(turn, of: million)) { $0.stars &+= 1 } }
    precondition(rows.count == million)
  },
  "update-kept-1000": updateKept(thousand),
  "update-kept-1000000": updateKept(million),
  "replace-1000": replace(thousand),
  "replace-1000000": replace(million),
  "element-observers-10": elementObservers(10),
  "element-observers-10000": elementObservers(10_000),
  "element-observers-100000": elementObservers(100_000),
]

/// A change of one element while the version before is kept.
private func updateKept(_ count: Int) -> Workload {
  { times in
    let first = list(count)
    var versions = [first, first]
    for turn in 0..<times {
      versions[turn & 1] = versions[1 - turn & 1]
      versions[turn & 1].update(id(turn, of: count)) { $0.stars &+= 1 }
    }
    precondition(versions[0] != first)
  }
}

/// An element removed by its id, and put anywhere.
private func replace(_ count: Int) -> Workload {
  { times in
    var rows = list(count)
    for turn in 0..<times {
      guard let row = rows.remove(id: id(turn, of: count)) else { continue }
      rows.insert(row, at: id(turn &+ 1, of: count))
    }
    precondition(rows.count == count)
  }
}

/// One of a hundred thousand elements changes, and its observer hears of it.
private func elementObservers(_ count: Int) -> Workload {
  { times in
    let reducer: MutatingReducer<Rows> = { state, action in
      guard let star = action as? Star else { return }
      state.rows.update(star.id) { $0.stars &+= 1 }
    }
    let store = Store(reducer: reducer, state: Rows(rows: list(100_000)))
    let heard = Atomic<Int>(0)
    let observers = ElementObservers(of: store) { $0.rows }
    let tokens = (0..<count).map { id in
      observers.subscribe(to: id, initial: false) { _ in heard.add(1, ordering: .relaxed) }
    }
    for turn in 0..<times { store.dispatch(Star(id: turn % 10)) }
    precondition(tokens.count == count && heard.load(ordering: .relaxed) == times)
  }
}
