import FluxCore
import FluxUI
import TestSupport
import Testing

@Suite("Lifetimes of captured values in views")
struct ClosureLifetimeTests {
  private static let keepers = [
    Keeper("ActionBinding, of a value") { touch in
      let store = makeStore()
      let binding = ActionBinder(ActionDispatcher(store)).bind(store.state.title) { title in
        touch()
        return SetTitle(title: title)
      }
      binding.wrappedValue = "a"
      return [binding, store]
    },
    Keeper("ActionBinding, of a function") { touch in
      let store = makeStore()
      let binding = ActionBinder(ActionDispatcher(store)).bind { (title: String) in
        touch()
        return SetTitle(title: title)
      }
      binding.wrappedValue("a")
      return [binding, store]
    },
    Keeper("ActionFunction") { touch in
      let store = makeStore()
      let function: ActionFunction<String, Int> = ActionBinder(ActionDispatcher(store)).bind { title, _ in
        touch()
        return SetTitle(title: title)
      }
      function("a", 1)
      return [function, store]
    },
    Keeper("ActionBinder, of a connection") { touch in
      let store = makeStore()
      let connection = Connection(to: store) { (state: Notebook, binder: ActionBinder) in
        let function: ActionFunction<Int> = binder.bind { amount in
          touch()
          return Increment(amount: amount)
        }
        return [function]
      }
      for amount in 1...2 { connection.props?.first?(amount) }
      return [connection, store]
    },
    Keeper("PropsComparison") { touch in
      let comparison = PropsComparison<Int>.by { old, new in
        touch()
        return old == new
      }
      let store = makeStore()
      let connection = Connection(to: store, comparing: comparison) { (state: Notebook, _) in state.count }
      for _ in 1...2 { connection.dispatch(Increment()) }
      return [comparison, connection, store]
    },
    Keeper("ProvidedStores, MappedState and MappedDispatch") { touch in
      let store = makeStore()
      let stores = ProvidedStores().providing(store).onAction { action in
        touch()
        return action
      }
      let (state, dispatch) = (MappedState<Notebook>(in: stores), MappedDispatch(in: stores))
      dispatch.wrappedValue(Increment())
      #expect(state.wrappedValue.count == 1)
      return [stores, state, dispatch, store]
    },
    Keeper("ObservableStore, of a binding") { touch in
      let observable = ObservableStore(makeStore())
      let binding = observable.binding(\.title) { title in
        touch()
        return SetTitle(title: title)
      }
      binding.wrappedValue = "a"
      return [binding, observable]
    },
  ]

  @Test(
    "a captured value lives as long as the object made from the closure, and the user of that object",
    .unlessItHangs, arguments: keepers)
  func release(keeper: Keeper) async {
    await keeper.expectRelease()
  }
}
