import FluxCore
import Foundation
import TestSupport

/// The operations of threads on a store in a recorded history, each as a closure that a test can
/// break.
struct StoreUnderTest: Sendable {
  var dispatch: @Sendable (_ action: Append) -> Void
  var read: @Sendable () -> [Int]
  var readInPlace: @Sendable () -> [Int]
  /// Subscribes an observer and cancels it; returns the value of its first call.
  var firstCall: @Sendable () -> [Int]?
  var batch: @Sendable (_ body: () -> Void) -> Void
  var replaceReducer: @Sendable (_ number: Int) -> Void

  init(_ store: Store<Counter>) {
    dispatch = { store.dispatch($0) }
    read = { store.state.log }
    readInPlace = { store.withState { $0.log } }
    firstCall = {
      let first = Shared<[Int]?>(nil)
      store.subscribe { state in first.change { $0 = $0 ?? state.log } }.cancel()
      return first.value
    }
    batch = { store.batch($0) }
    replaceReducer = { store.replaceReducer(Self.reducer($0)) }
  }

  /// A reducer that logs each action under its own number.
  ///
  /// It lets other threads run in the middle of its work, so that operations overlap.
  static func reducer(_ number: Int) -> MutatingReducer<Counter> {
    { state, action in
      guard let action = action as? Append else { return }
      if action.element.isMultiple(of: 2) { sched_yield() }
      state.log.append(SequentialStore.entry(for: action.element, reducedBy: number))
    }
  }
}
