import FluxCore

struct Tally: FluxState, Equatable {
  var count = 0
  var notes: [String] = []
}

struct Add: Action, Equatable {
  var amount = 1
}

struct Note: Action, Equatable {
  let text: String
}

/// Changes nothing.
struct Nothing: Action, Equatable {}

/// Carries work, which the store starts on the dispatching thread.
struct Work: Action, CustomStringConvertible {
  let start: @Sendable (ActionContext) -> Void

  var description: String { "Work" }

  func _startWork(in context: ActionContext) -> WorkStart? {
    start(context)
    return nil
  }
}

/// Carries work that runs in the store's effects.
struct Run: Action, CustomStringConvertible {
  let work: @Sendable (_ dispatch: DispatchFunction) async -> Void

  var description: String { "Run" }

  func _startWork(in context: ActionContext) -> WorkStart? {
    return { context in context.effects.start { await work(context.dispatch) } }
  }
}

func reduce(_ state: inout Tally, _ action: any Action) {
  switch action {
  case let action as Add: state.count += action.amount
  case let action as Note: state.notes.append(action.text)
  default: break
  }
}
