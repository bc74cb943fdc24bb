import FluxCore

// A state three levels deep, as reducers are lifted to parts of parts.

struct One: FluxState {
  var two = Two()
  var visits = 0
}
struct Two: FluxState { var three = Three() }
struct Three: FluxState { var counter = Counter() }
