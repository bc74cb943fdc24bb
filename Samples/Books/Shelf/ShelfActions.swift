import Flux

/// Shows a screen.
struct Show: Action, CustomStringConvertible {
  let screen: ShelfState.Screen

  var description: String { "Show(screen: \(screen))" }
}

/// Shows a note below the screen.
struct Say: Action, CustomStringConvertible {
  let note: ShelfState.Note

  var description: String { "Say(\(note))" }
}

/// Begins or ends a group of loads that belong together.
struct Gather: Action {
  let isOn: Bool
}
