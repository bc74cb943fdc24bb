import FluxCore

#if canImport(Dispatch)
  import Dispatch
#endif

/// The place of a closure that may replace or drop the actions of views.
///
/// A view creates its closure again each time that its body runs. The newest closure takes the
/// place of the previous one, and the views inside, which hold the place, need not run their
/// bodies.
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
  /// Returns the action that takes the place of another one; `nil` if a closure drops the action.
  @MainActor
  private func changed(_ action: any Action) -> (any Action)? {
    reduce(action) { action, change in action.flatMap { change($0) } }
  }

  /// Returns a function that dispatches what the closures make of an action.
  ///
  /// Only the main actor may call it: it runs the closures before it returns.
  func changeOnMainActor(_ dispatch: @escaping DispatchFunction) -> DispatchFunction {
    { action in
      MainActor.assumeIsolated {
        if let action = changed(action) { dispatch(action) }
      }
    }
  }
}

extension StoreProxy {
  /// Returns the same proxy, which any thread may use, and whose actions pass through closures on
  /// the main actor.
  ///
  /// On the main queue the closures have returned when the dispatch returns. Other threads hand
  /// their actions to the main actor, in order. An action belongs to the work that sends it: that
  /// work is not finished before the closures have returned.
  func dispatching(through changes: [ActionChangePlace]) -> StoreProxy {
    guard !changes.isEmpty else { return self }
    let onMain = changes.changeOnMainActor(dispatch)
    return dispatching { [context] action in
      guard !MainQueue.isCurrent else { return onMain(action) }
      let scope = context.scope.joinedByCurrent
      let waiting = scope.enter()
      Task { @MainActor in
        onMain(action)
        if let waiting { scope.leave(waiting) }
      }
    }
  }
}

/// The queue of the main actor, which tells whether the caller is on the main actor: no other call
/// does so on every system.
private enum MainQueue {
  #if canImport(Dispatch)
    private static let mark = {
      let mark = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: mark, value: ())
      return mark
    }()

    /// A Boolean value that indicates whether the caller runs on the queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }
  #else
    static var isCurrent: Bool { false }
  #endif
}
