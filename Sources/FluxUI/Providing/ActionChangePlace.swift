import FluxCore

#if canImport(Dispatch)
  import Dispatch
#endif

/// A mutable reference to a closure that can replace or drop the actions that views dispatch.
///
/// A view creates its closure again each time its body runs. The newest closure replaces the
/// previous closure in this object. The enclosed views store this object, so their bodies do
/// not need to run when the closure changes.
@MainActor
final class ActionChangePlace {
  private var change: ProvidedStores.ActionChange

  nonisolated init(_ change: @escaping ProvidedStores.ActionChange) {
    self.change = change
  }

  func put(_ newer: @escaping ProvidedStores.ActionChange) {
    change = newer
  }

  func callAsFunction(_ action: any Action) -> (any Action)? {
    change(action)
  }
}

extension [ActionChangePlace] {
  /// Passes an action through the closures, and returns the resulting action, or `nil` if a
  /// closure drops the action.
  @MainActor
  private func changed(_ action: any Action) -> (any Action)? {
    reduce(action) { action, change in action.flatMap { change($0) } }
  }

  /// Returns a function that passes an action through the closures and dispatches the result.
  ///
  /// The returned function must be called on the main actor. The closures run before the
  /// returned function returns.
  func changeOnMainActor(_ dispatch: @escaping DispatchFunction) -> DispatchFunction {
    { action in
      MainActor.assumeIsolated {
        if let action = changed(action) { dispatch(action) }
      }
    }
  }
}

extension StoreProxy {
  /// Returns a copy of the proxy whose actions pass through the closures on the main actor.
  ///
  /// Any thread can use the proxy. If an action is dispatched on the main queue, the closures run
  /// before the dispatch returns. Actions from another thread are sent to the main actor in the
  /// order in which the thread dispatches them. Work that dispatches an action does not finish
  /// before the closures have run for the action.
  func dispatching(through changes: [ActionChangePlace]) -> StoreProxy {
    guard !changes.isEmpty else { return self }
    let onMain = changes.changeOnMainActor(dispatch)
    return dispatching { [context] action in
      guard !MainQueue.isCurrent else { return onMain(action) }
      let waiting = context.scope.joinedByCurrent.enter()
      startOnMainActor {
        onMain(action)
        waiting?.leave()
      }
    }
  }
}

/// The dispatch queue of the main actor.
///
/// A value that is stored in the queue identifies calls on the main actor, because not every
/// system provides a function for this check.
private enum MainQueue {
  #if canImport(Dispatch)
    private static let mark = {
      let mark = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: mark, value: ())
      return mark
    }()

    /// A Boolean value that indicates whether the caller is running on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }
  #else
    static var isCurrent: Bool { false }
  #endif
}
