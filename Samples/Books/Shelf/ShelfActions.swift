import Flux

/// Puts a screen on show.
struct Show: Action, CustomStringConvertible {
  let screen: ShelfState.Screen

  var description: String { "Show(screen: \(screen))" }
}

/// Says something beside the screen.
struct Say: Action, CustomStringConvertible {
  let note: ShelfState.Note

  var description: String { "Say(\(note))" }
}

/// What begins to load from now on belongs together, or does not any more.
struct Gather: Action {
  let isOn: Bool
}
