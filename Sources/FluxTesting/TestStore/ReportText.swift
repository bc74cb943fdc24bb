import FluxMiddleware

// How what happened reads in reports.

extension Int {
  /// So many effects, with the verb, at the beginning of a sentence.
  var effects: String {
    switch self {
    case 0: "No effect is"
    case 1: "1 effect is"
    default: "\(self) effects are"
    }
  }
}

extension Array {
  /// Received actions with what they changed, counted, and one a line: the first 20.
  func listed<State>(redacting redaction: Redaction) -> String where Element == TransitionLog<State>.Step {
    let shown = 20
    let heading = count == 1 ? "1 received action" : "\(count) received actions"
    let rest = count > shown ? ["and \(count - shown) more"] : []
    return ([heading] + prefix(shown).map { $0.text(redacting: redaction) } + rest).joined(separator: "\n  ")
  }
}
