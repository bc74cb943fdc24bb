// The program at the end of Sources/Flux/Flux.docc/GettingStarted.md, word for word. Its tests run
// each step.
import Flux

let history = History<ShoppingList>()
let store = Store(
  reducer: shoppingReducer, middleware: [onlyOnce], plugins: [history.plugin], state: ShoppingList())

store.dispatch(Add(item: "bread"))
store.dispatch(Add(item: "milk"))
print(store.state.items)

let token = store.subscribe(to: \.items.count) { count in
  print(count, "to buy")
}
store.dispatch(Remove(item: "milk"))

store.dispatch(Add(item: "bread"))
print(store.state.items)

await store.dispatchAsync(AddRecipe(name: "French toast")).finished()
print(store.state.items)

store.dispatch(HistoryAction.undo)
store.dispatch(HistoryAction.undo)
store.dispatch(HistoryAction.redo)
print(store.state.items)
