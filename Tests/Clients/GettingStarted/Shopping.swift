import Flux

struct ShoppingList: FluxState {
  var items: [String] = []
}

struct Add: Action {
  let item: String
}

struct Remove: Action {
  let item: String
}

let shoppingReducer = ActionHandlers<ShoppingList> {
  on(Add.self) { list, action in list.items.append(action.item) }
  on(Remove.self) { list, action in list.items.removeAll { $0 == action.item } }
}

let onlyOnce: Middleware<ShoppingList> = transformActions(of: Add.self) { store, action in
  store.state?.items.contains(action.item) == true ? nil : action
}

struct AddRecipe: TaskAction {
  let name: String

  func execute(state: ShoppingList, dispatch: @escaping DispatchFunction) async throws {
    for item in try await ingredients(of: name) {
      dispatch(Add(item: item))
    }
  }
}

func ingredients(of recipe: String) async throws -> [String] {
  ["flour", "eggs", "bread"]  // Here a program would ask its server.
}
