/// The orders of a test's events that an exploration has tried, and the orders that it tries next.
///
/// At each choice, an order performs one of several pending events. A choice of another event than
/// the first pending event is a deviation from first come, first served, and has a cost. The search
/// tries orders with low costs first. Therefore, no order with a lower cost fails than the first
/// order that fails.
///
/// The idea of trying orders by their deviations comes from delay-bounded scheduling (Emmi, Qadeer,
/// and Rakamarić).
struct OrderSearch: Sendable {
  /// One choice of an order that was tried.
  struct Choice: Hashable, Sendable {
    /// The cost of each pending event, of which the cost of the first event is not used.
    let costs: [Int]
    /// The index of the chosen event.
    let chosen: Int
    /// A hash of the names of the pending events.
    let fingerprint: UInt64
    /// The identity of everything that can affect what happens after the choice, or `nil` if it is
    /// not known.
    let moment: Moment?
    /// A Boolean value that indicates whether the chosen event has the same effect before and after
    /// each other event, and remains pending until it happens.
    ///
    /// Every order that begins with another event then has the same end as an order that begins
    /// with the chosen event. The chosen event alone is a persistent set in the sense of
    /// Godefroid.
    var isIndependent = false
  }

  /// The identity of everything that can affect what happens next, as two independent hashes.
  struct Moment: Hashable, Sendable {
    let first: Int
    let second: Int
  }

  /// The first choices of an order, whose other choices are first come, first served.
  struct Plan: Hashable, Sendable {
    var choices: [Int] = []
    /// The fingerprints of the choices when the order that the plan deviates from was tried.
    var fingerprints: [UInt64] = []
    /// The sum of the costs of the deviations.
    var cost = 0
  }

  /// A choice of an order that was tried, and another event for this choice.
  private struct Branch: Sendable {
    let order: Int
    let position: Int
    let event: Int
  }

  private struct Order: Sendable {
    let choices: [UInt16]
    let fingerprints: [UInt64]
  }

  private var orders: [Order] = []
  /// The branches that have not been tried, by their cost.
  private var branches: [ArraySlice<Branch>] = []
  /// The moments of all choices of the orders that were tried.
  private(set) var visited: Set<Moment> = []
  private var current: Plan?
  private var hasBegun = false

  /// The number of orders that were tried.
  private(set) var tried = 0
  /// The number of branches that were not tried, because an order that continues in the same way
  /// is tried.
  private(set) var cut = 0

  /// Returns the beginning of the order to try next, or `nil` if all orders were tried.
  mutating func next() -> Plan? {
    guard hasBegun else {
      hasBegun = true
      current = Plan()
      return current
    }
    guard let cost = branches.firstIndex(where: { !$0.isEmpty }) else { return nil }
    current = plan(of: branches[cost].removeFirst(), cost: cost)
    return current
  }

  private func plan(of branch: Branch, cost: Int) -> Plan {
    let order = orders[branch.order]
    return Plan(
      choices: order.choices.prefix(branch.position).map(Int.init) + [branch.event],
      fingerprints: Array(order.fingerprints.prefix(branch.position + 1)), cost: cost)
  }

  /// Records the choices of the order that the last plan began.
  ///
  /// The order has all choices of the plan. The method takes O(n) time for the number of branches
  /// of the new choices.
  mutating func record(_ choices: [Choice]) {
    guard let plan = current else { return }
    current = nil
    tried += 1
    let order = orders.count
    orders.append(
      Order(choices: choices.map { UInt16($0.chosen) }, fingerprints: choices.map(\.fingerprint)))
    var isKnown = false
    for (position, choice) in choices.enumerated().dropFirst(plan.choices.count) {
      isKnown = isKnown || choice.moment.map { !visited.insert($0).inserted } ?? false
      // The plan has ended, so the order contains the first event.
      for (event, cost) in choice.costs.enumerated().dropFirst() {
        if isKnown || choice.isIndependent {
          cut += 1
        } else {
          add(Branch(order: order, position: position, event: event), cost: plan.cost + cost)
        }
      }
    }
  }

  private mutating func add(_ branch: Branch, cost: Int) {
    while branches.count <= cost { branches.append([]) }
    branches[cost].append(branch)
  }
}
