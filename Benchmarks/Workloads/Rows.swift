import FluxCollections
import FluxCore

/// A typical list element, with trivial and reference-counted properties.
struct Row: FluxState, Identifiable, Equatable {
  var id: Int
  var title: String
  var stars = 0
}

struct Rows: FluxState {
  var rows: OrderedState<Row>
}

/// Changes one row.
struct Star: Action {
  let id: Int
}

let thousand = 1_000
let million = 1_000_000

func row(_ id: Int) -> Row { Row(id: id, title: "a title that takes an object", stars: id & 7) }

func list(_ count: Int) -> OrderedState<Row> { OrderedState((0..<count).lazy.map(row)) }

/// Returns ids in an order that a cache or a branch predictor cannot predict.
func id(_ turn: Int, of count: Int) -> Int {
  Int((UInt64(truncatingIfNeeded: turn) &* 0x9E37_79B9_7F4A_7C15) >> 33) % count
}

/// A reducer that changes a list of rows in place.
let starring: MutatingReducer<Rows> = { state, action in
  guard let star = action as? Star else { return }
  state.rows.update(star.id) { $0.stars &+= 1 }
}
