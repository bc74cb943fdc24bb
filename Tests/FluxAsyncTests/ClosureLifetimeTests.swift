import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Lifetimes of closures that describe work")
struct ClosureLifetimeTests {
  private struct Unanswered: Error {}

  /// Fails, and returns its own policy.
  private struct Failing: TaskAction {
    var policy = WorkPolicy.every

    func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
      throw Unanswered()
    }
  }

  private static let keepers = [
    Keeper("Retry", endsLater: true) { touch in
      let retry = Retry.times(1, backoff: .constant(.zero)) { _ in
        touch()
        return true
      }
      let store = Store(reducer: shelfReducer, state: Shelf())
      await store.dispatchAsync(Failing(policy: .every.retrying(retry))).finished()
      #expect(store.state.failures.count == 1)
      return [retry, store]
    },
    Keeper("WorkPolicyRule", endsLater: true) { touch in
      let rule = WorkPolicyRule.of(Failing.self) { _ in
        touch()
        return .leading
      }
      let store = Store(
        reducer: shelfReducer, plugins: [.asyncWork(policies: [rule], onError: { _, _ in touch() })],
        state: Shelf())
      await store.dispatchAsync(Failing()).finished()
      return [rule, store]
    },
    Keeper("ActionPlan", endsLater: true) { touch in
      let plan = ActionPlan<Shelf> { (_: StoreProxy<Shelf>) async throws in touch() }
      let store = Store(reducer: shelfReducer, state: Shelf())
      await store.dispatchAsync(plan).finished()
      return [plan, store]
    },
  ]

  @Test(
    "a captured value lives as long as the object made from the closure, and the store that uses it",
    .unlessItHangs, arguments: keepers)
  func release(keeper: Keeper) async {
    await keeper.expectRelease()
  }
}
