import FluxCore
import Synchronization

/// An action that restores a saved part of the state, in the same serial order as all other
/// actions.
struct RestoreSaved<State: Sendable, Saved: Codable & Sendable>: Action, CustomStringConvertible {
  /// The `Persistence` object that dispatches the action.
  ///
  /// The reducer compares this value with its own `Persistence` object, because a store can have
  /// several `Persistence` objects.
  let owner: Persistence<State, Saved>
  /// A closure that returns the new part of the state, or `nil` to leave the state unchanged.
  let makePart: @Sendable (_ current: Saved) -> Saved?
  /// The `DispatchTicket` through which the reducer returns the outcome.
  let ticket: DispatchTicket

  /// A description that omits the state, because a state can be long.
  ///
  /// A log already shows the changes to the state.
  var description: String { "RestoreSaved(\(owner.name))" }
}

/// The outcome of a restoration, as the value of a ticket.
private final class Claim: Sendable {
  let outcome: RestoreOutcome

  init(_ outcome: RestoreOutcome) {
    self.outcome = outcome
  }
}

extension Persistence {
  /// Wraps a reducer so that it also restores a saved part of the state.
  func restoring(_ reducer: @escaping MutatingReducer<State>) -> MutatingReducer<State> {
    let restore = ObjectIdentifier(RestoreSaved<State, Saved>.self)
    return { [self] state, action in
      if ObjectIdentifier(type(of: action)) == restore, let action = action as? RestoreSaved<State, Saved>,
        action.owner === self
      {
        put(action, in: &state)
      }
      hasReduced.store(true, ordering: .relaxed)
      reducer(&state, action)
    }
  }

  private func put(_ restore: RestoreSaved<State, Saved>, in state: inout State) {
    guard let saved = restore.makePart(part.get(state)) else {
      restore.ticket.claim(Claim(.superseded))
      return
    }
    part.set(&state, saved)
    forgetFirst()
    contents.withLock { $0.saved.markRestored() }
    restore.ticket.claim(Claim(.restored))
  }

  /// Loads the saved part and dispatches an action that restores it.
  ///
  /// - Parameter makePart: A closure that returns the new part of the state, or `nil` to leave
  ///   the state unchanged.
  func restore(
    _ makePart:
      @escaping @Sendable (_ saved: Saved, _ source: SavedStateRules.Source, _ current: Saved) -> Saved?
  ) async -> RestoreOutcome {
    beginRestore()
    defer { endRestore() }
    let (value, source) = await blockingCode.result { () -> (Saved?, SavedStateRules.Source) in
      let (found, _, source) = self.find(toStartWith: false)
      return (found?.value, source)
    }
    guard let value else { return .nothingSaved }
    guard let dispatch = dispatch() else { return .notReduced }
    let ticket = DispatchTicket()
    let action = RestoreSaved(
      owner: self, makePart: { current in makePart(value, source, current) }, ticket: ticket)
    ticket.carry { dispatch(action) }
    return (await ticket.settledValue() as? Claim)?.outcome ?? .notReduced
  }
}
