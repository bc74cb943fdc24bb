import FluxCollections
import FluxCore
import FluxMiddleware
import Synchronization

private struct Table: FluxState {
  var rows: [Int: Row]
}

private struct Column: FluxState {
  var rows: [Row]
}

private struct EquatableRows: FluxState, Equatable {
  var rows: OrderedState<Row>
}

let loggingWorkloads: [Workload] =
  [
    watched("floor-logging-1000", "handwritten: a log line for a change of 1 of 1,000 elements") {
      transition in
      guard let id = (transition.action as? Star)?.id, let old = transition.before.rows[id: id],
        let new = transition.after.rows[id: id]
      else { return "" }
      let nanoseconds = transition.duration.components.attoseconds / 1_000_000_000
      return
        "info #\(transition.version) Star(id: \(id)) rows[\(id)].stars: \(old.stars) → \(new.stars) (\(nanoseconds) ns)"
    },
    watched("unlogged-1000", "a change of 1 of 1,000 elements in an `OrderedState`, without a log line") {
      _ in
      nil
    },
  ]
  + [thousand, 100_000, million].map { size in
    logged(size, "logging-\(size)", "an `OrderedState`") {
      Rows(rows: list(size))
    } change: { rows, id in
      rows.rows.update(id) { $0.stars &+= 1 }
    }
  }
  + [thousand, million].map { size in
    logged(size, "logging-equatable-\(size)", "an `OrderedState` in an `Equatable` state") {
      EquatableRows(rows: list(size))
    } change: { rows, id in
      rows.rows.update(id) { $0.stars &+= 1 }
    }
  }
  + [thousand, 100_000].map { size in
    logged(size, "logging-array-\(size)", "an array") {
      Column(rows: (0..<size).map(row))
    } change: { rows, id in
      rows.rows[id].stars &+= 1
    }
  }
  + [thousand, 10_000].map { size in
    logged(size, "logging-dictionary-\(size)", "a dictionary") {
      Table(rows: Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, row($0)) }))
    } change: { rows, id in
      rows.rows[id]?.stars &+= 1
    }
  }

/// Logs a line that describes a change in a large state.
private func logged<State: FluxState>(
  _ size: Int, _ name: String, _ collection: String, state: @escaping @Sendable () -> State,
  change: @escaping @Sendable (inout State, _ id: Int) -> Void
) -> Workload {
  let title = "a log line for a change of 1 of \(grouped(size)) elements in \(collection)"
  return Workload(name, title, floor: name == "logging-1000" ? "floor-logging-1000" : nil, turns: 5) {
    let lines = Atomic<Int>(0)
    let place = Array("rows[\(size / 2)].stars: ".utf8)
    let sink = LogSink { line in
      lines.add(contains(line, place) ? 1 : 0, ordering: .relaxed)
    }
    let store = Store(
      reducer: { (state: inout State, action: any Action) in
        guard let star = action as? Star else { return }
        change(&state, star.id)
      }, plugins: [.logging(buffer: 0, sink: sink)], state: state())
    return { times in
      let before = lines.load(ordering: .relaxed)
      for _ in 0..<times { store.dispatch(Star(id: size / 2)) }
      precondition(lines.load(ordering: .relaxed) == before + times)
    }
  }
}

/// Returns a workload in which a plug-in creates a line for each change of one of 1,000 rows.
private func watched(
  _ name: String, _ title: String, line: @escaping @Sendable (StateTransition<Rows>) -> String?
) -> Workload {
  Workload(name, title, turns: 5) {
    let bytes = Atomic<Int>(0)
    let store = Store(
      reducer: starring,
      plugins: [
        Plugin(onTransition: .states { bytes.add(line($0)?.utf8.count ?? 1, ordering: .relaxed) })
      ], state: Rows(rows: list(thousand)))
    return { times in
      let before = bytes.load(ordering: .relaxed)
      for _ in 0..<times { store.dispatch(Star(id: thousand / 2)) }
      precondition(bytes.load(ordering: .relaxed) >= before + times)
    }
  }
}

/// Returns whether a line contains a string.
///
/// `String.contains` would cost as much as the line itself.
private func contains(_ line: String, _ text: [UInt8]) -> Bool {
  line.utf8.withContiguousStorageIfAvailable { line in
    line.count >= text.count
      && (0...line.count - text.count).contains { start in
        line[start] == text[0] && text.indices.allSatisfy { line[start + $0] == text[$0] }
      }
  } ?? false
}
