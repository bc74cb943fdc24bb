// The declarations of TimeTravel.md, which `TimeTravelTests` compares with the page word for word.
import Flux

struct Trip: FluxState, Codable {
  var stops: [String] = []
}

struct AddStop: Action, Codable {
  let name: String
}

let tripReducer: ActionHandlers<Trip> = on(AddStop.self) { trip, action in trip.stops.append(action.name) }

let typing = HistoryGrouping.when(SetMovie.self) { previous, current in previous.id == current.id }
