import FluxCollections
import FluxCore

let listWorkloads: [Workload] = [
  Workload("lookup-dictionary", "a look-up by id in a dictionary of 1,000,000 elements") {
    let rows = dictionary(million)
    return { times in
      var sum = 0
      for turn in 0..<times { sum &+= rows[id(turn, of: million)]?.stars ?? 0 }
      precondition(sum > 0)
    }
  },
  Workload(
    "lookup-list", "a look-up by id in an `OrderedState` of 1,000,000 elements", floor: "lookup-dictionary"
  ) {
    let rows = list(million)
    return { times in
      var sum = 0
      for turn in 0..<times { sum &+= rows[id: id(turn, of: million)]?.stars ?? 0 }
      precondition(sum > 0)
    }
  },
  Workload("iterate-array", "an iteration over an array of 1,000 elements", turns: 1_000) {
    let rows = (0..<thousand).map(row)
    return { times in
      var sum = 0
      for _ in 0..<times { for row in rows { sum &+= row.title.utf8.count &+ row.stars } }
      precondition(sum > 0)
    }
  },
  Workload(
    "iterate-list", "an iteration over an `OrderedState` of 1,000 elements", floor: "iterate-array",
    turns: 1_000
  ) {
    let rows = list(thousand)
    return { times in
      var sum = 0
      for _ in 0..<times { for row in rows { sum &+= row.title.utf8.count &+ row.stars } }
      precondition(sum > 0)
    }
  },
  Workload(
    "update-dictionary", "an in-place change in a dictionary of 1,000,000 elements, without a store"
  ) {
    var rows = dictionary(million)
    return { times in
      for turn in 0..<times { rows[id(turn, of: million)]!.stars &+= 1 }
      precondition(rows.count == million)
    }
  },
  Workload(
    "update-list", "an in-place change in an `OrderedState` of 1,000,000 elements, without a store",
    floor: "update-dictionary"
  ) {
    var rows = list(million)
    return { times in
      for turn in 0..<times { rows.update(id(turn, of: million)) { $0.stars &+= 1 } }
      precondition(rows.count == million)
    }
  },
  Workload(
    "floor-update-kept-1000",
    "handwritten: a change of 1 of 1,000 elements in an array and a dictionary, with the old version kept",
    turns: 1_000
  ) {
    let first = ArrayAndDictionary(thousand)
    var versions = [first, first]
    return { times in
      for turn in 0..<times {
        versions[turn & 1] = versions[1 - turn & 1]
        versions[turn & 1].update(id(turn, of: thousand)) { $0.stars &+= 1 }
      }
    }
  },
  updateKept(thousand, floor: "floor-update-kept-1000"),
  updateKept(million),
  Workload(
    "floor-replace-1000",
    "handwritten: a removal and reinsertion of 1 of 1,000 elements in an array and a dictionary",
    turns: 200
  ) {
    var rows = ArrayAndDictionary(thousand)
    return { times in
      for turn in 0..<times {
        guard let row = rows.remove(id: id(turn, of: thousand)) else { continue }
        rows.insert(row, at: id(turn &+ 1, of: thousand))
      }
    }
  },
  replace(thousand, floor: "floor-replace-1000"),
  replace(million),
  Workload(
    "floor-difference", "handwritten: a comparison of two arrays of 100,000 elements with one change",
    turns: 10
  ) {
    let versions = twoVersions((0..<hundredThousand).map(row)) { $0[4_711].stars &+= 1 }
    return { times in
      for turn in 0..<times {
        let (old, new) = (versions[turn & 1], versions[1 - turn & 1])
        precondition(zip(old, new).lazy.filter { $0 != $1 }.map(\.0.id) == [4_711])
      }
    }
  },
  Workload(
    "difference", "`difference(from:)` of two versions of 100,000 elements with one change",
    floor: "floor-difference", turns: 1_000
  ) {
    let versions = twoVersions(list(hundredThousand)) { $0.update(4_711) { $0.stars &+= 1 } }
    return { times in
      for turn in 0..<times {
        precondition(versions[turn & 1].difference(from: versions[1 - turn & 1]).updated == [4_711])
      }
    }
  },
]

private let hundredThousand = 100_000

private func twoVersions<Value>(_ value: Value, change: (inout Value) -> Void) -> [Value] {
  var changed = value
  change(&changed)
  return [value, changed]
}

private func dictionary(_ count: Int) -> [Int: Row] {
  Dictionary(uniqueKeysWithValues: (0..<count).lazy.map { ($0, row($0)) })
}

/// Changes one element while the previous version is kept.
private func updateKept(_ count: Int, floor: String? = nil) -> Workload {
  Workload(
    "update-kept-\(count)",
    "a change of 1 of \(grouped(count)) elements in an `OrderedState`, with the old version kept",
    floor: floor
  ) {
    let first = list(count)
    var versions = [first, first]
    return { times in
      for turn in 0..<times {
        versions[turn & 1] = versions[1 - turn & 1]
        versions[turn & 1].update(id(turn, of: count)) { $0.stars &+= 1 }
      }
      precondition(versions[0] != first)
    }
  }
}

/// Removes an element by its id, and inserts it at another position.
private func replace(_ count: Int, floor: String? = nil) -> Workload {
  Workload(
    "replace-\(count)",
    "a removal and reinsertion of 1 of \(grouped(count)) elements in an `OrderedState`",
    floor: floor
  ) {
    var rows = list(count)
    return { times in
      for turn in 0..<times {
        guard let row = rows.remove(id: id(turn, of: count)) else { continue }
        rows.insert(row, at: id(turn &+ 1, of: count))
      }
      precondition(rows.count == count)
    }
  }
}
