import FluxCore

// A state with three levels, to which reducers are lifted one level at a time.

struct One: FluxState {
  var two = Two()
  var visits = 0
}
struct Two: FluxState { var three = Three() }
struct Three: FluxState { var counter = Counter() }
