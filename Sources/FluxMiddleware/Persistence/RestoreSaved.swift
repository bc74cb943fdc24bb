import FluxCore
import Synchronization

/// The action that puts a saved state in place, in order with all others.
struct RestoreSaved<State: Sendable, Saved: Codable & Sendable>: Action, CustomStringConvertible {
  /// The persistence that dispatches the action: a store may have several.
  let owner: Persistence<State, Saved>
  /// Returns the part to put in the state, or `nil` to leave the state as it is.
  let makePart: @Sendable (_ current: Saved) -> Saved?
  /// Receives the outcome from the reducer.
  let ticket: DispatchTicket

  /// Short: the state itself may be long, and a log shows what it changed.
  var description: String { "RestoreSaved(\(owner.name))" }
}

extension Persistence {
  /// Makes of a reducer one that also puts a saved state in place.
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
      restore.ticket.claim(RestoreOutcome.superseded)
      return
    }
    part.set(&state, saved)
    forgetFirst()
    contents.withLock { $0.saved.markRestored() }
    restore.ticket.claim(RestoreOutcome.restored)
  }

  /// Loads, and dispatches what was found.
  ///
  /// - Parameter makePart: Returns the part to put in the state, or `nil` to leave the state as it is.
  func restore(
    _ makePart:
      @escaping @Sendable (_ saved: Saved, _ source: SavedStateRules.Source, _ current: Saved) -> Saved?
  ) async -> RestoreOutcome {
    beginRestore()
    defer { endRestore() }
    let (value, source) = await inBackground { () -> (Saved?, SavedStateRules.Source) in
      let (found, _, source) = self.find(toStartWith: false)
      return (found?.value, source)
    }
    guard let value else { return .nothingSaved }
    guard let dispatch = dispatch() else { return .notReduced }
    let ticket = DispatchTicket()
    let action = RestoreSaved(
      owner: self, makePart: { current in makePart(value, source, current) }, ticket: ticket)
    ticket.carry { dispatch(action) }
    return await ticket.settledValue() as? RestoreOutcome ?? .notReduced
  }
}
