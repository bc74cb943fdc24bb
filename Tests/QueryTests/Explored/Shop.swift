import FluxAsync
import FluxCollections
import FluxCore

@testable import FluxQuery

/// The state of an app that shows items, together with the contents of the server that has the
/// items.
///
/// An item is a set of marks. Adding a mark twice has the same result as adding it once, as
/// optimistic edits require.
struct Shop: FluxState {
  var queries = QueryCache()
  /// The marks of each item on the server.
  var server: [Int: Set<String>] = [:]
  /// The number of requests of each item that are running, as counted from the actions.
  var requests: [Int: Int] = [:]
  /// The mutations that are running.
  var running: Set<Mark> = []
  /// The mutations that have succeeded.
  var saved: Set<Mark> = []
  /// The number of subscribers of each item.
  var subscribers: [Int: Int] = [:]
  /// The events of each item, which determine the edits and the subscribers of the item.
  ///
  /// Equality of caches does not compare edits, and a cache does not contain subscribers. Without
  /// the events, an exploration would cut orders that continue in different ways.
  var events: [Int: [String]] = [1: [], 2: []]

  /// Returns the shown marks of an item.
  func shown(_ item: Int) -> Set<String>? { queries[Item(id: item)].data }

  /// Returns the entry of an item.
  func entry(_ item: Int) -> QueryEntry? { queries.entries[id: QueryKey(Item(id: item))] }
}

extension Shop: Hashable {
  func hash(into hasher: inout Hasher) {
    hasher.combine(events)
  }
}

/// A mark that a mutation adds to an item.
struct Mark: Hashable, Sendable, CustomStringConvertible {
  let item: Int
  let name: String

  var description: String { "\(name) to item \(item)" }
}

// MARK: - Requests

/// The marks of an item.
struct Item: Query {
  let id: Int
  /// The lifetime, which is not part of the identity of the query.
  var lifetimeWithoutSubscribers: Duration?

  func fetch(in context: RequestContext<Shop>) async throws -> Set<String> {
    try await context.services(HeldServer.self).marks(of: id, in: context)
  }

  func tags(for result: Result<Set<String>, QueryFailure>) -> Set<QueryTag> { [.type("Item", id: id)] }

  static func == (first: Item, second: Item) -> Bool { first.id == second.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension Item: CustomStringConvertible {
  var description: String { "Item(\(id))" }
}

/// A mutation that adds a mark to an item.
struct AddMark: Mutation {
  let mark: Mark
  /// A Boolean value that indicates whether the mark is shown while the mutation is running.
  var isOptimistic = true
  /// A Boolean value that indicates whether the item is fetched again after the mutation.
  var invalidates = false

  func perform(in context: RequestContext<Shop>) async throws {
    try await context.services(HeldServer.self).add(mark, in: context)
  }

  func optimisticEdits() -> [QueryEdit] {
    isOptimistic ? [.edit(Item(id: mark.item)) { [name = mark.name] in $0.insert(name) }] : []
  }

  func invalidatedTags(for result: Result<Void, QueryFailure>) -> Set<QueryTag> {
    invalidates ? [.type("Item", id: mark.item)] : []
  }
}

extension AddMark: CustomStringConvertible {
  var description: String { "Add \(mark)" }
}

// MARK: - Actions

/// The server has added a mark.
struct ServerAdded: Action {
  let mark: Mark
}

struct Subscribed: Action {
  let item: Int
}

struct Unsubscribed: Action {
  let item: Int
}

extension Shop {
  /// Changes everything except the cache.
  mutating func reduce(_ action: any Action, at time: Duration) {
    var items: [Int] = []
    switch action {
    case let action as FetchQuery.Pending: items = [count(action.request, 1)]
    case let action as FetchQuery.Fulfilled: items = [count(action.request, -1)]
    case let action as FetchQuery.Rejected: items = [count(action.request, -1)]
    case let action as PerformMutation.Pending:
      items = began(action.request)
    case let action as PerformMutation.Fulfilled:
      items = ended(action.request)
      for mark in action.request.marks { saved.insert(mark) }
    case let action as PerformMutation.Rejected: items = ended(action.request)
    case let action as ServerAdded:
      server[action.mark.item, default: []].insert(action.mark.name)
      items = [action.mark.item]
    case let action as Subscribed:
      subscribers[action.item, default: 0] += 1
      items = [action.item]
    case let action as Unsubscribed:
      subscribers[action.item, default: 0] -= 1
      items = [action.item]
    case is InvalidateTags, is RemoveQueries, is ResetQueries, is AppActivity: items = [1, 2]
    default: break
    }
    for item in items { events[item, default: []].append("\(text(of: action)) at \(time)") }
  }

  /// Returns a description of an action, which does not depend on the order of a set.
  private func text(of action: any Action) -> String {
    guard let action = action as? FetchQuery.Fulfilled, let marks = action.value(of: Item.self) else {
      return "\(action)"
    }
    return "\(action.request): \(marks.sorted())"
  }

  private mutating func count(_ request: FetchQuery, _ change: Int) -> Int {
    let item = (request.key.query as? Item)?.id ?? 0
    requests[item, default: 0] += change
    return item
  }

  private mutating func began(_ request: PerformMutation) -> [Int] {
    for mark in request.marks { running.insert(mark) }
    return request.marks.map(\.item)
  }

  private mutating func ended(_ request: PerformMutation) -> [Int] {
    for mark in request.marks { running.remove(mark) }
    return request.marks.map(\.item)
  }
}

extension PerformMutation {
  fileprivate var marks: [Mark] { (mutation as? AddMark).map { [$0.mark] } ?? [] }
}
