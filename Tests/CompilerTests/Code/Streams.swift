import Flux

struct Shelf: FluxState {}

struct Open: Action {}

struct Close: Action {}

let anyActions = ActionPlan<Shelf>(streaming: { store in
  AsyncStream { continuation in
    continuation.yield(Open())
    continuation.yield(Close())
    continuation.finish()
  }
})

let actionsOfOneType = ActionPlan<Shelf>(streaming: { store in
  AsyncStream<Open> { continuation in
    continuation.yield(Open())
    continuation.finish()
  }
})
