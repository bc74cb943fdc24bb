import Flux
import FluxNavigation

/// The reducer of the notes, which also follows navigation, loads, and edits.
///
/// This reducer runs after the screens have changed, and after the reducer of the lists.
let displayReducer = ActionHandlers<ShelfState> {
  on(Navigate<RouteStack<ShelfState.Screen>>.self) { state, _ in
    state.display.screens += 1
    state.display.isWaiting = false
    for load in state.loads { state.begin(load) }
  }
  on(Gather.self) { state, action in
    state.display.isGathering = action.isOn
    state.end()
  }
  on(Say.self) { state, action in state.display.say(action.note) }
  following(Book.self)
  following(Song.self)
  editReducer
}

/// Returns the handlers that follow the loads of the current screen.
private func following<Item: Identifiable & Sendable>(
  _ item: Item.Type
) -> ActionHandlers<ShelfState> where Item.ID: Sendable {
  combine(
    on(ListLoad<Item>.Pending.self) { (state: inout ShelfState, action) in
      let load = ShelfState.Load(list: action.request.list, kind: action.request.kind)
      if state.loads.contains(load) { state.begin(load) }
    },
    on(ListLoad<Item>.Fulfilled.self) { (state: inout ShelfState, _) in state.end() },
    on(ListLoad<Item>.Rejected.self) { (state: inout ShelfState, _) in state.end() })
}

private let editReducer = ActionHandlers<ShelfState> {
  on(ListEdit<Book>.Pending.self) { state, action in
    let id = action.request.change.id
    state.display.say(.changing(id, state.book(id, in: action.request)))
  }
  on(ListEdit<Book>.Fulfilled.self) { state, action in
    // The other list contains the old version of the same book.
    if action.request.list == ShelfLists.shelfID {
      state.books.invalidate()
    } else {
      state.shelf.invalidate()
    }
    let id = action.request.change.id
    state.display.say(.changed(id, state.book(id, in: action.request)))
  }
  on(ListEdit<Book>.Rejected.self) { state, action in
    // A canceled edit is also rolled back, but the service did not reject it.
    guard case .failed(let error) = action.failure else { return }
    let id = action.request.change.id
    state.display.say(.refused(id, state.book(id, in: action.request), "\(error)"))
  }
}

extension ShelfState {
  /// Records a load of the current screen.
  fileprivate mutating func begin(_ load: Load) {
    if !display.isWaiting { display.loads = [] }
    display.begins += 1
    display.loads.removeAll { $0.list == load.list }
    display.loads.append(load)
    display.isWaiting = true
  }

  /// Records that the loads of the current screen have ended, if none of them is still running.
  fileprivate mutating func end() {
    guard display.isWaiting, !display.isGathering, loads.isEmpty else { return }
    display.isWaiting = false
    display.ends += 1
  }

  fileprivate func book(_ id: Int, in edit: ListEdit<Book>) -> Book? {
    (edit.list == ShelfLists.shelfID ? shelf : books).items[id: id]
  }
}
