import FluxAsync
import FluxCollections
import FluxCore
import FluxTesting
import TestSupport

@testable import FluxQuery

/// The server, whose requests consist of two steps that an exploration orders: the server
/// processes the request, and the answer arrives.
struct HeldServer: Sendable {
  struct Trouble: Error, CustomStringConvertible {
    var description: String { "trouble" }
  }

  let run: ExplorationRun
  /// The items whose requests can fail.
  var failingItems: Set<Int> = []
  /// The items whose requests consist of one step: the server processes the request when the
  /// answer arrives.
  var simpleItems: Set<Int> = []
  /// A Boolean value that indicates whether the answer to a mutation arrives when the server adds
  /// the mark.
  var answersMarksAtOnce = false
  /// A Boolean value that indicates whether the server can refuse a mark.
  var refusesMarks = false
  /// A Boolean value that indicates whether the answer to a mutation can be lost after the server
  /// has added the mark.
  var losesAnswers = false

  func marks(of item: Int, in context: RequestContext<Shop>) async throws -> Set<String> {
    let errors = failingItems.contains(item) ? [Trouble()] : []
    let read: @Sendable () -> Set<String> = { context.store.state?.server[item] ?? [] }
    if simpleItems.contains(item) {
      return try await run.answer(to: "item \(item)", failing: errors, read)
    }
    let marks = try await run.answer(to: "read \(item)", read)
    return try await run.answer(to: "item \(item)", failing: errors) { marks }
  }

  func add(_ mark: Mark, in context: RequestContext<Shop>) async throws {
    try await run.answer(to: "add \(mark.name)", failing: refusesMarks ? [Trouble()] : []) {}
    context.dispatch(ServerAdded(mark: mark))
    if answersMarksAtOnce { return }
    try await run.answer(to: "added \(mark.name)", failing: losesAnswers ? [Trouble()] : []) {}
  }
}

/// A store with a cache, in an explored run.
struct ExploredShop: Sendable {
  private let proxy: StoreProxy<Shop>
  /// The observers that were not canceled.
  private let observers = Shared<[QueryObserver<Item>]>([])

  /// Creates the store, and declares the rules that every program obeys.
  init(
    _ run: ExplorationRun, _ server: HeldServer? = nil, refetching timing: InvalidationTiming = .whenIdle,
    mistake: ShopMistake? = nil
  ) throws {
    let connected = Shared<StoreProxy<Shop>?>(nil)
    var connection = Plugin<Shop>(wrapReducer: { reducer in mistake.map { $0.planted(in: reducer) } ?? reducer
    })
    connection.onStoreProxy = { connected.value = $0 }
    _ = run.store(
      reducer: { (shop: inout Shop, action) in shop.reduce(action, at: run.clock.now.offset) },
      plugins: [connection, QuerySlice(at: \Shop.queries, refetching: timing).plugin],
      services: Services().with(server ?? HeldServer(run: run)),
      state: Shop(server: [1: ["a"], 2: ["a"]]))
    guard let proxy = connected.value else { throw QueryFailure(.noCache) }
    self.proxy = proxy
    run.declareRulesOfShops()
    // The rule keeps the observers until the end of the order.
    run.eventually("an observer shows the entry of its item") { [observers] (shop: Shop) in
      observers.value.allSatisfy { observer in
        observer.query.map { observer.state.currentData == shop.shown($0.id) } ?? false
      }
    }
  }

  // MARK: Events

  func dispatch(_ action: any Action) {
    proxy.dispatch(action)
  }

  func mutate(_ mutation: AddMark) {
    proxy.mutate(mutation)
  }

  func prefetch(_ item: Item) {
    proxy.prefetch(item)
  }

  /// Fetches an item if needed, and waits for its result.
  nonisolated(nonsending) func fetch(_ item: Item) async {
    _ = try? await proxy.fetch(item)
  }

  /// Adds a subscriber of an item, and returns a closure that removes the subscriber.
  @discardableResult
  func observe(_ item: Item, _ options: QueryOptions = QueryOptions()) -> @Sendable () -> Void {
    proxy.dispatch(Subscribed(item: item.id))
    let observer = proxy.observe(item, options) { _ in }
    observers.change { $0.append(observer) }
    return { [proxy, observers] in
      proxy.dispatch(Unsubscribed(item: item.id))
      observers.change { $0.removeAll { $0 === observer } }
      observer.cancel()
    }
  }
}

extension ExplorationRun {
  /// Declares the rules that every program obeys.
  fileprivate func declareRulesOfShops() {
    always("an item has at most one request") { (shop: Shop) in
      shop.requests.values.allSatisfy { 0...1 ~= $0 }
    }
    always("the cache counts the running requests and mutations") { (shop: Shop) in
      shop.queries.pendingRequests
        == shop.queries.entries.filter(\.isFetching).count
        + shop.queries.contents.value.runningMutations.count
    }
    always("a shown mark is on the server, or is being added") { (shop: Shop) in
      (1...2).allSatisfy { item in
        let added = shop.running.filter { $0.item == item }.map(\.name)
        return (shop.shown(item) ?? []).isSubset(of: shop.server[item, default: []].union(added))
      }
    }
    eventually("nothing is pending") { (shop: Shop) in
      shop.queries.pendingRequests == 0 && shop.requests.values.allSatisfy { $0 == 0 }
        && shop.running.isEmpty && shop.queries.contents.value.overlays.isEmpty
    }
  }

  /// Requires that every item with subscribers shows what the server has, unless its last request
  /// has failed.
  func requireNewestValues() {
    eventually("an item with subscribers is up to date, or has an error") { (shop: Shop) in
      shop.subscribers.allSatisfy { item, count in
        guard count > 0 else { return true }
        guard let entry = shop.entry(item) else { return false }
        return entry.error != nil || !entry.isInvalidated && shop.shown(item) == shop.server[item]
      }
    }
  }

  /// Requires that the marks of running mutations are shown, and that the marks of mutations that
  /// have succeeded remain shown.
  func requireOptimisticMarks() {
    always("marks that are being added or were added are shown") { (shop: Shop) in
      shop.running.union(shop.saved).allSatisfy { mark in shop.shown(mark.item)?.contains(mark.name) ?? true }
    }
  }

  /// Requires that items without subscribers are removed.
  func requireRemoval() {
    eventually("only items with subscribers remain") { (shop: Shop) in
      shop.queries.entries.allSatisfy { entry in
        (entry.query as? Item).map { shop.subscribers[$0.id, default: 0] > 0 } ?? false
      }
    }
  }
}
