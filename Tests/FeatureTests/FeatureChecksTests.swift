import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Features and development checks")
struct FeatureChecksTests {
  private let reports = Recorder<String>()
  private let history = History<Shop>(unrecorded: .undoneWithEntry)
  private let shop: ShopFixture

  init() {
    let reports = reports
    shop = ShopFixture(before: [
      .developmentChecks(clock: ManualClock(), evenInRelease: true) { reports.record("\($0)") },
      history.plugin, .storeActions,
    ])
  }

  @Test("attaching, detaching, and actions of features are reported neither as unhandled nor as impure")
  func attaching() {
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.features.attach(visits).detach(keepingState: false)
    attached.detach(keepingState: false)
    shop.features.attach(visits).detach(keepingState: true)
    #expect(reports.values == [])
    shop.store.dispatch(Put(item: "bread"))
    #expect(reports.count == 1)
  }

  @Test("the first action after a state was replaced is not reported as impure")
  func replaced() {
    shop.store.dispatch(Sell())
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(Visit())
    shop.store.reset(to: Shop(sold: 5))
    shop.store.dispatch(Visit())
    #expect(reports.values == [])
    #expect(shop.visits.count == 1)
  }

  @Test("an action that only a feature handles is not reported as unhandled, if the checks are last")
  func handled() {
    let reports = Recorder<String>()
    let shop = ShopFixture(after: [
      .developmentChecks(clock: ManualClock(), evenInRelease: true) { reports.record("\($0)") }
    ])
    shop.features.attach(basket)
    shop.store.dispatch(Put(item: "bread"))
    #expect(reports.values == [])
    shop.store.dispatch(HistoryAction.undo)
    #expect(reports.count == 1)
  }

  @Test("a feature whose reducer is impure is reported")
  func impure() {
    let count = Shared(0)
    let feature = Feature("basket", state: Basket()) { (state: inout Basket, action: any Action) in
      if action is Sell { state.items.append("\(count.increment())") }
    }
    shop.features.attach(feature)
    shop.store.dispatch(Sell())
    #expect(reports.count == 1)
    #expect(reports.values.first?.contains("Sell") == true)
  }
}
