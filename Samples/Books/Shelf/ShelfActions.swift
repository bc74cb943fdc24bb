import Flux

/// Shows a note below the screen.
struct Say: Action, CustomStringConvertible {
  let note: ShelfState.Note

  var description: String { "Say(\(note))" }
}

/// Begins or ends a group of loads that belong together.
struct Gather: Action {
  let isOn: Bool
}
