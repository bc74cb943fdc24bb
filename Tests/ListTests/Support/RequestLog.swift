import FluxAsync
import FluxCore
import FluxLists
import TestSupport
import Testing

/// The actions of a store in the order in which they were reduced.
struct RequestLog<State: FluxState & Equatable>: Sendable {
  private let actions = Recorder<any Action>()

  var plugin: Plugin<State> {
    Plugin(onTransition: .actions { [actions] action, _ in actions.record(action) })
  }

  /// Expects that each request became pending once and was then settled once, and that at most one
  /// request of a lane was pending at a time.
  ///
  /// - Parameter lane: The name of a request's lane; `nil` for a request without one.
  func expectOneEndEach(
    inLane lane: (any RequestEvent) -> String? = { _ in nil },
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var (open, settled): (Set<RequestID>, Set<RequestID>) = ([], [])
    var pending: [String: RequestID] = [:]
    var wrong: [String] = []
    for case let event as any RequestEvent in actions.values {
      let lane = lane(event)
      if event.stage == .pending {
        if settled.contains(event.id) || !open.insert(event.id).inserted { wrong.append("again \(event)") }
        if let lane, let other = pending.updateValue(event.id, forKey: lane) {
          wrong.append("\(event) while \(other) is pending")
        }
      } else {
        if open.remove(event.id) == nil || !settled.insert(event.id).inserted {
          wrong.append("extra \(event)")
        }
        if let lane, pending[lane] == event.id { pending[lane] = nil }
      }
    }
    #expect(wrong.isEmpty, sourceLocation: sourceLocation)
    #expect(open.isEmpty, "some requests were not settled", sourceLocation: sourceLocation)
    #expect(!settled.isEmpty, "there were no requests", sourceLocation: sourceLocation)
  }

  /// Expects the state that a reducer makes from all actions, in order.
  func expectReplay(
    of reducer: ActionHandlers<State>, from first: State, isEqualTo last: State,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let replayed = actions.values.reduce(into: first) { state, action in reducer.reducer(&state, action) }
    #expect(replayed == last, sourceLocation: sourceLocation)
  }
}

/// The list that a request loads; `nil` if it loads none.
func listLane(_ event: any RequestEvent) -> String? {
  switch event {
  case let event as ListLoad<Book>.Pending: event.request.list.name
  case let event as ListLoad<Book>.Fulfilled: event.request.list.name
  case let event as ListLoad<Book>.Rejected: event.request.list.name
  default: nil
  }
}
