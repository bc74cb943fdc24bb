import FluxCore
import FluxMiddleware

// The model of a program that crashes. The tests also use it.

struct Account: FluxState, Codable, Equatable {
  var balance = 0
  var count = 0
  /// Text of changing length, so that the snapshots differ in size.
  var notes = ""
  var pin = "4711"
}

struct Deposit: Action, Codable, Equatable {
  let amount: Int
  var note = ""
}

/// An action that a reducer cannot reduce if the number is 0.
struct Split: Action, Codable, Equatable {
  let by: Int
}

/// An action that is not registered.
struct Audit: Action {}

func accountReducer(_ account: inout Account, _ action: any Action) {
  account.count += 1
  switch action {
  case let deposit as Deposit:
    account.balance += deposit.amount
    account.notes = String(repeating: "n", count: account.count % 97)
  case let split as Split: account.balance /= split.by
  default: break
  }
}

let accountActions = ActionRegistry(Deposit.self, Split.self)
