// The declarations of Guarantees.md, which `GuaranteesTests` compares with the page word for word.
import Flux

struct Account: FluxState {
  var balance = 0
}

struct Deposit: Action {
  let amount: Int
}

struct Withdraw: Action {
  let amount: Int
}

let accountReducer = ActionHandlers<Account> {
  on(Deposit.self) { account, action in account.balance += action.amount }
  on(Withdraw.self) { account, action in
    if account.balance >= action.amount { account.balance -= action.amount }
  }
}

let audit = Plugin<Account>(
  onTransition: .states { step in
    print("\(step.version): \(step.before.balance) → \(step.after.balance)")
  })
