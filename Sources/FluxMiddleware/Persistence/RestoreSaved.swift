import FluxCore
import Synchronization

/// The action that puts a saved state in place, in order with all others.
struct RestoreSaved<State: Sendable, Saved: Codable & Sendable>: Action, CustomStringConvertible {
  /// Where the reducer says what became of it.
  final class Report: Sendable {
    private let told = Locked<RestoreOutcome?>(nil)

    var outcome: RestoreOutcome? {
      get { told.withLock { $0 } }
      set { told.withLock { $0 = newValue } }
    }
  }

  /// Whose it is: a store may have several.
  let owner: Persistence<State, Saved>
  let value: Saved
  /// Whether what is there may be replaced.
  let mayReplace: @Sendable (_ current: Saved) -> Bool
  let report = Report()

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
    guard restore.mayReplace(part.get(state)) else {
      restore.report.outcome = .superseded
      return
    }
    part.set(&state, restore.value)
    forgetFirst()
    restore.report.outcome = .restored
  }

  /// Loads, and dispatches what was found.
  func restore(
    if mayReplace: @escaping @Sendable (_ first: Saved, _ current: Saved) -> Bool
  ) async -> RestoreOutcome {
    let loaded = await inBackground { self.load() }
    guard let value = loaded.value else { return .nothingSaved }
    guard let dispatch = dispatch() else { return .notReduced }
    let first = first()
    let action = RestoreSaved(owner: self, value: value) { current in
      if let first { mayReplace(first, current) } else { false }
    }
    dispatch(action)
    return action.report.outcome ?? .notReduced
  }
}
