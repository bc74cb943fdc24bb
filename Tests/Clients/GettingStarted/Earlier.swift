// The store of main.swift before the last step, which is compiled but not called.
import Flux

private func inStep3() {
  let store = Store(reducer: shoppingReducer, state: ShoppingList())

  store.dispatch(Add(item: "bread"))
  store.dispatch(Add(item: "milk"))
  print(store.state.items)
}

private func inStep5() -> [String] {
  let store = Store(reducer: shoppingReducer, middleware: [onlyOnce], state: ShoppingList())
  return store.state.items
}
