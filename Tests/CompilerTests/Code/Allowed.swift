import Flux

struct Room: FluxState {
  var guests: [String] = []
}

struct Enter: Action {
  let name: String
}

func returning(room: Room, action: Action) -> Room {
  var room = room
  if let action = action as? Enter { room.guests.append(action.name) }
  return room
}

func inPlace(room: inout Room, action: Action) {
  if let action = action as? Enter { room.guests.append(action.name) }
}

let logging: Middleware<Room> = { dispatch, getState in { next in { action in next(action) } } }

let byName = Store(reducer: returning, middleware: [logging], state: Room())
let byNameInPlace = Store<Room>(reducer: inPlace, middleware: nil, state: Room())
let combined = Store(reducer: combine(inPlace, inPlace), state: Room())

func replacing() {
  byName.replaceReducer(returning)
  byName.replaceReducer(inPlace)
}
