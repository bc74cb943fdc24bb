import Flux

/// A page is being tried for.
struct PageTried: Action {
  let number: Int
}

/// A try for a page has failed.
struct PageMissed: Action, CustomStringConvertible {
  let number: Int
  let trouble: MovieServiceError

  var description: String { "PageMissed(number: \(number), trouble: \(trouble))" }
}

/// Puts a film on the wish list, or takes it off.
struct ToggleWish: Action {
  let film: Int
}

/// Notes that a film has been seen, or has not.
struct ToggleSeen: Action {
  let film: Int
}

/// Shows a screen.
struct Show: Action, CustomStringConvertible {
  let screen: BrowserState.Screen

  var description: String { "Show(screen: \(screen))" }
}
