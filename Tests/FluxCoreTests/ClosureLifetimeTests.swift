import FluxCore
import TestSupport
import Testing

@Suite("Lifetimes of captured values")
struct ClosureLifetimeTests {
  private static let keepers = [
    Keeper("ActionHandlers") { touch in
      let handlers = ActionHandlers<Counter> {
        on(Increment.self) { (_: inout Counter, _) in touch() }
        on(Rename.self) { (_: inout Counter, _) in }
      }
      return [handlers, used(Store(reducer: handlers, state: Counter()))]
    },
    Keeper("Substate, of a closure") { touch in
      part(
        Substate { state, body in
          touch()
          body(&state.count)
        })
    },
    Keeper("Substate, of a pair of closures") { touch in
      part(
        .accessors(
          get: { state in
            touch()
            return state.count
          },
          set: { state, count in
            touch()
            state.count = count
          }))
    },
    Keeper("Substate, of a case") { touch in
      part(
        .case(
          { state in
            touch()
            return state.count
          }, { Counter(count: $0) }))
    },
    Keeper("TransitionObserver, of actions") { touch in observer(.actions { _, _ in touch() }) },
    Keeper("TransitionObserver, of states") { touch in observer(.states { _ in touch() }) },
    Keeper("Plugin") { touch in
      var plugin = Plugin<Counter>(onStoreStart: { _ in touch() })
      plugin.onWork = { touch() }
      return [plugin, used(makeStore(plugins: [plugin]))]
    },
    Keeper("StateSelector") { touch in
      let selector = StateSelector<Counter, Int>(\.count) { count in
        touch()
        return count
      }
      let store = makeStore()
      let token = store.subscribe(to: selector.select, by: ==) { (_: Int) in }
      return [selector, used(store), token]
    },
    Keeper("SharedSlice") { touch in
      let store = makeStore()
      let slice = SharedSlice(
        of: store.proxy,
        slice: { state in
          touch()
          return state.count
        },
        by: { old, new in
          touch()
          return old == new
        })
      let token = slice.subscribe { _ in }
      return [slice, used(store), token]
    },
    Keeper("StoreProxy, of a part") { touch in
      let store = makeStore()
      let proxy = store.proxy { state in
        touch()
        return state.count
      }
      let token = proxy.subscribe { _ in }
      return [proxy, used(store), token]
    },
  ]

  @Test(
    "a captured value lives as long as the object made from the closure, and the store that uses it",
    .unlessItHangs, arguments: keepers)
  func release(keeper: Keeper) async {
    await keeper.expectRelease()
  }

  private static func used(_ store: Store<Counter>) -> Store<Counter> {
    for _ in 0..<2 { store.dispatch(Increment()) }
    return store
  }

  private static func part(_ part: Substate<Counter, Int>) -> [Any] {
    let handlers = lift(on(Increment.self) { (count: inout Int, _) in count += 1 }, to: part)
    return [part, used(Store(reducer: handlers, state: Counter()))]
  }

  private static func observer(_ observer: TransitionObserver<Counter>) -> [Any] {
    [observer, used(makeStore(plugins: [Plugin(onTransition: observer)]))]
  }
}
