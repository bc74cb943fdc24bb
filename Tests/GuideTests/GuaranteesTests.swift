import Flux
import TestSupport
import Testing

@Suite("Sources/FluxCore/FluxCore.docc/Guarantees.md")
struct GuaranteesTests {
  @Test("its account contains the deposits when dispatch returns, and is not overdrawn")
  func account() {
    let store = Store(reducer: accountReducer, plugins: [audit], state: Account())
    store.dispatch(Deposit(amount: 20))
    print(store.state.balance)  // 20, or what other threads have made of it since
    #expect(store.state.balance == 20)
    store.batch {
      store.dispatch(Withdraw(amount: 5))
      store.dispatch(Deposit(amount: 5))
    }
    store.dispatch(Withdraw(amount: 21))
    #expect(store.state.balance == 20)
  }

  @Test("its observer that dispatches empties the account")
  func saving() {
    let store = Store(reducer: accountReducer, state: Account(balance: 20))
    let saver = store.subscribe(to: \.balance) { balance in
      if balance > 0 { store.dispatch(Withdraw(amount: 1)) }
    }
    #expect(store.state.balance == 0)
    saver.cancel()
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxCore/FluxCore.docc/Guarantees.md").expectTested(
      in: "Tests/GuideTests/GuaranteesExample.swift", "Tests/GuideTests/GuaranteesTests.swift", atLeast: 5)
  }
}
