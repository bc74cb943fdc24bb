import FluxAsync
import FluxCollections
import FluxCore
import FluxTesting
import Testing

@testable import FluxQuery

/// A program of a few events, which an exploration performs in all orders.
struct ShopProgram: Sendable, CustomTestStringConvertible {
  let name: String
  let timing: InvalidationTiming
  let body: @Sendable (ExplorationRun, ShopMistake?, InvalidationTiming) async throws -> Void

  var testDescription: String { name }

  init(
    _ name: String, refetching timing: InvalidationTiming = .whenIdle,
    _ body: @escaping @Sendable (ExplorationRun, ShopMistake?, InvalidationTiming) async throws -> Void
  ) {
    self.name = name
    self.timing = timing
    self.body = body
  }

  func perform(_ run: ExplorationRun, _ mistake: ShopMistake?) async throws {
    try await body(run, mistake, timing)
  }

  static let all = [
    twoItems, failures, invalidations, lateInvalidation, immediateInvalidation, mutation, refusals,
    lostAnswer, twoMutations, immediateMutations, mutationsOfTwoItems, tagsWithoutEdits,
    tagsBeforeFirstResult, subscribers, lifetimes, editsOfRemovedItem, callers, focus, abort,
    removal, reset,
  ]

  // MARK: Requests

  static let twoItems = ShopProgram("two items are observed and fetched") { run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    shop.observe(Item(id: 1))
    shop.observe(Item(id: 2))
    run.may("observe item 1 again") { shop.observe(Item(id: 1)) }
    run.may("prefetch item 2") { shop.prefetch(Item(id: 2)) }
  }

  static let failures = ShopProgram("requests fail and are repeated") { run, mistake, timing in
    let shop = try ExploredShop(
      run, HeldServer(run: run, failingItems: [1, 2]), refetching: timing, mistake: mistake)
    run.requireNewestValues()
    shop.observe(Item(id: 1))
    shop.observe(Item(id: 2))
    run.may("observe item 1 again") { shop.observe(Item(id: 1)) }
  }

  // MARK: Invalidation

  static let invalidations = ShopProgram("both items are invalidated") { run, mistake, timing in
    let shop = try ExploredShop(run, HeldServer(run: run), refetching: timing, mistake: mistake)
    run.requireNewestValues()
    shop.observe(Item(id: 1))
    shop.observe(Item(id: 2))
    run.may("invalidate all items") { shop.serverChanges(1, invalidating: [.type("Item")]) }
  }

  static let lateInvalidation = ShopProgram("an item is invalidated twice, and requests fail") {
    run, mistake, timing in
    let shop = try ExploredShop(
      run, HeldServer(run: run, failingItems: [1, 2]), refetching: timing, mistake: mistake)
    run.requireNewestValues()
    shop.observe(Item(id: 1))
    for name in ["b", "c"] {
      run.may("change item 1 to \(name)") {
        shop.serverChanges(1, name, invalidating: [.type("Item", id: 1)])
      }
    }
  }

  static let immediateInvalidation = ShopProgram(
    "both items are invalidated, and fetched again immediately", refetching: .immediately
  ) { run, mistake, timing in
    try await invalidations.body(run, mistake, timing)
  }

  // MARK: Mutations

  static let mutation = ShopProgram("a mark is added while items are fetched") { run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireOptimisticMarks()
    shop.observe(Item(id: 1))
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b")))
    run.may("fetch item 1 again") { shop.dispatch(FetchQuery(Item(id: 1), .always)) }
  }

  static let refusals = ShopProgram("the server refuses marks") { run, mistake, timing in
    let shop = try ExploredShop(
      run, HeldServer(run: run, refusesMarks: true), refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireOptimisticMarks()
    shop.observe(Item(id: 1))
    for name in ["b", "c"] { shop.mutate(AddMark(mark: Mark(item: 1, name: name))) }
  }

  static let lostAnswer = ShopProgram("the answer to a mutation is lost") { run, mistake, timing in
    let shop = try ExploredShop(
      run, HeldServer(run: run, losesAnswers: true), refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireOptimisticMarks()
    shop.observe(Item(id: 1))
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b"), invalidates: true))
  }

  static let twoMutations = ShopProgram("two marks are added, and the item is invalidated") {
    run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireOptimisticMarks()
    shop.observe(Item(id: 1))
    for name in ["b", "c"] { shop.mutate(AddMark(mark: Mark(item: 1, name: name), invalidates: true)) }
  }

  static let immediateMutations = ShopProgram(
    "two marks are added, and the item is fetched again immediately", refetching: .immediately
  ) { run, mistake, timing in
    try await twoMutations.body(run, mistake, timing)
  }

  static let mutationsOfTwoItems = ShopProgram("marks are added to two items, and refused") {
    run, mistake, timing in
    let server = HeldServer(run: run, refusesMarks: true)
    let shop = try ExploredShop(run, server, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireOptimisticMarks()
    for item in 1...2 { shop.observe(Item(id: item)) }
    await run.untilQuiet()
    for item in 1...2 { shop.mutate(AddMark(mark: Mark(item: item, name: "b"), invalidates: true)) }
  }

  static let tagsWithoutEdits = ShopProgram("marks without optimistic edits are added to two items") {
    run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    for item in 1...2 { shop.observe(Item(id: item)) }
    await run.untilQuiet()
    for item in 1...2 {
      run.may("add to item \(item)") {
        shop.mutate(AddMark(mark: Mark(item: item, name: "b"), isOptimistic: false, invalidates: true))
      }
    }
  }

  static let tagsBeforeFirstResult = ShopProgram(
    "a mark without an optimistic edit is added before the first result"
  ) { run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    shop.observe(Item(id: 1))
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b"), isOptimistic: false, invalidates: true))
  }

  // MARK: Subscribers

  static let subscribers = ShopProgram("subscribers come and go while an item is invalidated") {
    run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    let unsubscribe = shop.observe(Item(id: 1))
    run.may("unsubscribe") { unsubscribe() }
    run.may("observe again") { shop.observe(Item(id: 1)) }
    run.may("invalidate") { shop.serverChanges(1, invalidating: [.type("Item", id: 1)]) }
  }

  static let lifetimes = ShopProgram("items are removed after their lifetimes") { run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireRemoval()
    let item = Item(id: 1, lifetimeWithoutSubscribers: .seconds(5))
    let unsubscribe = shop.observe(item)
    shop.prefetch(Item(id: 2, lifetimeWithoutSubscribers: .seconds(3)))
    run.may("unsubscribe") { unsubscribe() }
    run.may("observe again") { shop.observe(item) }
  }

  static let editsOfRemovedItem = ShopProgram("an item is removed and observed again during a mutation") {
    run, mistake, timing in
    let server = HeldServer(run: run, refusesMarks: true)
    let shop = try ExploredShop(run, server, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireOptimisticMarks()
    run.requireRemoval()
    let item = Item(id: 1, lifetimeWithoutSubscribers: .seconds(5))
    let unsubscribe = shop.observe(item)
    await run.untilQuiet()
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b")))
    unsubscribe()
    run.may("observe again") { shop.observe(item) }
  }

  static let callers = ShopProgram("callers wait for an item while it is invalidated") {
    run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    run.requireRemoval()
    let item = Item(id: 1, lifetimeWithoutSubscribers: .zero)
    run.may("fetch") { await shop.fetch(item) }
    run.may("fetch again") { await shop.fetch(item) }
    run.may("invalidate") { shop.serverChanges(1, invalidating: [.type("Item", id: 1)]) }
  }

  static let focus = ShopProgram("the app returns to the foreground while items are fetched") {
    run, mistake, timing in
    let server = HeldServer(run: run, failingItems: [1, 2])
    let shop = try ExploredShop(run, server, refetching: timing, mistake: mistake)
    run.requireNewestValues()
    for item in 1...2 { shop.observe(Item(id: item), QueryOptions(refetchesOnFocus: item == 1)) }
    run.may("return") {
      shop.dispatch(AppActivity.unfocused)
      shop.dispatch(AppActivity.focused)
    }
  }

  static let abort = ShopProgram("requests are aborted while an item is invalidated") {
    run, mistake, timing in
    let shop = try ExploredShop(run, refetching: timing, mistake: mistake)
    shop.observe(Item(id: 1))
    shop.prefetch(Item(id: 2))
    run.may("abort") { shop.dispatch(CancelWork(of: FetchQuery.self)) }
    run.may("invalidate") { shop.serverChanges(1, invalidating: [.type("Item", id: 1)]) }
  }

  static let removal = ShopProgram("an item is removed by hand during requests") { run, mistake, timing in
    let shop = try ExploredShop(
      run, HeldServer(run: run, refusesMarks: true), refetching: timing, mistake: mistake)
    run.requireOptimisticMarks()
    shop.observe(Item(id: 1))
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b")))
    run.may("remove") { shop.dispatch(RemoveQueries(Item(id: 1))) }
    run.may("fetch") { shop.prefetch(Item(id: 1)) }
  }

  static let reset = ShopProgram("the cache is reset during requests") { run, mistake, timing in
    let shop = try ExploredShop(
      run, HeldServer(run: run, refusesMarks: true), refetching: timing, mistake: mistake)
    run.eventually("the item is fetched again") { (shop: Shop) in shop.shown(1) != nil }
    shop.observe(Item(id: 1))
    shop.mutate(AddMark(mark: Mark(item: 1, name: "b")))
    run.may("reset") { shop.dispatch(ResetQueries()) }
  }
}

extension ExploredShop {
  /// Adds a mark on the server without a mutation, and invalidates tags.
  func serverChanges(_ item: Int, _ name: String = "b", invalidating tags: Set<QueryTag>) {
    dispatch(ServerAdded(mark: Mark(item: item, name: name)))
    dispatch(InvalidateTags(tags))
  }
}

extension ShopMistake {
  /// The program that reveals the mistake, and the rule that the mistake breaks.
  var symptom: (ShopProgram, rule: String) {
    switch self {
    case .keepsRefusedMarks: (.refusals, "a shown mark is on the server, or is being added")
    case .dropsSavedMarks: (.mutation, "marks that are being added or were added are shown")
    case .removesAllEdits: (.refusals, "marks that are being added or were added are shown")
    case .replacesEdits: (.mutation, "marks that are being added or were added are shown")
    case .forgetsRunningRequest: (.mutation, "marks that are being added or were added are shown")
    case .neverRefetches: (.invalidations, "an item with subscribers is up to date, or has an error")
    case .endsInvalidation: (.invalidations, "an item with subscribers is up to date, or has an error")
    // The coordinator notices that the request has ended, and fetches the item again.
    case .keepsFailedRequests: (.failures, "an item with subscribers is up to date, or has an error")
    case .miscountsFailedRequests: (.failures, "the cache counts the running requests and mutations")
    case .hidesErrors: (.failures, "an item with subscribers is up to date, or has an error")
    case .forgetsEarlyInvalidations:
      (.tagsBeforeFirstResult, "an item with subscribers is up to date, or has an error")
    case .trustsFailures: (.lostAnswer, "an item with subscribers is up to date, or has an error")
    case .neverRemoves: (.lifetimes, "only items with subscribers remain")
    }
  }
}
