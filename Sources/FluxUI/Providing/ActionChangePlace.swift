import FluxCore

/// The place of a closure that sees what views dispatch: a newer closure may take it, and the views need not be told.
final class ActionChangePlace: Sendable {
  private let change: Locked<ProvidedStores.ActionChange>

  init(_ change: @escaping ProvidedStores.ActionChange) {
    self.change = Locked(change)
  }

  func put(_ newer: @escaping ProvidedStores.ActionChange) {
    _ = change.exchange(newer)
  }

  func callAsFunction(_ action: any Action) -> (any Action)? {
    let change = change.withLock { $0 }
    return change(action)
  }
}
