import Flux

/// Adds a film to the wish list, or removes it.
struct ToggleWish: Action, Codable {
  let film: Int
}

/// Marks a film as seen, or as not seen.
struct ToggleSeen: Action, Codable {
  let film: Int
}

/// Shows a screen.
struct Show: Action, CustomStringConvertible {
  let screen: BrowserState.Screen

  var description: String { "Show(screen: \(screen))" }
}
