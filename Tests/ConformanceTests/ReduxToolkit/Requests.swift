import FluxAsync
import FluxCore
import TestSupport

// The fixtures of the suites about requests: a state that lists the reduced actions, and requests
// that do what a test requires.

struct Actions: FluxState {
  var all: [any Action] = []

  /// The actions of a type, in order.
  func of<Kind: Action>(_ type: Kind.Type) -> [Kind] { all.compactMap { $0 as? Kind } }

  /// The actions of requests, in order.
  var stages: [RequestStage] { all.compactMap { ($0 as? any RequestEvent)?.stage } }
}

let listing: MutatingReducer<Actions> = { actions, action in actions.all.append(action) }

func actionStore(_ plugins: Plugin<Actions>...) -> Store<Actions> {
  Store(reducer: listing, plugins: plugins, state: Actions())
}

/// A request whose work is a closure.
struct Ask<Value: Sendable>: AsyncRequest {
  var argument = 0
  var isWanted = true
  var tellsWhenUnwanted = false
  let answer: @Sendable (RequestContext<Actions>) async throws -> Value

  func isWanted(in state: Actions) -> Bool { isWanted }

  func perform(in context: RequestContext<Actions>) async throws -> Value { try await answer(context) }
}

/// An error with fields.
struct Refusal: Error, Equatable {
  var code = 400
  var message = "refused"
  var fields: [String] = []
}

/// A request whose closure can only throw a refusal.
struct Submit: AsyncRequest {
  let answer: @Sendable () async throws(Refusal) -> String

  func perform(in context: RequestContext<Actions>) async throws(Refusal) -> String { try await answer() }
}

extension RequestTask {
  /// The description of the failure; `nil` if the request was fulfilled.
  var failure: String? {
    get async {
      guard case .failure(let failure) = await result else { return nil }
      return "\(failure)"
    }
  }
}
