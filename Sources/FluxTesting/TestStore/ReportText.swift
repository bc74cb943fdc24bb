import FluxMiddleware

// The texts of reports.

extension Int {
  /// The number of effects with a verb, for the beginning of a sentence.
  var effects: String {
    switch self {
    case 0: "No effect is"
    case 1: "1 effect is"
    default: "\(self) effects are"
    }
  }
}

extension Array {
  /// Returns a list of received actions and their changes: a heading with the count, then one
  /// line for each of the first 20 actions.
  func listed<State>(redacting redaction: Redaction) -> String where Element == TransitionLog<State>.Step {
    let shown = 20
    let heading = count == 1 ? "1 received action" : "\(count) received actions"
    let rest = count > shown ? ["and \(count - shown) more"] : []
    return ([heading] + prefix(shown).map { $0.text(redacting: redaction) } + rest).joined(separator: "\n  ")
  }
}
