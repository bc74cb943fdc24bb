import FluxCollections
import FluxCore

struct Row: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  var text: String
}

/// A state that contains each addition twice, so that a torn state can be detected.
struct SoakState: FluxState, Codable, Equatable {
  static let rowLimit = 64

  var count = 0
  /// Always the negative of `count`.
  var mirror = 0
  var rows = OrderedState<Row>()

  var isWhole: Bool { count + mirror == 0 && rows.count <= Self.rowLimit }
}

struct Add: Action, Codable {}

struct Put: Action, Codable {
  let row: Row
}

/// Returns one of two equivalent reducers with different implementations, which replace each other.
func soakReducer(_ number: Int) -> ActionHandlers<SoakState> {
  ActionHandlers {
    on(Add.self) { state, _ in
      state.count += 1
      if number == 0 { state.mirror -= 1 } else { state.mirror = -state.count }
    }
    on(Put.self) { state, action in
      state.rows.remove(id: action.row.id)
      if state.rows.count == SoakState.rowLimit { state.rows.remove(at: 0) }
      state.rows.append(action.row)
    }
  }
}
