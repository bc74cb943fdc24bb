import FluxAsync
import FluxCore
import TestSupport

// What the suites about requests are made of: a state that lists what was reduced, and requests that do what a test says.

struct Actions: FluxState {
  var all: [any Action] = []

  /// The actions of a type, in order.
  func of<Kind: Action>(_ type: Kind.Type) -> [Kind] { all.compactMap { $0 as? Kind } }

  /// What was told of requests, in order.
  var stages: [RequestStage] { all.compactMap { ($0 as? any RequestEvent)?.stage } }
}

let listing: MutatingReducer<Actions> = { actions, action in actions.all.append(action) }

func actionStore(_ plugins: Plugin<Actions>...) -> Store<Actions> {
  Store(reducer: listing, plugins: plugins, state: Actions())
}

/// Asks by a closure.
struct Ask<Value: Sendable>: AsyncRequest {
  var argument = 0
  var isWanted = true
  var tellsWhenUnwanted = false
  let answer: @Sendable (RequestContext<Actions>) async throws -> Value

  func isWanted(in state: Actions) -> Bool { isWanted }

  func perform(in context: RequestContext<Actions>) async throws -> Value { try await answer(context) }
}

/// An error with fields of its own.
struct Refusal: Error, Equatable {
  var code = 400
  var message = "refused"
  var fields: [String] = []
}

/// Asks by a closure that can only refuse.
struct Submit: AsyncRequest {
  let answer: @Sendable () async throws(Refusal) -> String

  func perform(in context: RequestContext<Actions>) async throws(Refusal) -> String { try await answer() }
}

extension RequestTask {
  /// Why it was not answered, in words; `nil` if it was.
  var failure: String? {
    get async {
      guard case .failure(let failure) = await result else { return nil }
      return "\(failure)"
    }
  }
}
