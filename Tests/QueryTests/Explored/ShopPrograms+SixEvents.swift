import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting

/// Programs with two items and all six kinds of events: the items are observed, requests are
/// answered, a request fails, a tag is invalidated, an observer ends, and a mutation with an
/// optimistic edit runs.
///
/// In each program, the invalidation and the end of the observer of item 2 can happen at any time,
/// in both orders, or not at all.
///
/// The exploration tries all orders, which are about 2,000 in each program. The events bound the
/// number: there is one mutation, one invalidation, and one end of an observer, and only requests
/// of item 1 can fail. Requests of item 2 consist of one step, and so does the mutation of the
/// second program. With a mutation of two steps, that program would have more than 5,000 orders.
extension ShopProgram {
  static let allWithSixEvents = [sixEvents, sixEventsDuringFirstRequests, sixEventsWithRefusals]

  static let sixEvents = ShopProgram("six events, after the first requests have ended") {
    run, mistake, timing in
    let server = HeldServer(run: run, failingItems: [1], simpleItems: [2])
    let shop = try ExploredShop(run, server, refetching: timing, mistake: mistake)
    let unsubscribe = shop.observeBothItems(run)
    await run.untilQuiet()
    run.may("add to item 1") { shop.mutate(AddMark(mark: Mark(item: 1, name: "b"))) }
    run.may("invalidate all items") { shop.serverChanges(1, "c", invalidating: [.type("Item")]) }
    run.may("unsubscribe from item 2") { unsubscribe() }
  }

  static let sixEventsDuringFirstRequests = ShopProgram("six events, during the first requests") {
    run, mistake, timing in
    let server = HeldServer(
      run: run, failingItems: [1], simpleItems: [2], answersMarksAtOnce: true)
    let shop = try ExploredShop(run, server, refetching: timing, mistake: mistake)
    let unsubscribe = shop.observeBothItems(run)
    shop.mutate(AddMark(mark: Mark(item: 2, name: "b")))
    run.may("invalidate item 1") { shop.serverChanges(1, "c", invalidating: [.type("Item", id: 1)]) }
    run.may("unsubscribe from item 2") { unsubscribe() }
  }

  static let sixEventsWithRefusals = ShopProgram(
    "six events, with immediate requests and a mutation that can be refused", refetching: .immediately
  ) { run, mistake, timing in
    let server = HeldServer(run: run, failingItems: [1], simpleItems: [2], refusesMarks: true)
    let shop = try ExploredShop(run, server, refetching: timing, mistake: mistake)
    let unsubscribe = shop.observeBothItems(run)
    await run.untilQuiet()
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b")))
    run.may("invalidate all items") { shop.serverChanges(1, "c", invalidating: [.type("Item")]) }
    run.may("unsubscribe from item 2") { unsubscribe() }
  }
}

extension ExploredShop {
  /// Declares the rules of observed items, observes items 1 and 2, and returns a closure that ends
  /// the observer of item 2.
  fileprivate func observeBothItems(_ run: ExplorationRun) -> @Sendable () -> Void {
    run.requireNewestValues()
    run.requireOptimisticMarks()
    observe(Item(id: 1))
    return observe(Item(id: 2))
  }
}
