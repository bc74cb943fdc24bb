import Flux

/// Records that an attempt to load a page has begun.
struct PageTried: Action {
  let number: Int
}

/// Records that an attempt to load a page has failed.
struct PageMissed: Action, CustomStringConvertible {
  let number: Int
  let trouble: MovieServiceError

  var description: String { "PageMissed(number: \(number), trouble: \(trouble))" }
}

/// Adds a film to the wish list, or removes it.
struct ToggleWish: Action {
  let film: Int
}

/// Marks a film as seen, or as not seen.
struct ToggleSeen: Action {
  let film: Int
}

/// Shows a screen.
struct Show: Action, CustomStringConvertible {
  let screen: BrowserState.Screen

  var description: String { "Show(screen: \(screen))" }
}
