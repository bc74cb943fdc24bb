/// A state that a history keeps, without its type.
protocol KeptState: AnyObject, Sendable {}

/// A state that a history keeps.
final class Kept<State: Sendable>: KeptState {
  let state: State

  init(_ state: State) {
    self.state = state
  }
}

extension KeptState {
  /// Returns the state with the type that it has in its history.
  func state<State: Sendable>(of _: State.Type) -> State {
    guard let kept = self as? Kept<State> else {
      preconditionFailure("A history keeps states of one type.")
    }
    return kept.state
  }
}
